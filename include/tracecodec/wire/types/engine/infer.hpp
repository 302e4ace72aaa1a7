// From a member's type to the way it lies on the wire, under a record's policy.
#pragma once
#include <concepts>
#include <type_traits>

#include "../array.hpp"
#include "../view.hpp"
#include "scan.hpp"

namespace tracecodec::wire {

// What every wire type offers: its value, its size in bytes, both directions, and what a layout
// table says of it. `object_bytes`: every value is, in memory, the bytes that it is on the wire.
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
// Stands for a type that lies on no wire: the field says so (items.hpp).
template <class M> struct no_wire_type;

// A wire type stands for itself.
template <class M, class Policy> struct infer {
  using type = std::conditional_t<wire_type<M> || scanned_type<M>, M, no_wire_type<M>>;
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
// A member type may say for itself how it lies on the wire, as file_pointer does.
template <class M, class Policy>
requires(!wire_type<M> &&
         requires { typename M::template wire_type<Policy>; }) struct infer<M, Policy> {
  using type = typename M::template wire_type<Policy>;
};
// Any other plain struct is a nested record under the same policy.
template <class M, class Policy>
requires(!wire_type<M> && !scanned_type<M> && std::is_class_v<M> && std::is_aggregate_v<M> &&
         !requires { typename M::template wire_type<Policy>; }) struct infer<M, Policy> {
  using type = record<M, Policy::byte_order, Policy::place, Policy::arch>;
};
}  // namespace detail

// The wire type of `M`: for a plain type by the policy, for a wire type itself.
template <class M, class Policy> using infer_t = typename detail::infer<M, Policy>::type;

}  // namespace tracecodec::wire
