// What each word of REGDUMP is called.
#pragma once
#include <array>
#include <cstddef>

#include "registers.hpp"

namespace tracecodec::x64dbg {

// By word: "rax" of a register of one word; "xmm0_0", "xmm0_1" of the words of a longer one, from
// its lowest; "word_18" where several smaller fields, or none, share a word. Names differ from each
// other.
template <target T> inline constexpr auto word_names = [] {
  constexpr std::size_t word = sizeof(wire::word_t<T>);
  std::array<wire::text, register_words<T>> all{};
  for (const register_name& r : register_names<T>()) {
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

}  // namespace tracecodec::x64dbg
