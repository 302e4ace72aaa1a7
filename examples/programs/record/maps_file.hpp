// Beside a trace: where the program's modules lay, and their functions near what was recorded.
#pragma once
#include <string>

#include "options.hpp"
#include "program_modules.hpp"

namespace record {

// Of the trace at `out`, which is one of `o`; with --no-maps nothing, and nothing lies beside a pipe.
void write_maps(const program_modules& found, const std::string& out, const options& o);

}  // namespace record
