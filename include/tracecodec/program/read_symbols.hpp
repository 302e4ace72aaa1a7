// Reads symbols from the output of nm. System.map and /proc/kallsyms have the same format.
#pragma once
#include <cstdint>
#include <vector>

#include "../config.hpp"
#include "../io/open.hpp"
#include "map.hpp"

namespace tracecodec {

// Returns the functions in the output of nm (GNU, LLVM). Accepts the sizes that nm -S prints, and
// the names with spaces that nm -C prints. Data, undefined symbols and Arm's mapping symbols
// (such as "$x") are omitted.
//
// Throws trace_error(bad_value), with the offset of the line, for a line that is not nm output.
// Throws trace_error(not_a_trace) if there are no functions. Throws trace_error(unsupported) if the
// symbols need more than `memory` bytes. Errors of the input propagate.
//
// Uses up to `memory` bytes for the symbols, in addition to the memory of io::window.
TRACECODEC_FUNC std::vector<program_symbol> read_symbols(io::input in,
                                                         std::uint64_t memory = std::uint64_t{1}
                                                                                << 30);

}  // namespace tracecodec

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/read_symbols.ipp"
#endif
