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

  // What absent items would ask is not asked.
  struct answer {
    typename Inside::answer inside;
    bool present;
  };
  template <class S> TRACECODEC_INLINE static constexpr answer ask(const S& s) noexcept {
    if constexpr (Inside::fixed)
      return {{}, static_cast<bool>(detail::ask<Pred>(s))};
    else
      return detail::ask<Pred>(s) ? answer{Inside::ask(s), true} : answer{};
  }
  TRACECODEC_INLINE static constexpr extent_type extent(const answer& a) noexcept {
    return a.present ? Inside::extent(a.inside) : 0;
  }
  template <class S> TRACECODEC_INLINE static constexpr extent_type written(const S& s) noexcept {
    return detail::ask<Pred>(s) ? Inside::written(s) : 0;
  }
  template <class S> TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p,
                                                                         const answer& a) noexcept {
    return a.present ? Inside::load(s, p, a.inside) : p;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr byte* store(const S& s, byte* p, const answer& a) noexcept {
    return a.present ? Inside::store(s, p, a.inside) : p;
  }
  template <class S>
  TRACECODEC_INLINE static constexpr errc check(const S& s, const answer& a) noexcept {
    return a.present ? Inside::check(s, a.inside) : errc::ok;
  }
  // Asked only of items that are present.
  template <class S>
  static constexpr failure unfit(const S& s, std::size_t at, const answer& a) noexcept {
    return Inside::unfit(s, at, a.inside);
  }
  static constexpr failure cut(std::size_t at, std::size_t room, const answer& a) noexcept {
    return Inside::cut(at, room, a.inside);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    Inside::walk(s, present && detail::ask<Pred>(s), f);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.conditional = true;
    Inside::describe(list, r);
  }
};
}  // namespace detail

// `Items`, present only if `Pred` (&S::member, &S::function or a callable) holds for what was read
// before their section. It is asked once, as a count is. When they are absent, decode leaves their members as they were.
template <auto Pred, class... Items> struct when {
  using owner = detail::first_owner<typename Items::owner...>;
  template <class Policy> using bind = detail::bound_when<
      Pred, detail::bound_section<Policy::place, typename Items::template bind<Policy>...>>;
  static consteval int mentions(std::string_view member) { return (Items::mentions(member) + ...); }
  static consteval int loads(std::string_view member) {
    return (detail::loads<Items>(member) + ...);
  }
  static consteval bool plain(std::string_view member) {
    return (detail::is_plain<Items>(member) || ...);
  }
  template <class Place> static consteval bool asks_earlier() {
    return detail::is_earlier<Pred, Place>() && (detail::asks_earlier<Items, Place>() && ...);
  }
};

}  // namespace tracecodec::wire
