// Bytes and lines of memory that an instruction accesses, and bytes of registers, for analyses.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "../feed/columns.hpp"
#include "../io/error.hpp"

namespace tracecodec::analysis {

// Returns the columns for a search in all values of a trace, of memory and of registers. Throws
// trace_error(refused) if the trace has neither.
inline feed::column_set value_columns(const feed::column_source& trace) {
  using feed::column;
  feed::column_set all =
      trace.has() & feed::column_set{column::memory_values, column::register_values};
  if (all.empty())
    throw trace_error(trace_errc::refused, {.file = std::string(trace.name())},
                      "a trace of this format has no values of memory or registers");
  if (all.has(column::memory_values)) all |= feed::column_set{column::memory};
  return all | feed::column_set{column::ip};
}

// Calls f(address, bytes, write) for the values that row `row` reads, and then for those that it
// writes, in the order of its memory operands. Values that the trace does not store, or that may be
// wrong, are left out. So are bytes that a trace stores around an access. An operand of unknown size
// has all bytes that the trace stores from its address on. The batch must contain columns `memory`
// and `memory_values`.
template <class F> void each_accessed_bytes(const feed::columns& batch, std::size_t row, F f) {
  const feed::memory_column operands = batch.memory();
  const feed::memory_values_column values = batch.memory_values();
  for (std::size_t k = operands.begin(row); k != operands.end(row); ++k) {
    const std::uint64_t address = operands.address[k],
                        size = operands.size[k] == 0 ? ~std::uint64_t{0} : operands.size[k];
    for (std::size_t v = values.begin(row); v != values.end(row); ++v) {
      if (values.trusted[v] == 0 || values.after[v] != operands.write[k]) continue;
      const std::span<const std::byte> bytes = values.bytes[v];
      const std::uint64_t inside = address - values.address[v], later = values.address[v] - address;
      if (inside < bytes.size()) {
        const auto part = bytes.subspan(static_cast<std::size_t>(inside));
        f(address, part.first(static_cast<std::size_t>(std::min<std::uint64_t>(part.size(), size))),
          operands.write[k] != 0);
      } else if (operands.size[k] != 0 && later < size) {
        const std::uint64_t n = std::min<std::uint64_t>(bytes.size(), size - later);
        f(values.address[v], bytes.first(static_cast<std::size_t>(n)), operands.write[k] != 0);
      }
    }
  }
}

// Calls f(line, write) for each line of 2^`bits` bytes that row `row` accesses, in the order of its
// memory operands. A line is an address divided by its size. An operand has at most
// `most_accessed_lines` lines. The batch must contain column `memory`.
inline constexpr std::uint64_t most_accessed_lines = 1024;
template <class F>
void each_accessed_line(const feed::memory_column& operands, std::size_t row, unsigned bits, F f) {
  for (std::size_t k = operands.begin(row); k != operands.end(row); ++k) {
    const std::uint64_t first = operands.address[k],
                        more = std::min(operands.size[k] == 0 ? 0 : operands.size[k] - 1, ~first);
    const std::uint64_t begin = first >> bits,
                        n = std::min(((first + more) >> bits) - begin, most_accessed_lines - 1);
    for (std::uint64_t i = 0; i <= n; ++i) f(begin + i, operands.write[k] != 0);
  }
}

// Calls f(number, offset, bytes, after) for the values of registers at row `row`. Neighbouring parts
// of a register are one value of up to 64 bytes, in little-endian order. `before` is false to leave
// out values before the instruction. The batch must contain column `register_values`.
template <class F>
void each_register_bytes(const feed::columns& batch, std::size_t row, bool before, F f) {
  constexpr std::size_t most = 64;
  const feed::register_values_column r = batch.register_values();
  std::array<std::byte, most> bytes{};
  std::size_t n = 0, first = 0;
  for (std::size_t k = r.begin(row), end = r.end(row); k != end; ++k) {
    if (!before && r.after[k] == 0) continue;
    if (n == 0) first = k;
    for (unsigned i = 0; i != r.size[k] && n != most; ++i)
      bytes[n++] = static_cast<std::byte>(r.value[k] >> 8 * (i % 8) & 0xFFU);
    const std::size_t next = k + 1;
    if (next != end && n != most && r.number[next] == r.number[first] &&
        r.after[next] == r.after[first] && r.offset[next] == r.offset[first] + n)
      continue;
    f(r.number[first], r.offset[first], std::span<const std::byte>(bytes).first(n),
      r.after[first] != 0);
    n = 0;
  }
}

}  // namespace tracecodec::analysis
