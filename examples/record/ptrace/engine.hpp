// The engine that single-steps: x64dbg traces, with registers and memory, and ChampSim records made of
// them.
#pragma once
#include "../options.hpp"

namespace record {

// The program's exit status is not looked at. Throws not_permitted (tracee.hpp), and what a writer throws.
void record_by_steps(const options& o);

}  // namespace record
