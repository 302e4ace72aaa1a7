// Byte order that a file states: decided once, so that what is inside stays as fast as if it were
// known.
#pragma once
#include "policy.hpp"

namespace tracecodec::wire {

// f.template operator()<order::big>() or <order::little>(), as `o` says:
//   in_order(o, [&]<wire::order O>() { return decode_all<O>(bytes); });
template <class F> constexpr decltype(auto) in_order(order o, F&& f) {
  if (o == order::big) return f.template operator()<order::big>();
  return f.template operator()<order::little>();
}

// The same with the target, whose pointers are of 4 or 8 bytes:
//   in_order_and_target(o, t, [&]<wire::order O, wire::target T>() { ... });
template <class F> constexpr decltype(auto) in_order_and_target(order o, target t, F&& f) {
  return in_order(o, [&]<order O>() -> decltype(auto) {
    if (t == target::x86) return f.template operator()<O, target::x86>();
    return f.template operator()<O, target::x64>();
  });
}

}  // namespace tracecodec::wire
