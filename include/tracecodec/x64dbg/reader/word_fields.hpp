// Named fields of each word of REGDUMP.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Register that lies in a word with others: its value is the word shifted right by `shift` and
// masked with `mask`.
struct word_field {
  std::string_view name = {};
  unsigned shift = 0;  // in bits
  std::uint64_t mask = 0;
};

// Returns the fields of each word:
// - "rax" for a register of one word
// - "xmm0_0", "xmm0_1" for the words of a longer register, lowest first
// - "cs", "cf" and so on for the registers that share a word
//
// If some bytes of a shared word belong to no register, the word itself is one
// more field, "word_39".
template <target T> const std::array<std::span<const word_field>, register_words<T>>& word_fields();

// Calls f(name, value) for each field of word `w`, whose value is `v`.
template <target T, class F> TRACECODEC_INLINE void for_each_field(
    const std::array<std::span<const word_field>, register_words<T>>& fields, std::size_t w,
    std::uint64_t v, F&& f) {
  for (const word_field& field : fields[w]) f(field.name, v >> field.shift & field.mask);
}

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/word_fields.ipp"
#endif
