// What each word of REGDUMP is called.
#pragma once
#include <span>

#include "../../wire/text.hpp"
#include "../layout.hpp"

namespace tracecodec::x64dbg {

// By word: "rax" of a register of one word; "xmm0_0", "xmm0_1" of the words of a longer one, from
// its lowest; "word_18" where several smaller fields, or none, share a word. Names differ from each
// other.
template <target T> std::span<const wire::text, register_words<T>> word_names() noexcept;

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/word_names.ipp"
#endif
