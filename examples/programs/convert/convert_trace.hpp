// Command line of trace_convert, and the conversion itself.
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

// Parses a command line that begins with the program's name. Returns nullopt after printing the
// text for --help or --version. Throws usage_error for invalid arguments.
std::optional<job> parse(const std::vector<std::string>& line);

// Converts a trace. Throws trace_error for errors in the trace, and usage_error for options that
// the formats do not support.
void convert_trace(job of);

}  // namespace convert
