#pragma once
#include "../recognise.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

#include "../../file/recognise.hpp"
#include "../../io/input/byte_order_mark.hpp"
#include "../reader/std_text.hpp"
#include "../trace_file.hpp"

namespace tracecodec::rapidbin {

namespace detail {
// Returns true if the first event has the first ids that Wasmgrind assigns, and the events are not
// all equal. If the header is all zeros, this test replaces the comparison with the header's
// counts.
TRACECODEC_FUNC bool begins_with_first_ids(const event_array& all) {
  const event first = all[0];
  const std::uint64_t first_decor = operand_of(first.operation) == operand::thread ? 1 : 0;
  if (first.thread != 0 || first.location != 0 || first.decor != first_decor) return false;
  return std::any_of(all.begin(), all.end(), [&](const event& e) { return e != first; });
}

// Set of the different threads, locks and variables that occur in events.
class different_ids {
 public:
  void add(const event& e) {
    put(threads_, e.thread);
    const operand what = operand_of(e.operation);
    if (what == operand::thread) put(threads_, e.decor);
    if (what == operand::lock) put(locks_, e.decor);
    if (what == operand::variable) put(variables_, e.decor);
  }
  // Returns true if `h` declares at least as many threads, locks and variables as this set
  // contains.
  [[nodiscard]] bool fit(const header& h) const noexcept {
    return threads_.size() <= static_cast<std::uint64_t>(h.threads) &&
           locks_.size() <= static_cast<std::uint64_t>(h.locks) &&
           variables_.size() <= static_cast<std::uint64_t>(h.variables);
  }

 private:
  static void put(std::vector<std::uint64_t>& ids, std::uint64_t id) {
    const auto at = std::lower_bound(ids.begin(), ids.end(), id);
    if (at == ids.end() || *at != id) ids.insert(at, id);
  }
  std::vector<std::uint64_t> threads_, locks_, variables_;
};

// Returns true if the events look like the events of a program. In files of other formats, small
// numbers decode to acquires, and padding decodes to zeros.
TRACECODEC_FUNC bool look_like_events(const event_array& first) {
  constexpr std::size_t some = 4;
  const std::size_t n = std::min(first.size(), judged_events);
  std::size_t acquired = 0, zeros = 0;
  for (std::size_t i = 0; i < n; ++i) {
    acquired += first[i].operation == operation::acquire;
    zeros += first[i] == event{};
  }
  return (n < some || acquired < n) && 2 * zeros <= n;
}

// Returns true if `h` could be the header of a trace although the number of events in `h` does not
// match the file size. The counts in `h` must be possible. The first events must not contain more
// threads, locks or variables than `h` declares.
TRACECODEC_FUNC bool may_be_cut(const header& h, const event_array& first,
                                std::optional<std::uint64_t> size) {
  constexpr std::int64_t most_events = std::int64_t{1} << 36;  // 512 GiB
  if (h.threads > largest_thread + 1 || h.events > most_events) return false;
  // The trace may be truncated, or other bytes may follow the trace.
  const std::uint64_t there = size ? *size / event_codec::size : first.size();
  if (static_cast<std::uint64_t>(h.events) < there / 2) return false;
  different_ids ids;
  for (std::size_t i = 0; i < std::min(first.size(), judged_events); ++i) ids.add(first[i]);
  return ids.fit(h);
}
}  // namespace detail

TRACECODEC_FUNC match probe(std::span<const std::byte> front, std::optional<std::uint64_t> size) {
  header h{};
  if (!header_codec::decode(front, h)) return match::none;
  // No real file contains 2^48 events, but text that is decoded as a header usually declares more.
  const bool counted =
      h.threads > 0 && h.locks >= 0 && h.variables >= 0 && h.events > 0 && h.events >> 48 == 0;
  const bool given_up = h == header{};
  if (!counted && !given_up) return match::none;
  if (given_up && size == header_codec::size) return match::certain;  // an empty trace
  const auto events = static_cast<std::uint64_t>(h.events);
  // An event involves at most two threads, and at most one lock or variable.
  if (counted &&
      (static_cast<std::uint64_t>(h.threads) > 2 * events ||
       static_cast<std::uint64_t>(h.locks) + static_cast<std::uint64_t>(h.variables) > events))
    return match::none;
  const event_array all(front.subspan(header_codec::size));
  if (all.size() == 0 || (given_up && !detail::begins_with_first_ids(all))) return match::none;
  // Readers ignore the sign bit, but no writer sets it. If the event count does not match the size,
  // a set sign bit therefore rules out a trace.
  const bool fits =
      counted && size && file::recogniser<trace_file>::count_fits(h, header_codec::size, *size);
  if (!fits && !detail::look_like_events(all)) return match::none;
  if (counted && !fits && !detail::may_be_cut(h, all, size)) return match::none;
  for (std::size_t i = 0; i < std::min(all.size(), judged_events); ++i)
    if (const event e = all[i]; (e.sign && !fits) || !defined(e.operation)) return match::none;
  return fits ? match::certain : match::possible;
}

TRACECODEC_FUNC bool begins_like_std(std::span<const std::byte> front) {
  std::string_view text(reinterpret_cast<const char*>(front.data()), front.size());
  text = io::without_byte_order_mark(text);
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of("\r\n"), text.size()));
    const std::string_view line = text.substr(0, text.find_first_of("\r\n"));
    if (line.empty() || line.find('\0') != line.npos) return false;
    std_error ignored;
    if (!is_comment(line)) return split_std(line, ignored).has_value();
    text.remove_prefix(line.size());
  }
}

}  // namespace tracecodec::rapidbin
