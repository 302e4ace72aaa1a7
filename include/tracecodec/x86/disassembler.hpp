// Concept of a disassembler. x86/zydis.hpp contains a disassembler that models the concept. Any
// other model can be used instead.
#pragma once
#include <concepts>
#include <cstddef>
#include <span>

#include "../wire/policy.hpp"
#include "instruction.hpp"

namespace tracecodec::x86 {

using wire::target;

// Disassembler of x86 code.
// decode(code)   returns the instruction at the front of `code`, which may contain more bytes.
//                The result has length 0 if the bytes are unknown, invalid or truncated. Does not
//                throw.
// mode()         returns target::x64 for 64-bit code, target::x86 for 32-bit code
template <class D>
concept disassembler = requires(D& d, std::span<const std::byte> code) {
  { d.decode(code) } -> std::convertible_to<const instruction&>;
  { d.mode() } -> std::convertible_to<target>;
  requires noexcept(d.decode(code));
};

}  // namespace tracecodec::x86
