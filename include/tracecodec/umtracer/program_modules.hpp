// Modules of the traced program, as listed in a UMTracer trace.
#pragma once
#include <cstddef>
#include <vector>

#include "../program/map.hpp"
#include "layout/utf16.hpp"
#include "reader.hpp"

namespace tracecodec::umtracer {

// Returns the modules of a trace, except for modules that end before they begin. Throws the errors
// of the module table.
inline std::vector<program_module> modules_of(const reader& trace) {
  std::vector<program_module> all;
  const auto& table = trace.modules();
  for (std::size_t i = 0; i < table.size(); ++i) {
    const module_record m = table[i];
    if (m.end_address >= m.start_address)
      all.push_back(
          {m.start_address, m.end_address - m.start_address + 1, to_utf8(table.win_name(i))});
  }
  return all;
}

}  // namespace tracecodec::umtracer
