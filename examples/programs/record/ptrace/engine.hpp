// Engine that single-steps a program. It records x64dbg traces with registers and memory, and
// ChampSim records made from x64dbg traces.
#pragma once
#include "../options.hpp"
#include "../telling.hpp"

namespace record {

// Records a program. Throws std::runtime_error if the program cannot be started or traced, and
// any exception of a writer.
recorded_program record_by_steps(const options& o);

}  // namespace record
