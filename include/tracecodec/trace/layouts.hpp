// The records that the files of each format are of, as their descriptions lay them out.
#pragma once
#include <span>
#include <string_view>

#include "../config.hpp"
#include "../wire/layout/layout_row.hpp"
#include "source.hpp"

namespace tracecodec::trace {

struct layout {
  std::string_view title = {};  // which part of the trace it is; empty if there is no other
  std::string_view name = {};   // "instruction", "exec_header"
  std::span<const wire::layout_row> rows = {};
  std::span<const wire::layout_node> nodes = {};
};

// In the order of the file. What one alone, or the last behind a header, describes is repeated to the file's end in
// ChampSim's, CloudSuite's and RapidBin's traces. x64dbg's are those of 64-bit programs, unless `narrow`.
TRACECODEC_FUNC std::span<const layout> layouts_of(format f, bool narrow = false);

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/layouts.ipp"
#endif
