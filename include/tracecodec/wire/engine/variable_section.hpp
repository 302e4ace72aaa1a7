// Section that consists of one item whose length is stored in the item's own bytes.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>

#include "run.hpp"
#include "section.hpp"

namespace tracecodec::wire::detail {

// Section that consists of the variable-length item `B`.
template <class B> struct variable_section {
  using only_item = B;
  template <std::size_t I> using item = std::tuple_element_t<I, std::tuple<B>>;
  static constexpr std::size_t item_of(std::string_view) { return 0; }
  static constexpr std::size_t count = 1;
  static constexpr bool fixed = false;
  static constexpr bool variable_length = true;
  static constexpr bool refuses = true;
  static constexpr bool placed = is_placed<B>;
  static constexpr bool absolute = is_absolute<B>;
  static constexpr bool greedy = is_greedy<B>;
  static constexpr bool nests_records = detail::nests_records<B>;
  static constexpr std::size_t constant_bytes = 0;
  static constexpr text constant_text(std::string_view field) noexcept {
    if constexpr (requires { B::constant_text(); })
      if (field == B::label) return B::constant_text();
    return {};
  }
  static constexpr bool sized = is_sized<B>;
  static constexpr std::size_t size = 0;
  static constexpr std::size_t alignment = 1;
  static constexpr bool gapless = false;
  static constexpr std::array<std::string_view, 1> labels{B::label};
  using computed = computed_in_t<B>;
  template <class C> static consteval bool implies() { return item_implies<B, C>(); }
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr std::size_t offset_of = [] {
    static_assert(has<M>, "no field of this record has that member at a fixed offset");
    return std::size_t{};
  }();

  // Properties of a run (run.hpp).
  static constexpr bool checks_next = detail::checks_next<B>;
  static constexpr bool front_is_whole = [] {
    if constexpr (has_front<B>) return B::front_is_whole;
    return false;
  }();
  TRACECODEC_INLINE static constexpr extent_type front_end(
      extent_type at, std::size_t base) noexcept requires has_front<B> {
    return B::front_end(at, base);
  }

  using evaluated = typename B::evaluated;
  template <class S, class Input, class Notes>
  TRACECODEC_INLINE static constexpr std::size_t scan(S& s, std::size_t at, const Input& in,
                                                      Notes& notes) noexcept {
    const std::size_t end = B::scan(s, at, in, notes);
    if constexpr (Notes::wanted)
      if (end != not_read) notes.template item<B>(at, end);
    return end;
  }
  template <class Notes> static constexpr void note_absent(std::size_t at, Notes& notes) noexcept {
    note_absent_item<B>(at, notes);
  }
  template <class... Sizes> static consteval bool is_unaffected_by() {
    return item_is_unaffected_by<B, Sizes...>();
  }
  // Returns ok if the item can be written, and stores the item's evaluated counts and conditions in
  // `a`.
  template <class S> TRACECODEC_INLINE static constexpr errc prepare(S& s, evaluated& a) noexcept {
    return B::prepare(s, a);
  }
  // Does the same for an item whose size depends on its offset in the record.
  template <class S>
  static constexpr errc prepare_at(S& s, evaluated& a, item_offset at) noexcept requires absolute {
    return B::prepare_at(s, a, at);
  }
  template <class S, class Notes>
  TRACECODEC_INLINE static constexpr extent_type written(const S& s, const evaluated& a,
                                                         extent_type at, Notes& notes) noexcept {
    const extent_type n = B::written(s, a, at, notes);
    if constexpr (Notes::wanted)
      notes.template item<B>(static_cast<std::size_t>(at), static_cast<std::size_t>(at + n));
    return n;
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p,
                                                                    const evaluated& a,
                                                                    const byte* begin) noexcept {
    return B::store(s, p, a, begin);
  }
  // Returns the field that prepare() rejected. The item begins at offset `at`.
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    if constexpr (requires { B::unfit(s, at); }) {
      const failure f = B::unfit(s, at);
      if (f.field != nullptr) return f;
    }
    return {at, &B::label};
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    B::walk(s, present, f);
  }
  static constexpr void describe(row_list& list, const layout_row& from) {
    B::describe(list, from);
  }
};

}  // namespace tracecodec::wire::detail
