// trace_convert, but for what makes it a program: its command line, and the work.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "conversion.hpp"

namespace convert {

struct job {
  options how;
  io::codec compression;
};

// What a command line asks for, the program's name first; nothing if that was --help or --version, which is printed.
// Throws usage_error.
std::optional<job> parse(const std::vector<std::string>& line);

// Throws trace_error, and usage_error for what the traces' formats make no sense of.
void convert_trace(job of);

}  // namespace convert
