// The engine under wire::record: decode, encode, walk and describe over a list of bound sections.
#pragma once
#include <cstddef>
#include <span>
#include <type_traits>

#include "section.hpp"

namespace tracecodec::wire::detail {

// `X` are bound sections, in wire order. What they do to a record is documented at wire::record.
template <class... X> struct bound_sections {
  template <class S>
  TRACECODEC_INLINE static constexpr result decode(std::span<const byte> in, S& s) noexcept {
    const byte* p = in.data();
    std::size_t left = in.size();
    std::size_t section = 0;
    const auto take = [&]<class Y>(std::type_identity<Y>) __attribute__((always_inline)) {
      const auto a = Y::ask(s);
      const extent_type n = Y::extent(a);
      if (left < n) return false;
      p = Y::load(s, p, a);
      left -= static_cast<std::size_t>(n);
      ++section;
      return true;
    };
    if (!(take(std::type_identity<X>{}) && ...)) [[unlikely]]
      return truncated(s, section, in.size() - left, left);
    return {in.size() - left};
  }

  template <class S>
  TRACECODEC_INLINE static constexpr result encode(const S& s, std::span<byte> out) noexcept {
    answer a{};
    if (const errc e = check(s, a, indices{}); e != errc::ok) [[unlikely]]
      return refused(s, e);
    const extent_type n = extent(a, indices{});
    if (out.size() < n) [[unlikely]]
      return no_space(s, out.size());
    store(s, out.data(), a, indices{});
    return {static_cast<std::size_t>(n)};
  }

  template <class S> TRACECODEC_INLINE static constexpr extent_type written(const S& s) noexcept {
    return (X::written(s) + ...);
  }
  template <class S> TRACECODEC_INLINE static constexpr errc check(const S& s) noexcept {
    answer a{};
    return check(s, a, indices{});
  }
  template <class S, class F>
  TRACECODEC_INLINE static constexpr void walk(S& s, F& f, bool present = true) {
    (X::walk(s, present, f), ...);
  }

  static constexpr void describe(row_list& list, layout_row r) {
    const auto one = [&]<class Y>(std::type_identity<Y>) {
      Y::describe(list, r);
      if constexpr (Y::fixed) {
        r.offset += Y::size;
      } else {
        r.floats = true;
        r.offset = 0;
      }
    };
    (one(std::type_identity<X>{}), ...);
  }

  // The ways to fail. The search for the field is kept out of line and is pure: a caller that does
  // not look at the field does not search. That it is an error is said here, where the compiler
  // sees it, so that the caller's test folds away (a ChampSim record on clang: 11 instructions
  // instead of 20).
  template <class S>
  TRACECODEC_INLINE static constexpr result truncated(const S& s, std::size_t section,
                                                      std::size_t used, std::size_t left) noexcept {
    const failure f = cut_reading(s, section, used, left);
    return {f.used, errc::truncated, *f.field};
  }
  template <class S>
  TRACECODEC_INLINE static constexpr result no_space(const S& s, std::size_t room) noexcept {
    const failure f = cut_writing(s, room);
    return {f.used, errc::no_space, *f.field};
  }
  // `why` is what check() gave.
  template <class S>
  TRACECODEC_INLINE static constexpr result refused(const S& s, errc why) noexcept {
    const failure f = unfit(s);
    return {f.used, why, *f.field};
  }

 private:
  using indices = std::index_sequence_for<X...>;
  using answer = answers_of<indices, X...>;

  // A section is asked when those before it are found good: what a count looks at is there.
  template <class S, std::size_t... I>
  TRACECODEC_INLINE static constexpr errc check(const S& s, answer& a,
                                                std::index_sequence<I...>) noexcept {
    errc e = errc::ok;
    static_cast<void>(
        ((answer_at<I>(a) = X::ask(s), (e = X::check(s, answer_at<I>(a))) == errc::ok) && ...));
    return e;
  }
  template <std::size_t... I>
  TRACECODEC_INLINE static constexpr extent_type extent(const answer& a,
                                                        std::index_sequence<I...>) noexcept {
    return (X::extent(answer_at<I>(a)) + ...);
  }
  template <class S, std::size_t... I>
  TRACECODEC_INLINE static constexpr void store(const S& s, byte* p, const answer& a,
                                                std::index_sequence<I...>) noexcept {
    ((p = X::store(s, p, answer_at<I>(a))), ...);
  }

  // The field whose value does not fit.
  template <class S>
  [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr failure unfit(const S& s) noexcept {
    failure r{};
    std::size_t at = 0;
    const auto one = [&]<class Y>(std::type_identity<Y>) {
      const auto a = Y::ask(s);
      r = Y::unfit(s, at, a);
      at += static_cast<std::size_t>(Y::extent(a));
      return r.field == nullptr;
    };
    static_cast<void>((one(std::type_identity<X>{}) && ...));
    return named(r);
  }
  // The field in which the input ends: `used` bytes went to the sections before section `section`,
  // `left` did not suffice for that.
  template <class S> [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr failure cut_reading(
      const S& s, std::size_t section, std::size_t used, std::size_t left) noexcept {
    failure r{};
    std::size_t i = 0;
    const auto one = [&]<class Y>(std::type_identity<Y>) {
      if (i++ == section) r = Y::cut(used, left, Y::ask(s));
    };
    (one(std::type_identity<X>{}), ...);
    return r;
  }
  // The field in which `room` bytes of output end.
  template <class S> [[gnu::cold, gnu::noinline, gnu::pure]] static constexpr failure cut_writing(
      const S& s, std::size_t room) noexcept {
    failure r{};
    std::size_t at = 0;
    const auto one = [&]<class Y>(std::type_identity<Y>) {
      const auto a = Y::ask(s);
      const extent_type n = Y::extent(a);
      if (n <= room - at) {
        at += static_cast<std::size_t>(n);
        return true;
      }
      r = Y::cut(at, room - at, a);
      return false;
    };
    static_cast<void>((one(std::type_identity<X>{}) && ...));
    return named(r);
  }
  static constexpr std::array<std::string_view, sizeof...(X)> first_labels{X::labels.front()...};
  // A search asks once more. If a count or a condition answers otherwise by then, and nothing is
  // found, the first field is named.
  static constexpr failure named(const failure& r) noexcept {
    return r.field != nullptr ? r : failure{0, first_labels.data()};
  }
};

}  // namespace tracecodec::wire::detail
