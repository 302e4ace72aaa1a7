// Prompt at which statements and commands are typed.
#pragma once
#include <string>

#include "session.hpp"

namespace sql {

// Runs a command such as ".tables". Returns false for ".quit". Throws usage_error for others.
bool run_command(session& s, const std::string& command);
// Reads statements and commands from standard input until its end. On a terminal, prints a prompt,
// and Ctrl-C ends only the running statement. Returns false if a statement failed.
bool read_statements(session& s, bool is_terminal);

}  // namespace sql
