// Reads symbols from what nm prints, as System.map and /proc/kallsyms have it, too.
#pragma once
#include <cstdint>
#include <vector>

#include "../config.hpp"
#include "../io/open.hpp"
#include "map.hpp"

namespace tracecodec {

// The functions in the output of nm (GNU, LLVM), of nm -S with their sizes, of nm -C with spaces in
// their names; data and undefined symbols are left out. Throws trace_error: bad_value, with the
// line's offset, for what is none; not_a_trace if there is no function; unsupported if it needs more
// than `memory`; what the input throws. Memory: that of the symbols, at most `memory`, and that of
// io::window.
TRACECODEC_FUNC std::vector<program_symbol> read_symbols(io::input in,
                                                         std::uint64_t memory = std::uint64_t{1}
                                                                                << 30);

}  // namespace tracecodec

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/read_symbols.ipp"
#endif
