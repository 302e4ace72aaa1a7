// Conditional items: present only if a predicate on the record holds.
#pragma once
#include "section.hpp"

namespace tracecodec::wire {

namespace detail {
// `Inside` is the bound section of the items under the condition.
template <auto Pred, class Inside> struct bound_when {
  static constexpr bool fixed = false;
  static constexpr std::string_view label = Inside::labels.front();
  template <auto M> static constexpr bool has = false;

  template <class S> TRACECODEC_INLINE static constexpr extent_type extent(const S& s) noexcept {
    return ask<Pred>(s) ? Inside::extent(s) : 0;
  }
  template <class S> TRACECODEC_INLINE static constexpr extent_type written(const S& s) noexcept {
    return ask<Pred>(s) ? Inside::written(s) : 0;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p) noexcept {
    return ask<Pred>(s) ? Inside::load(s, p, static_cast<std::size_t>(Inside::extent(s))) : p;
  }
  template <class S> TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p) noexcept {
    return ask<Pred>(s) ? Inside::store(s, p) : p;
  }
  template <class S> TRACECODEC_INLINE static constexpr errc check(const S& s) noexcept {
    return ask<Pred>(s) ? Inside::check(s) : errc::ok;
  }
  // Asked only of items that are present.
  template <class S> static constexpr failure unfit(const S& s, std::size_t at) noexcept {
    return Inside::unfit(s, at);
  }
  template <class S>
  static constexpr failure cut_reading(const S& s, std::size_t at, std::size_t room) noexcept {
    return Inside::cut_reading(s, at, room);
  }
  template <class S>
  static constexpr failure cut_writing(const S& s, std::size_t at, std::size_t room) noexcept {
    return Inside::cut_writing(s, at, room);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    Inside::walk(s, present && ask<Pred>(s), f);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.conditional = true;
    Inside::describe(list, r);
  }
};
}  // namespace detail

// `Items`, present only if `Pred` (&S::member, &S::function or a callable) holds for what was read
// before their section. When they are absent, decode leaves their members as they were.
template <auto Pred, class... Items> struct when {
  using owner = detail::first_owner<typename Items::owner...>;
  template <class Policy> using bind = detail::bound_when<
      Pred, detail::bound_section<Policy::place, typename Items::template bind<Policy>...>>;
  static consteval int mentions(std::string_view member) { return (Items::mentions(member) + ...); }
  template <class... Earlier> static consteval bool asks_earlier() {
    return detail::is_earlier<Pred, Earlier...>() &&
           (detail::asks_earlier<Items, Earlier...>() && ...);
  }
};

}  // namespace tracecodec::wire
