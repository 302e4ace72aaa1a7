// The questions of trace_query about functions and calls.
#pragma once
#include "ask.hpp"

namespace ask {

// Prints the tree of calls, the functions, or the stacks for a flame graph. Returns false if the
// trace has no instruction.
bool ask_calls(const options& o);

}  // namespace ask
