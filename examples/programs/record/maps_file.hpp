// Map file next to a trace. It lists the program's modules, and the functions near recorded code.
#pragma once
#include <string>

#include "options.hpp"
#include "program_modules.hpp"

namespace record {

// Writes the map file for the trace at `out`, which is one of the outputs of `o`. Writes nothing
// with --no-maps, or if `out` is not a regular file.
void write_maps(const program_modules& found, const std::string& out, const options& o);

}  // namespace record
