// The engine that single-steps: x64dbg traces, with registers and memory, and ChampSim records made of
// them.
#pragma once
#include <stdexcept>

#include "../options.hpp"
#include "../telling.hpp"

namespace record {

// The system does not let this process trace another.
struct not_permitted : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// Throws not_permitted, and what a writer throws.
recorded_program record_by_steps(const options& o);

}  // namespace record
