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

// Asks each granule of `q`, and returns the answer that better() prefers. ask(set, granule, mask)
// is asked again from its answer on, until the access is one that `q` wants.
template <class Ask, class Better>
std::optional<std::uint64_t> ask_granules(const posting_set& set, const access_query& q, Ask ask,
                                          Better better) {
  std::optional<std::uint64_t> best;
  const unsigned bits = set.form().granule_bits;
  const auto take = [&](const auto& of, std::uint64_t granule) {
    const auto found = ask(of, mask_of(q.bytes, granule, bits));
    if (found && (!best || better(*found, *best))) best = found;
  };
  const std::uint64_t first = q.bytes.first >> bits, last = q.bytes.last >> bits;
  if (last - first < 4) {
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
  const auto in = [&](const posting_set& set, bool only_changes) {
    return detail::ask_granules(
        set, q,
        [&](const auto& of, byte_mask mask) -> std::optional<std::uint64_t> {
          auto p = set.last(of, mask, before);
          while (p && only_changes && !p->changes) p = set.last(of, mask, p->at);
          return p ? std::optional(p->at) : std::nullopt;
        },
        std::greater<>());
  };
  const auto write = q.writes ? in(writes_, q.only_changes && knows_changes()) : std::nullopt;
  const auto read = q.reads && !q.only_changes ? in(reads_, false) : std::nullopt;
  return std::max(write, read);
}

TRACECODEC_FUNC std::optional<std::uint64_t> memory_index::first(const access_query& q,
                                                                 std::uint64_t from) const {
  const auto in = [&](const posting_set& set, bool only_changes) {
    return detail::ask_granules(
        set, q,
        [&](const auto& of, byte_mask mask) -> std::optional<std::uint64_t> {
          auto p = set.first(of, mask, from);
          while (p && only_changes && !p->changes) p = set.first(of, mask, p->at + 1);
          return p ? std::optional(p->at) : std::nullopt;
        },
        std::less<>());
  };
  const auto write = q.writes ? in(writes_, q.only_changes && knows_changes()) : std::nullopt;
  const auto read = q.reads && !q.only_changes ? in(reads_, false) : std::nullopt;
  if (!write || !read) return write ? write : read;
  return std::min(write, read);
}

}  // namespace tracecodec::query
