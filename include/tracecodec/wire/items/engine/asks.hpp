// Whether counts and conditions ask only what was read before them. A member says so by its name.
// Into a function the compiler looks by asking it about records that differ in nothing but members
// which are not read yet: the answer must be the same. What it cannot evaluate it cannot tell;
// then decode asks once, before the section is read.
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <string_view>
#include <type_traits>
#include <utility>

#include "../../types/engine/infer.hpp"

namespace tracecodec::wire::detail {

// `Ask` is &S::member, &S::function, anything callable with a record, or a number.
template <auto Ask, class S> TRACECODEC_INLINE constexpr auto ask(const S& s) noexcept {
  if constexpr (std::is_member_object_pointer_v<decltype(Ask)>)
    return s.*Ask;
  else if constexpr (std::is_integral_v<decltype(Ask)>)
    return Ask;
  else if constexpr (std::is_member_function_pointer_v<decltype(Ask)>)
    return (s.*Ask)();
  else {
    // A copy: clang 19 gives a parameter object of a local type a symbol that does not link.
    constexpr auto asked = Ask;
    return asked(s);
  }
}

// How often `Item` gives a member a value: not, if that has no bytes.
template <class Item> consteval int loads(std::string_view member) {
  if constexpr (requires { Item::loads(member); })
    return Item::loads(member);
  else
    return Item::mentions(member);
}

// Whether `Item` is a member whose type says how it lies on the wire.
template <class Item> consteval bool is_plain(std::string_view member) {
  if constexpr (requires { Item::plain(member); })
    return Item::plain(member);
  else
    return false;
}

// Whether `Item` is a member that the caller sets before decode.
template <class Item> consteval bool gives(std::string_view member) {
  if constexpr (requires { Item::gives(member); })
    return Item::gives(member);
  else
    return false;
}

// Where in a record of type S something is asked: behind `Earlier`, before `Unread`. (The first
// of `Unread` is the section that asks.)
template <class... Sections> struct section_list {};
template <class S, class Policy, class Earlier, class Unread> struct place;
template <class S, class Policy, class... Earlier, class... Unread>
struct place<S, Policy, section_list<Earlier...>, section_list<Unread...>> {
  using record = S;
  static consteval bool earlier(std::string_view member) {
    return (Earlier::mentions(member) + ... + 0) != 0 || (gives<Unread>(member) || ...);
  }
  static consteval bool unread(std::string_view member) {
    return (detail::loads<Unread>(member) + ... + 0) != 0;
  }
  static consteval bool plain(std::string_view member) {
    return (is_plain<Earlier>(member) || ...) || (is_plain<Unread>(member) || ...);
  }
};

// Bytes for views to look at.
inline constexpr auto sample_bytes = [] {
  std::array<byte, 1024> all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<byte>(i * 37 & 0xff);
  return all;
}();

template <class M> inline constexpr bool is_view = false;
template <class W> inline constexpr bool is_view<array_view<W>> = true;

// As a file_pointer does.
template <class M>
concept says_wire_type = wire_type<M> || requires {
  typename M::template wire_type<policy<order::little, placement::packed, target::x64>>;
};

// Gives a member one of many values: `v`, `v` bytes of a small array, an array of `v`; a struct's
// members if it is `Plain`, that is a nested record by its type, or else each of its bytes.
template <bool Plain, class M> constexpr void vary(M& m, std::uint64_t v);
template <class M, std::size_t... I>
constexpr void vary_members(M& m, std::uint64_t v, std::index_sequence<I...>) {
  (vary<true>(member_at<I>(m), v), ...);
}
template <bool Plain, class M> constexpr void vary(M& m, std::uint64_t v) {
  if constexpr (std::is_enum_v<M>) {
    // (Others than those hold only what their enumerators span.)
    if constexpr (requires { M{integer_t<M>{}}; }) m = static_cast<M>(static_cast<integer_t<M>>(v));
  } else if constexpr (std::is_same_v<M, bool>) {
    m = (v & 1) != 0;
  } else if constexpr (std::is_arithmetic_v<M>) {
    m = static_cast<M>(v);
  } else if constexpr (is_view<M>) {
    if constexpr (3 * M::codec::size + 8 <= sample_bytes.size())
      m = v == 0 ? M() : M(sample_bytes.data() + v % 8, static_cast<std::size_t>(1 + v % 3));
  } else if constexpr (requires { typename M::codec; }) {
    // A strided_view or a list_view stays empty: a pointer is made of no bytes here.
  } else if constexpr (is_std_array<M>) {
    auto* const p = m.data();  // (for a compiler, operator[] is one call more for each)
    for (std::size_t i = 0; i < m.size() && i < 16; ++i) vary<Plain>(p[i], v);
  } else if constexpr (Plain && std::is_aggregate_v<M> && !says_wire_type<M>) {
    vary_members(m, v, std::make_index_sequence<member_count<M>>{});
  } else if constexpr (std::is_trivially_copyable_v<M> && sizeof(M) <= 256) {
    std::array<byte, sizeof(M)> all{};
    for (byte& b : all) b = static_cast<byte>(v & 0xff);
    m = std::bit_cast<M>(all);
  }
}

// Of each member of a record, by its index.
template <std::size_t N> struct member_flags { bool of[N == 0 ? 1 : N]{}; };
// Gives values to the members of records of type S, of which `Plain` are plain.
template <class S, member_flags<member_count<S>> Plain> struct member_values {
  using all = std::make_index_sequence<member_count<S>>;
  // To those whose flag is `is`; with `spread` each its own.
  template <std::size_t... I> static constexpr void set(S& to, const bool* flags, bool is,
                                                        std::uint64_t v, bool spread,
                                                        std::index_sequence<I...>) {
    ((flags[I] == is ? vary<Plain.of[I]>(member_at<I>(to), spread ? v + I : v) : void()), ...);
  }
  // Whether vary() knows of no other values than those below `values_of_views`.
  template <std::size_t... I>
  static consteval bool are_views(const bool* flags, std::index_sequence<I...>) {
    return (
        (!flags[I] || is_view<member_type<S, I>> || std::is_same_v<member_type<S, I>, bool>)&&...);
  }
};
inline constexpr std::uint64_t values_of_views = 2 + 24;

// What is known at `Place`: which members are not read yet.
template <class Place> struct reading {
  using record = typename Place::record;
  using flags = member_flags<member_count<record>>;
  template <std::size_t... I> static consteval flags which_unread(std::index_sequence<I...>) {
    return {{Place::unread(member_name<record, I>)...}};
  }
  template <std::size_t... I> static consteval flags which_plain(std::index_sequence<I...>) {
    return {{Place::plain(member_name<record, I>)...}};
  }
  using all = std::make_index_sequence<member_count<record>>;
  static constexpr flags unread = which_unread(all{});
  using values = member_values<record, which_plain(all{})>;
  // All values of a byte where few members are not read yet; some, where each value takes long.
  static constexpr std::uint64_t step = [] {
    std::size_t n = 0;
    for (const bool is : unread.of) n += is;
    return n <= 4 ? 1 : 17;
  }();
  static constexpr bool views = values::are_views(unread.of, typename values::all{});
};

// Whether the answer about members with values by `read` varies with members that are not read yet,
// which get small values, or many. (Values of their own for each search: some functions can be
// evaluated only where a view is not empty, or where a bool is 0 or 1.)
template <auto Ask, class Place> constexpr bool answer_varies(std::uint64_t read, bool many) {
  using at = reading<Place>;
  using values = typename at::values;
  typename at::record s{};
  const auto answer = [&](std::uint64_t v) {
    values::set(s, at::unread.of, true, v, v > 1, typename values::all{});
    const auto a = detail::ask<Ask>(s);
    if constexpr (std::is_arithmetic_v<decltype(a)> || std::is_enum_v<decltype(a)>)
      return a;
    else
      return static_cast<bool>(a);
  };
  values::set(s, at::unread.of, false, read, false, typename values::all{});
  const auto first = answer(1);
  if (!many) return answer(0) != first;
  for (std::uint64_t v = 2; v < (at::views ? values_of_views : 256); v += at::step)
    if (answer(v) != first) return true;
  for (unsigned bit = at::views ? 64 : 8; bit < 64; ++bit)
    if (answer(std::uint64_t{1} << bit) != first) return true;
  return answer(~std::uint64_t{0}) != first;
}
template <auto Ask, class Place, std::uint64_t Read, bool Many>
constexpr std::bool_constant<answer_varies<Ask, Place>(Read, Many)> found(int) {
  return {};
}
template <auto Ask, class Place, std::uint64_t Read, bool Many>
constexpr std::false_type found(...) {  // it cannot tell
  return {};
}

template <auto Ask, class Place, std::uint64_t Read, bool... Many> consteval bool varies() {
  return (decltype(found<Ask, Place, Read, Many>(0))::value || ...);
}

// Whether `Ask`, as far as the compiler can tell, asks earlier sections only.
template <auto Ask, class Place> consteval bool is_earlier() {
  if constexpr (std::is_member_object_pointer_v<decltype(Ask)>)
    return Place::earlier(name_of<Ask>);
  else if constexpr (std::is_integral_v<decltype(Ask)>)
    return true;
  else if constexpr (requires { decltype(Ask)::template asks_earlier<Place>(); })
    return decltype(Ask)::template asks_earlier<Place>();
  else if constexpr (std::is_default_constructible_v<typename Place::record>)
    return !varies<Ask, Place, 1, false, true>() && !varies<Ask, Place, 0, false, true>() &&
           !varies<Ask, Place, 255, false>();
  else
    return true;
}

// Whether `Ask`, or what `Item` asks, may be of what the items of section `Open` read. (Into a
// function nobody looks here: it may.)
template <auto Ask, class Open> consteval bool asks_of() {
  if constexpr (std::is_member_object_pointer_v<decltype(Ask)>)
    return Open::loads(name_of<Ask>) != 0;
  else
    return !std::is_integral_v<decltype(Ask)>;
}
template <class Item, class Open> consteval bool item_asks_of() {
  if constexpr (requires { Item::template asks_of<Open>(); })
    return Item::template asks_of<Open>();
  else
    return false;
}

// Whether all that `Item` asks is.
template <class Item, class Place> consteval bool asks_earlier() {
  if constexpr (requires { Item::template asks_earlier<Place>(); })
    return Item::template asks_earlier<Place>();
  else
    return true;
}

}  // namespace tracecodec::wire::detail
