#pragma once
#include "../metadata_match.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>

#include "../../../io/error.hpp"
#include "../../../io/open.hpp"
#include "../../layout.hpp"
#include "../occurring_ids.hpp"
#include "../std_reader.hpp"

namespace tracecodec::rapidbin {

namespace detail {
// Returns a reader of the complete lines in `front`, or null if `front` contains no newline. A
// truncated last line is left out, because its last number may also be truncated.
TRACECODEC_FUNC std::unique_ptr<std_reader> text_in_front(std::span<const std::byte> front) {
  while (!front.empty() && front.back() != std::byte{'\n'}) front = front.first(front.size() - 1);
  if (front.empty()) return {};
  return std::make_unique<std_reader>(io::open_bytes(front, "", {.compression = io::codec::none}));
}

// Calls f(event, index) for each whole event in `front`, which contains the first bytes of a trace.
// `text` is true if the trace is STD text.
template <class F> void for_each_in_front(std::span<const std::byte> front, bool text, F f) {
  try {
    if (!text) {
      const event_array all(front.subspan(std::min(front.size(), header_codec::size)));
      for (std::size_t i = 0; i < all.size(); ++i) f(all[i], i);
      return;
    }
    const auto lines = text_in_front(front);
    if (!lines) return;
    for (event_batch b = lines->next(); b.size() != 0; b = lines->next())
      for (std::size_t i = 0; i < b.size(); ++i) f(b.events[i], b.index(i));
  } catch (const trace_error&) {
    // The trace's reader reports the error.
  }
}
}  // namespace detail

TRACECODEC_FUNC std::string mismatch(const metadata& names, std::span<const std::byte> front,
                                     bool whole, bool text) {
  if (!names.has_records()) return {};
  occurring_ids seen;
  std::string unnamed;
  detail::for_each_in_front(front, text, [&](const event& e, std::uint64_t index) {
    if (whole) seen.add(e);
    if (!unnamed.empty()) return;
    for_each_unnamed(names, e, [&](const char* kind, std::uint64_t id) {
      unnamed = std::string(kind) + ' ' + std::to_string(id) + " of event " +
                std::to_string(index) + " is not in it";
    });
  });
  header declared{};
  const bool has_header = !text && header_codec::decode(front, declared);
  id_counts counts = has_header ? counts_of(declared) : id_counts{};
  if (whole && !counts.threads)
    counts = counts_of(seen);
  else if (whole && seen.counted().events() == static_cast<std::uint64_t>(declared.events))
    counts.locations = seen.locations();
  std::string has, instead;
  for_each_other_count(names, counts, [&](const char* kind, std::uint64_t n, std::uint64_t there) {
    has += (has.empty() ? "it has " : ", ") + std::to_string(n) + ' ' + kind;
    instead += (instead.empty() ? "" : ", ") + std::to_string(there);
  });
  if (!has.empty()) return has + "; the trace has " + instead;
  return unnamed;
}

TRACECODEC_FUNC bool has_names(std::span<const std::byte> front) {
  const auto lines = detail::text_in_front(front);
  try {
    while (lines && lines->named() == 0 && lines->next().size() != 0) {
    }
  } catch (const trace_error&) {
    // The trace's reader reports the error.
  }
  return lines && lines->named() != 0;
}

}  // namespace tracecodec::rapidbin
