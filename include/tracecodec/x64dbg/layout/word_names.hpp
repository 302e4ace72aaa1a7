// Names of the words of REGDUMP.
#pragma once
#include <span>

#include "../../wire/text.hpp"
#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Returns the names of the words of REGDUMP. No two names are equal.
// - A register of one word has its own name, such as "rax".
// - The words of a longer register have names such as "xmm0_0" and "xmm0_1", lowest word first.
// - A word that several smaller registers share, or that contains no register, has a name such as
//   "word_18".
template <target T> std::span<const wire::text, register_words<T>> word_names() noexcept;

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/word_names.ipp"
#endif
