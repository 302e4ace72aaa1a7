// Engine that single-steps a program. It records x64dbg traces with registers and memory, and can
// convert them to ChampSim records.
#pragma once
#include "../options.hpp"
#include "../summary.hpp"

namespace record {

// Records a program. Throws std::runtime_error if the program cannot be started or traced, and any
// exception that a writer throws.
recorded_program record_by_steps(const options& o);

}  // namespace record
