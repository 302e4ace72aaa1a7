// What a feed's instruction of an UMTracer trace knows of registers and memory (feed/values.hpp):
// the values of its operands.
#pragma once
#include <cstdint>
#include <optional>
#include <string_view>

#include "feed.hpp"
#include "operands.hpp"

namespace tracecodec::umtracer {

// Throws trace_error as operands_of().
template <class F> void for_each_memory_value(const instruction_view& i, F&& f) {
  const operand_values all = operands_of(i.trace(), i.execution());
  for (std::size_t n = 0; n < all.size(); ++n) {
    const slot_value v = all.value(n);
    if (v.has_address) f(v.address, v.bytes, n >= all.first_after());
  }
}

// Of a register among its operands, before it executes if it is read, else after; of one wider than
// 64 bits the lowest ones. Names as in the trace's context map. Throws trace_error as
// operands_of().
inline std::optional<std::uint64_t> register_value(const instruction_view& i,
                                                   std::string_view name) {
  const auto id = i.trace().registers().find(name);
  if (!id) return std::nullopt;
  const operand_values all = operands_of(i.trace(), i.execution());
  for (std::size_t n = 0; n < all.size(); ++n) {
    const slot s = all.slot(n);
    if (s.is_memory() || s.name != *id || (n >= all.first_out() && n < all.first_after())) continue;
    std::uint64_t value = 0;
    unsigned shift = 0;
    for (const std::byte b : all.value(s).bytes) {
      if (shift == 64) break;
      value |= std::to_integer<std::uint64_t>(b) << shift;
      shift += 8;
    }
    return value;
  }
  return std::nullopt;
}

// As the trace has it. Throws trace_error as instruction_table::text().
inline std::string_view assembly(const instruction_view& i) {
  return i.trace().instructions().text(i.row());
}

}  // namespace tracecodec::umtracer
