// Accesses of memory that a question is about.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../analysis/address_span.hpp"
#include "../config.hpp"
#include "../feed/columns.hpp"
#include "postings.hpp"

namespace tracecodec::query {

struct access_query {
  analysis::address_span bytes = {};  // accesses that touch at least one of these bytes
  bool reads = true, writes = true;
  bool only_changes = false;  // only writes that change the value
};

// Returns the bytes of `span` that are in a granule, which must contain one of them.
constexpr byte_mask mask_of(const analysis::address_span& span, std::uint64_t granule,
                            unsigned granule_bits) noexcept {
  const std::uint64_t begin = granule << granule_bits, bytes = std::uint64_t{1} << granule_bits;
  const std::uint64_t from = std::max(span.first, begin) - begin;
  const std::uint64_t to = std::min(span.last - begin, bytes - 1);
  return ~byte_mask{0} >> (63 - (to - from)) << from;
}

// Returns false if column `memory_values` has, for each byte of a write, the same value before and
// after. Bytes that are unknown or not trusted may be different.
TRACECODEC_FUNC bool changes_memory(const feed::memory_values_column& values, std::size_t row,
                                    std::uint64_t address, std::uint64_t size);

// Returns true if the instruction in a row has such an access. The batch must contain column
// `memory`, and `memory_values` if `only_changes` is set and the trace has that column.
TRACECODEC_FUNC bool has_access(const feed::columns& batch, std::size_t row, const access_query& q);

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/accesses.ipp"
#endif
