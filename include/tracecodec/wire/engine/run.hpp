// Runs of items that one bounds check covers. If the place of an item's first bytes follows from
// the end of the item before, that item checks those bytes together with its own.
#pragma once
#include <concepts>
#include <cstddef>

#include "../types/engine/scan.hpp"

namespace tracecodec::wire::detail {

// Sections with a front: bytes whose end follows from the section's offset. front_end(at, base)
// returns this end for a section at offset `at` of a part that begins at offset `base` of the
// record. `front_is_whole` is true if the section has no other bytes.
template <class Section>
concept has_front = requires(extent_type at, std::size_t base) {
  { Section::front_end(at, base) } -> std::same_as<extent_type>;
  requires Section::front_is_whole || !Section::front_is_whole;
};
// True if a section's scan() calls holds() of its input for the section's last byte, whatever the
// section contains. Then the scan also checks the front of the next section.
template <class Section> inline constexpr bool checks_next = requires {
  requires Section::checks_next;
};

// Sections after an item. end() returns the end of the bytes that a check of the item covers, if
// the item ends at offset `at`.
template <class... Next> struct run_after {
  static constexpr extent_type end(extent_type at, std::size_t) noexcept { return at; }
};
template <has_front First, class... Rest> struct run_after<First, Rest...> {
  TRACECODEC_INLINE static constexpr extent_type end(extent_type at, std::size_t base) noexcept {
    if constexpr (First::front_is_whole)
      return run_after<Rest...>::end(First::front_end(at, base), base);
    else
      return First::front_end(at, base);
  }
};

// Input of a section in a run. `FrontIsThere` is true if the section before has checked the front.
// `After` is the run_after of the later sections.
template <bool FrontIsThere, class After> struct run_input : scan_input {
  std::size_t base;
  TRACECODEC_INLINE constexpr bool holds(std::size_t at, extent_type n) const noexcept {
    return After::end(at + n, base) <= size;
  }
  TRACECODEC_INLINE constexpr bool holds_front(std::size_t at, extent_type n) const noexcept {
    return FrontIsThere || scan_input::holds_front(at, n);
  }
  TRACECODEC_INLINE constexpr bool holds_whole_front(std::size_t at, extent_type n) const noexcept {
    return FrontIsThere || holds(at, n);
  }
};

}  // namespace tracecodec::wire::detail
