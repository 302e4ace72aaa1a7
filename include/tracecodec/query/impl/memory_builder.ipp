#pragma once
#include <algorithm>
#include <cstddef>
#include <string>

#include "../../io/error.hpp"
#include "../accesses.hpp"
#include "../memory_builder.hpp"

namespace tracecodec::query {

TRACECODEC_FUNC memory_builder::memory_builder(feed::column_set has)
    : columns_{feed::column::memory} {
  write_form_.changes = has.has(feed::column::memory_values);
  if (write_form_.changes) columns_ = columns_ | feed::column_set{feed::column::memory_values};
}

TRACECODEC_FUNC void memory_builder::begin(bool sizes) {
  for (posting_form* const form : {&write_form_, &read_form_}) {
    form->granule_bits = sizes ? 3 : 6;
    form->masks = sizes;
  }
  to_.emplace(write_form_, read_form_);
}

TRACECODEC_FUNC bool memory_builder::continue_from(const memory_index& earlier, std::uint64_t end) {
  const auto has_postings = [](const posting_set& set) { return set.postings() != 0; };
  const posting_form form = earlier.writes().form();
  if (form.changes != write_form_.changes || earlier.reads().form().changes ||
      form.granule_bits != earlier.reads().form().granule_bits ||
      (!has_postings(earlier.writes()) && !has_postings(earlier.reads())))
    return false;
  begin(form.masks);
  to_->writes.continue_from(earlier.writes(), end);
  to_->reads.continue_from(earlier.reads(), end);
  return true;
}

// Calls f(granule, bytes) for each granule that an access touches. `bytes` are those of the access
// in the granule.
template <class F>
void memory_builder::each_granule(std::uint64_t address, std::uint64_t size, F f) const {
  const unsigned bits = write_form_.granule_bits;
  // An access that would pass the highest address ends there.
  const analysis::address_span span{address, address + std::min(size - 1, ~address)};
  for (std::uint64_t granule = span.first >> bits;; ++granule) {
    const std::uint64_t begin = granule << bits;
    f(granule, analysis::address_span{std::max(span.first, begin),
                                      std::min(span.last, begin + ((1U << bits) - 1))});
    if (granule == span.last >> bits) break;
  }
}

TRACECODEC_FUNC void memory_builder::add(const feed::columns& batch) {
  if (batch.left_out() != 0)
    throw trace_error(trace_errc::refused, {.file = {}, .offset = {}, .record = batch.first()},
                      "one of the next instructions has more accesses than an index can have");
  const feed::memory_column& m = batch.memory();
  if (!to_ && !m.address.empty()) begin(m.size[0] != 0);
  for (std::size_t row = 0; row != batch.size(); ++row) {
    const std::uint64_t at = batch.first() + row;
    for (std::size_t k = m.begin(row); k != m.end(row); ++k) {
      const std::uint64_t size = std::max<std::uint64_t>(m.size[k], 1);
      if (size > longest_access)
        throw trace_error(trace_errc::refused, {.file = {}, .offset = {}, .record = at},
                          "accesses " + std::to_string(size) +
                              " bytes of memory; an index has accesses of up to " +
                              std::to_string(longest_access));
      ++accesses_;
      const bool write = m.write[k] != 0, finds_changes = write && write_form_.changes;
      each_granule(
          m.address[k], size, [&](std::uint64_t granule, const analysis::address_span& bytes) {
            const bool changes =
                finds_changes && changes_memory(batch.memory_values(), row, bytes.first,
                                                bytes.last - bytes.first + 1);
            (write ? to_->writes : to_->reads)
                .add(granule, {at, mask_of(bytes, granule, write_form_.granule_bits), changes});
          });
    }
  }
}

TRACECODEC_FUNC void memory_builder::write(index_writer& to) {
  if (!to_) begin(true);
  const auto section = [&to](section_kind kind, posting_sorter& from, posting_form form) {
    posting_writer postings(to, kind, form);
    from.finish(postings);
    postings.finish();
  };
  section(section_kind::writes, to_->writes, write_form_);
  section(section_kind::reads, to_->reads, read_form_);
}

}  // namespace tracecodec::query
