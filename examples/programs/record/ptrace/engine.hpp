// The engine that single-steps: x64dbg traces, with registers and memory, and ChampSim records made of
// them.
#pragma once
#include "../options.hpp"
#include "../telling.hpp"

namespace record {

// Throws std::runtime_error if the program cannot be started, or traced, and what a writer throws.
recorded_program record_by_steps(const options& o);

}  // namespace record
