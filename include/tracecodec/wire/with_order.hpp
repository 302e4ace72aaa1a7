// Dispatches on a byte order that is known only at run time. The only branch is outside `f`, so the
// code in `f` is as fast as with an order fixed at compile time.
#pragma once
#include "policy.hpp"

namespace tracecodec::wire {

// Calls f.template operator()<order::big>() or f.template operator()<order::little>(), according to
// `o`:
//   with_order(o, [&]<wire::order O>() { return decode_all<O>(bytes); });
template <class F> constexpr decltype(auto) with_order(order o, F&& f) {
  if (o == order::big) return f.template operator()<order::big>();
  return f.template operator()<order::little>();
}

// Calls `f` with the byte order and the target. Pointers have 4 bytes for target::x86 and 8 for
// target::x64:
//   with_order_and_target(o, t, [&]<wire::order O, wire::target T>() { ... });
template <class F> constexpr decltype(auto) with_order_and_target(order o, target t, F&& f) {
  return with_order(o, [&]<order O>() -> decltype(auto) {
    if (t == target::x86) return f.template operator()<O, target::x86>();
    return f.template operator()<O, target::x64>();
  });
}

}  // namespace tracecodec::wire
