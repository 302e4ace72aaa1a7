// Named fields of each word of REGDUMP.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Field of a word. The value of the field is the word shifted right by `shift` and then masked with
// `mask`.
struct word_field {
  std::string_view name = {};
  unsigned shift = 0;  // number of bits
  std::uint64_t mask = 0;
};

// Returns the fields of each word:
// - A word that is an entire register has one field, such as "rax".
// - A word of a longer register has one field, such as "xmm0_0" for the lowest word of xmm0.
// - A word that several registers share has a field for each register, such as "cs" or "cf".
//
// If a shared word also contains bytes that are neither part of a register nor padding, the entire
// word is also a field, such as "word_39".
template <target T> const std::array<std::span<const word_field>, register_words<T>>& word_fields();

// Calls f(name, value) for each field of word `w`. `v` is the value of the word.
template <target T, class F> TRACECODEC_INLINE void for_each_field(
    const std::array<std::span<const word_field>, register_words<T>>& fields, std::size_t w,
    std::uint64_t v, F&& f) {
  for (const word_field& field : fields[w]) f(field.name, v >> field.shift & field.mask);
}

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/word_fields.ipp"
#endif
