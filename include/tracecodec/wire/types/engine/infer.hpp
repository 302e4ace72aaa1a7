// Maps a member's type to its wire type, under a record's policy.
#pragma once
#include <concepts>
#include <type_traits>

#include "../array.hpp"
#include "../view.hpp"
#include "scan.hpp"

namespace tracecodec::wire {

// Wire type. It provides its value type, its size in bytes, load(), store(), and its entry in a
// layout table. `object_bytes` is true if every value has the same bytes in memory and on the wire.
template <class W>
concept wire_type = requires(const byte* in, byte* out, const typename W::value_type& v) {
  { W::size } -> std::convertible_to<std::size_t>;
  { W::alignment } -> std::convertible_to<std::size_t>;
  { W::load(in) } -> std::same_as<typename W::value_type>;
  W::store(v, out);
  { W::fits(v) } -> std::same_as<bool>;
  { W::object_bytes } -> std::convertible_to<bool>;
  { W::byte_order } -> std::convertible_to<order>;
  { W::has_order } -> std::convertible_to<bool>;
  { W::type_name() } -> std::same_as<text>;
};

template <class S, order O, placement P, target T> struct record;

namespace detail {
// Placeholder for a type without a wire type. bound_field (items.hpp) reports the error.
template <class M> struct no_wire_type;

// Mapping of a wire type to itself.
template <class M, class Policy> struct infer {
  using type = std::conditional_t<wire_type<M> || variable_length_type<M>, M, no_wire_type<M>>;
};

template <scalar_value M, class Policy> struct infer<M, Policy> {
  using type = scalar<M, Policy::byte_order>;
};
template <class Policy> struct infer<word, Policy> {
  using type = scalar<word_t<Policy::arch>, Policy::byte_order>;
};
template <class Element, std::size_t N> struct array_type { using type = array_of<Element, N>; };
template <class M, std::size_t N> struct array_type<no_wire_type<M>, N> {
  using type = no_wire_type<std::array<M, N>>;
};
template <class M, std::size_t N, class Policy> struct infer<std::array<M, N>, Policy>
    : array_type<typename infer<M, Policy>::type, N> {};
// A member's type may define its own wire type, for example file_pointer.
template <class M, class Policy>
requires(!wire_type<M> &&
         requires { typename M::template wire_type<Policy>; }) struct infer<M, Policy> {
  using type = typename M::template wire_type<Policy>;
};
// Any other plain struct is a nested record under the same policy.
template <class M, class Policy>
requires(!wire_type<M> && !variable_length_type<M> && std::is_class_v<M> &&
         std::is_aggregate_v<M> &&
         !requires { typename M::template wire_type<Policy>; }) struct infer<M, Policy> {
  using type = record<M, Policy::byte_order, Policy::place, Policy::arch>;
};
}  // namespace detail

// Wire type of `M`. The policy determines the wire type of a plain type. If `M` is a wire type, the
// result is `M`.
template <class M, class Policy> using infer_t = typename detail::infer<M, Policy>::type;

}  // namespace tracecodec::wire
