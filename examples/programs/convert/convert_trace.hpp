// The command line of trace_convert, and the conversion.
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

// Parses a command line, the program's name first. Returns nullopt after printing for --help or --version. Throws
// usage_error.
std::optional<job> parse(const std::vector<std::string>& line);

// Converts a trace. Throws trace_error; usage_error for options that do not fit the formats.
void convert_trace(job of);

}  // namespace convert
