#pragma once
#include <algorithm>
#include <functional>
#include <string>

#include "../../io/error.hpp"
#include "../memory_index.hpp"

namespace tracecodec::query {

namespace detail {

inline const section& required_section(const checked_file& file, section_kind kind) {
  for (const section& s : file.sections())
    if (s.kind == kind) return s;
  throw trace_error(
      trace_errc::refused, {.file = file.name()},
      "the index has no section \"" + std::string(name(kind)) + "\"; make it again (trace_index)");
}

// Granules up to this number are looked up one by one. If there are more, the directory is read.
inline constexpr std::uint64_t most_looked_up = 4;

// Calls lookup(granule or list, filter) for each granule of `q`, and returns the best of the results.
template <class Lookup, class Better>
std::optional<std::uint64_t> best_of_granules(const posting_set& set, const access_query& q,
                                              Lookup lookup, Better better) {
  std::optional<std::uint64_t> best;
  const unsigned bits = set.form().granule_bits;
  const auto take = [&](const auto& of, std::uint64_t granule) {
    const posting_filter f{mask_of(q.bytes, granule, bits), q.only_changes};
    if (const std::optional<posting> p = lookup(of, f); p && (!best || better(p->at, *best)))
      best = p->at;
  };
  const std::uint64_t first = q.bytes.first >> bits, last = q.bytes.last >> bits;
  if (last - first < most_looked_up) {
    for (std::uint64_t granule = first;; ++granule) {
      take(granule, granule);
      if (granule == last) return best;
    }
  }
  set.each_list(first, last, [&](const posting_list& list) { take(list, list.granule); });
  return best;
}

}  // namespace detail

TRACECODEC_FUNC memory_index::memory_index(const checked_file& file)
    : writes_(file, detail::required_section(file, section_kind::writes)),
      reads_(file, detail::required_section(file, section_kind::reads)) {}

TRACECODEC_FUNC std::optional<std::uint64_t> memory_index::last(const access_query& q,
                                                                std::uint64_t before) const {
  const auto in = [&](const posting_set& set) {
    return detail::best_of_granules(
        set, q, [&](const auto& of, const posting_filter& f) { return set.last(of, f, before); },
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
        set, q, [&](const auto& of, const posting_filter& f) { return set.first(of, f, from); },
        std::less<>());
  };
  const auto write = q.writes ? in(writes_) : std::nullopt;
  const auto read = q.reads && !q.only_changes ? in(reads_) : std::nullopt;
  if (!write || !read) return write ? write : read;
  return std::min(write, read);
}

}  // namespace tracecodec::query
