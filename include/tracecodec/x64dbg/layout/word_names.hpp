// Names of the words of REGDUMP.
#pragma once
#include <span>

#include "../../wire/text.hpp"
#include "../layout.hpp"

namespace tracecodec::x64dbg {

// Returns the names of the words of REGDUMP. All names are different.
// - A word that is an entire register has the register's name, such as "rax".
// - The words of a longer register have names such as "xmm0_0" and "xmm0_1", starting with the
//   lowest word.
// - A word that several smaller registers share, or that does not contain a register, has a name
//   such as "word_18".
template <target T> std::span<const wire::text, register_words<T>> word_names() noexcept;

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/word_names.ipp"
#endif
