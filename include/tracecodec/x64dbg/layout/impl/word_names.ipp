// Implementation of layout/word_names.hpp.
#pragma once
#include <array>
#include <cstddef>
#include <span>

#include "../word_names.hpp"
#include "registers.ipp"

namespace tracecodec::x64dbg {

namespace detail {
template <target T> inline constexpr auto named_words = [] {
  constexpr std::size_t word = sizeof(wire::word_t<T>);
  std::array<wire::text, register_words<T>> all{};
  for (std::size_t k = 0; k < names<T>.n; ++k) {
    const register_name& r = names<T>.all[k];
    const std::size_t first = r.template word<T>(), n = r.size / word;
    if (r.template byte<T>() != 0 || r.size % word != 0) continue;
    for (std::size_t i = 0; i < n; ++i) {
      wire::text& name = all[first + i];
      if (name.length != 0) continue;
      name = r.name;
      if (n != 1) (name += "_") += i;
    }
  }
  for (std::size_t i = 0; i < all.size(); ++i)
    if (all[i].length == 0) (all[i] += "word_") += i;
  return all;
}();
}  // namespace detail

template <target T> std::span<const wire::text, register_words<T>> word_names() noexcept {
  return detail::named_words<T>;
}

#ifdef TRACECODEC_SEPARATE_COMPILATION
template std::span<const wire::text, register_words<target::x86>>
word_names<target::x86>() noexcept;
template std::span<const wire::text, register_words<target::x64>>
word_names<target::x64>() noexcept;
#endif

}  // namespace tracecodec::x64dbg
