// Options for the index of a trace, which programs that ask about a trace share.
#pragma once
#include <tracecodec/query/index.hpp>

#include <memory>
#include <optional>
#include <string>

#include "command_line.hpp"
#include "reading.hpp"

namespace examples {

struct index_options {
  std::optional<std::string> file = {};  // --index
  bool none = false;                     // --no-index
};

// Adds --index and --no-index, in a group of their own.
void add_index(command_line& line, index_options& to);

// Returns true if an index is named, or one lies beside the trace.
bool has_index(const std::string& trace, const index_options& o);

// Opens the index that the options name, or the one beside the trace. Returns null if there is none,
// or if the trace is standard input. Throws usage_error if `as` has options with which the index does
// not agree, and trace_error like query::trace_index.
std::unique_ptr<tracecodec::query::trace_index> open_index(const std::string& trace,
                                                           const index_options& o,
                                                           const reading& as);

}  // namespace examples
