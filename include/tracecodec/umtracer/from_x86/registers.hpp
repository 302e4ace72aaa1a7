// A context map for traces that are made from other sources: x86's registers under XED's names.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "../../config.hpp"
#include "../../x86/registers.hpp"
#include "../reader/register_numbers.hpp"
#include "../writer/context_writer.hpp"

namespace tracecodec::umtracer {

// A register in one mode: its number, and where it lies in a context.
struct x86_register {
  std::uint16_t id = 0;      // 0: the mode has none such
  std::uint16_t common = 0;  // the common name
  std::uint16_t offset = 0xFFFF;
  std::uint16_t size = 0;  // 0: contexts do not hold it
};

// One map for both modes (11). Numbers are this map's own, from 1; 0 is INVALID. A context has the
// general registers, flags, instruction pointer, segments, DR0 to DR3, DR6, DR7, ST0 to ST7, MMX0
// to MMX7, YMM0 to YMM15, X87CONTROL, X87STATUS, X87TAG and MXCSR, without gaps. All others have a
// name and no place: XMM16 to XMM31, masks, bounds, tiles, control and system registers, FSBASE,
// GSBASE, STACKPUSH, STACKPOP.
//
// Parts lie in the largest one, and are called by the common names that 11.1 gives: AL, AH, EAX,
// RAX are AX, R8D is R8, YMM3 is XMM3. But MMX0 to MMX7 are registers of their own: which of ST0 to
// ST7 one is in depends on the top of the stack.
class x86_register_map {
 public:
  x86_register_map();
  x86_register_map(const x86_register_map&) = delete;
  x86_register_map& operator=(const x86_register_map&) = delete;
  ~x86_register_map();

  // The largest register of the mode that `r` stands for; id 0 if there is none.
  [[nodiscard]] const x86_register& whole(x86::reg r, bool code64) const noexcept {
    return whole_[code64 ? 1 : 0][x86::number(r)];
  }
  // Of one byte: the low part of rax.
  [[nodiscard]] const x86_register& al() const noexcept { return al_; }
  [[nodiscard]] std::uint16_t stack_push() const noexcept { return stack_push_; }
  [[nodiscard]] std::uint16_t stack_pop() const noexcept { return stack_pop_; }
  // FSBASE or GSBASE, for fs or gs.
  [[nodiscard]] std::uint16_t segment_base(x86::reg r) const noexcept {
    return r == x86::reg::fs ? base_of_fs_ : base_of_gs_;
  }

  // Bytes of a context.
  [[nodiscard]] std::uint16_t dump_size() const noexcept { return dump_size_; }
  [[nodiscard]] const std::vector<context_register>& registers() const noexcept { return all_; }
  // The file context_map.itable.
  [[nodiscard]] std::vector<std::byte> file() const { return make_context_map(dump_size_, all_); }

 private:
  // Sizes are 0 in a mode that has no such part.
  struct part {
    std::string name;
    std::uint8_t size32, size64;
    std::uint8_t shift = 0;  // bytes from the largest's first one
  };

  // The parts of a register, the largest first; `common` is the one that names all. Those of a
  // register that `r` is not, reg::none, are not found by it.
  void add(x86::reg r, std::vector<part> parts, std::size_t common = 0);
  std::uint16_t add_name(std::string name, x86::reg r = x86::reg::none);
  void add_names(const std::string& prefix, x86::reg first, std::size_t n);

  void add_general();

  void add_vectors();

  void add_x87();

  void add_system();

  std::deque<std::string> names_ = {};  // stay where they are
  std::vector<context_register> all_ = {};
  std::array<std::array<x86_register, 256>, 2> whole_ = {};  // of 32-bit code, of 64-bit code
  x86_register al_ = {};
  std::uint16_t dump_size_ = 0;
  std::uint16_t stack_push_ = 0, stack_pop_ = 0, base_of_fs_ = 0, base_of_gs_ = 0;
};

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/registers.ipp"
#endif
