#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <span>
#include <string>

#include "../../io/error.hpp"
#include "../memory_builder.hpp"

namespace tracecodec::query {

namespace detail {
inline posting_form memory_form(bool sizes, bool changes) {
  return {
      .granule_bits = static_cast<std::uint8_t>(sizes ? 3 : 6), .changes = changes, .masks = sizes};
}
}  // namespace detail

TRACECODEC_FUNC memory_builder::memory_builder(feed::column_set has, bool sizes)
    : columns_{feed::column::memory},
      write_form_(detail::memory_form(sizes, has.has(feed::column::memory_values))),
      read_form_(detail::memory_form(sizes, false)),
      writes_(write_form_),
      reads_(read_form_) {
  if (write_form_.changes) columns_ = columns_ | feed::column_set{feed::column::memory_values};
}

// Returns false if the row has, for each byte of the access, the same value before and after.
TRACECODEC_FUNC bool memory_builder::changes(const feed::memory_values_column& values,
                                             std::size_t row, access a) {
  struct part {
    std::uint64_t address;
    std::span<const std::byte> bytes;
    // Returns the value of the byte at `at`, or null if the part does not contain it.
    [[nodiscard]] const std::byte* find(std::uint64_t at) const noexcept {
      return at - address < bytes.size() ? &bytes[static_cast<std::size_t>(at - address)] : nullptr;
    }
  };
  for (std::uint64_t i = 0; i != a.size; ++i) {
    const std::byte *before = nullptr, *after = nullptr;
    for (std::size_t k = values.begin(row); k != values.end(row); ++k) {
      if (values.trusted[k] == 0) continue;
      const part p{values.address[k], values.bytes[k]};
      if (const std::byte* const b = p.find(a.address + i))
        (values.after[k] != 0 ? after : before) = b;
    }
    if (before == nullptr || after == nullptr || *before != *after) return true;
  }
  return false;
}

TRACECODEC_FUNC void memory_builder::add(posting_sorter& to, access a, std::uint64_t at,
                                         bool changes) {
  const unsigned bits = write_form_.granule_bits;
  const std::uint64_t bytes = std::uint64_t{1} << bits;
  // An access that would pass the highest address ends there.
  const std::uint64_t last = a.address + std::min(a.size - 1, ~a.address);
  for (std::uint64_t granule = a.address >> bits;; ++granule) {
    const std::uint64_t begin = granule << bits;
    const std::uint64_t from = std::max(a.address, begin) - begin;
    const std::uint64_t to_byte = std::min(last - begin, bytes - 1);
    const byte_mask mask = ~byte_mask{0} >> (63 - (to_byte - from)) << from;
    to.add(granule, {at, mask, changes});
    if (granule == last >> bits) break;
  }
}

TRACECODEC_FUNC void memory_builder::add(const feed::columns& batch) {
  const feed::memory_column& m = batch.memory();
  for (std::size_t row = 0; row != batch.size(); ++row) {
    const std::uint64_t at = batch.first() + row;
    for (std::size_t k = m.begin(row); k != m.end(row); ++k) {
      const access a{m.address[k], std::max<std::uint64_t>(m.size[k], 1)};
      if (a.size > longest_access)
        throw trace_error(trace_errc::refused, {.file = {}, .offset = {}, .record = at},
                          "accesses " + std::to_string(a.size) +
                              " bytes of memory; an index has accesses of up to " +
                              std::to_string(longest_access));
      ++accesses_;
      if (m.write[k] == 0)
        add(reads_, a, at, false);
      else
        add(writes_, a, at, write_form_.changes && changes(batch.memory_values(), row, a));
    }
  }
}

TRACECODEC_FUNC void memory_builder::write(index_writer& to) {
  const auto section = [&to](section_kind kind, posting_sorter& from, posting_form form) {
    posting_writer postings(to, kind, form);
    from.finish(postings);
    postings.finish();
  };
  section(section_kind::writes, writes_, write_form_);
  section(section_kind::reads, reads_, read_form_);
}

}  // namespace tracecodec::query
