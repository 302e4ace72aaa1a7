// Implementation of trace/layouts.hpp.
#pragma once
#include <span>

#include "../formats.hpp"
#include "../layouts.hpp"

namespace tracecodec::trace {

TRACECODEC_FUNC std::span<const format::layout> layouts_of(const format::facts& f, bool narrow) {
  std::span<const format::layout> all;
  formats::with(f, [&]<class D>() { all = D::layouts(narrow); });
  return all;
}

TRACECODEC_FUNC bool is_narrow(source from) {
  bool narrow = false;
  formats::with(from.format(), [&]<class D>() {
    if constexpr (format::with_narrow_layouts<D>) narrow = D::is_narrow(from.take());
  });
  return narrow;
}

}  // namespace tracecodec::trace
