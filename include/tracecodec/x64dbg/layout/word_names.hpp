// Names of the words of REGDUMP.
#pragma once
#include <span>

#include "../../wire/text.hpp"
#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Returns the name of each word of REGDUMP. All names differ:
// - "rax" for a register of one word
// - "xmm0_0", "xmm0_1" for the words of a longer register, lowest first
// - "word_18" for a word that several smaller fields share, or that has none
template <target T> std::span<const wire::text, register_words<T>> word_names() noexcept;

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/word_names.ipp"
#endif
