#pragma once
#include <algorithm>
#include <functional>

#include "../memory_index.hpp"
#include "granules.hpp"

namespace tracecodec::query {

namespace detail {

inline std::optional<std::uint64_t> number_of(const std::optional<posting>& p) noexcept {
  return p ? std::optional(p->at) : std::nullopt;
}

}  // namespace detail

TRACECODEC_FUNC memory_index::memory_index(const checked_file& file)
    : writes_(file, file.required(section_kind::writes)),
      reads_(file, file.required(section_kind::reads)) {}

TRACECODEC_FUNC std::optional<std::uint64_t> memory_index::last(const access_query& q,
                                                                std::uint64_t before) const {
  const auto in = [&](const posting_set& set) {
    return detail::best_of_granules(
        set, q.bytes,
        [&](const auto& of, byte_mask mask) {
          return detail::number_of(set.last(of, {mask, q.only_changes}, before));
        },
        std::greater<>());
  };
  const auto write = q.writes ? in(writes_) : std::nullopt;
  const auto read = q.reads && !q.only_changes ? in(reads_) : std::nullopt;
  return std::max(write, read);
}

TRACECODEC_FUNC std::optional<std::uint64_t> memory_index::first(const access_query& q,
                                                                 std::uint64_t from) const {
  const auto in = [&](const posting_set& set) {
    return detail::best_of_granules(
        set, q.bytes,
        [&](const auto& of, byte_mask mask) {
          return detail::number_of(set.first(of, {mask, q.only_changes}, from));
        },
        std::less<>());
  };
  const auto write = q.writes ? in(writes_) : std::nullopt;
  const auto read = q.reads && !q.only_changes ? in(reads_) : std::nullopt;
  if (!write || !read) return write ? write : read;
  return std::min(write, read);
}

}  // namespace tracecodec::query
