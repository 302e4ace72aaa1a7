#pragma once
#include "../accesses.hpp"

namespace tracecodec::query {

TRACECODEC_FUNC bool changes_memory(const feed::memory_values_column& values, std::size_t row,
                                    std::uint64_t address, std::uint64_t size) {
  for (std::uint64_t i = 0; i != size; ++i) {
    const std::byte *before = nullptr, *after = nullptr;
    for (std::size_t k = values.begin(row); k != values.end(row); ++k) {
      const auto bytes = values.bytes[k];
      const std::uint64_t place = address + i - values.address[k];
      if (values.trusted[k] != 0 && place < bytes.size())
        (values.after[k] != 0 ? after : before) = &bytes[static_cast<std::size_t>(place)];
    }
    if (before == nullptr || after == nullptr || *before != *after) return true;
  }
  return false;
}

TRACECODEC_FUNC bool has_access(const feed::columns& batch, std::size_t row,
                                const access_query& q) {
  const feed::memory_column& m = batch.memory();
  for (std::size_t k = m.begin(row); k != m.end(row); ++k) {
    const bool write = m.write[k] != 0;
    if (!(write ? q.writes : q.reads && !q.only_changes) || !q.bytes.meets(m.address[k], m.size[k]))
      continue;
    if (!q.only_changes || batch.memory_values().offsets.empty()) return true;
    // The wanted bytes of the access.
    const std::uint64_t size = std::max<std::uint64_t>(m.size[k], 1),
                        last = m.address[k] + std::min(size - 1, ~m.address[k]);
    const std::uint64_t begin = std::max(m.address[k], q.bytes.first);
    if (changes_memory(batch.memory_values(), row, begin, std::min(last, q.bytes.last) - begin + 1))
      return true;
  }
  return false;
}

}  // namespace tracecodec::query
