// Positions in REGDUMP of the registers that programs use for computations.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>

#include "../../../x86/registers.hpp"
#include "../../layout/regdump.hpp"
#include "../../layout/registers.hpp"

namespace tracecodec::x64dbg::detail {

// Word of REGDUMP, or part of such a word, that contains bytes of a register.
struct register_part {
  std::uint16_t word = 0;
  std::uint8_t shift = 0;  // position of the lowest bit in the word
  std::uint8_t size = 0;   // size in bytes
  x86::reg which = x86::reg::none;
  std::uint8_t offset = 0;  // byte offset of this part in the register
};
// Parts of the registers that programs use for computations. Each part is listed once, in the order
// of REGDUMP. General registers and flags come first, followed by mxcsr, xmm, the upper halves of
// ymm, and mm. The mm registers contain the mantissas of the x87 stack.
template <target T> struct register_parts {
  static constexpr std::size_t general = T == target::x64 ? 16 : 8, vectors = regdump<T>::vectors;
  static constexpr std::size_t word = sizeof(wire::word_t<T>);
  static constexpr std::size_t first_count = general + 1;
  std::array<register_part, first_count + 1 + (vectors * 32 + 64) / word> all{};
  std::size_t n = 0;
  // True for the words of mxcsr, xmm, ymm and mm. Most instructions leave these words unchanged.
  std::array<bool, register_words<T>> others{};

  constexpr register_parts() {
    using x86::reg;
    using file = regdump<T>;
    constexpr std::array<reg, 8> legacy{reg::rax, reg::rcx, reg::rdx, reg::rbx,
                                        reg::rsp, reg::rbp, reg::rsi, reg::rdi};
    for (std::size_t i = 0; i < general; ++i)
      add(word * i, word, i < 8 ? legacy[i] : x86::row(reg::r8, i - 8));
    add(at<&file::eflags>(), word, reg::flags);
    add(at<&file::mxcsr>(), 4, reg::mxcsr);
    for (std::size_t i = 0; i < vectors; ++i)
      add(at<&file::xmm>() + 16 * i, 16, x86::row(reg::vector0, i));
    for (std::size_t i = 0; i < vectors; ++i)
      add(at<&file::ymm>() + 32 * i + 16, 16, x86::row(reg::vector0, i), 16);
    for (std::size_t i = 0; i < 8; ++i) add(at<&file::mmx>() + 8 * i, 8, x86::row(reg::mmx0, i));
    for (std::size_t i = first_count; i != n; ++i) others[all[i].word] = true;
  }

 private:
  template <auto Member> static constexpr std::size_t at() {
    return regdump_codec<T>::template offset_of<Member>;
  }
  constexpr void add(std::size_t from, std::size_t size, x86::reg r, std::size_t offset = 0) {
    for (std::size_t done = 0; done < size; done += std::min(size, word))
      all[n++] = {static_cast<std::uint16_t>((from + done) / word),
                  static_cast<std::uint8_t>(8 * ((from + done) % word)),
                  static_cast<std::uint8_t>(std::min(size, word)), r,
                  static_cast<std::uint8_t>(offset + done)};
  }
};
template <target T> inline constexpr register_parts<T> parts_of_registers{};

}  // namespace tracecodec::x64dbg::detail
