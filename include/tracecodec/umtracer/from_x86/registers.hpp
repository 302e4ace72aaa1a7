// Context map for traces that are converted from other sources. The map contains the registers of
// x86 with XED's names.
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

// Register in one mode: its number, and its location in a context. `id` is 0 if the mode does not
// have the register. `size` is 0 if contexts do not contain the register.
struct x86_register {
  std::uint16_t id = 0;
  std::uint16_t common = 0;  // id of the common name
  std::uint16_t offset = 0xFFFF;
  std::uint16_t size = 0;
};

// Context map for both modes (UMTracer specification, 11). The numbers are specific to this map and
// begin at 1, because 0 is INVALID. A context contains the following registers, without gaps:
// - general registers, flags, instruction pointer, segments
// - DR0 to DR3, DR6, DR7
// - ST0 to ST7, MMX0 to MMX7, X87CONTROL, X87STATUS, X87TAG
// - YMM0 to YMM15, MXCSR
//
// The other registers have a name but no location: XMM16 to XMM31, masks, bounds, tiles, control
// and system registers, FSBASE, GSBASE, STACKPUSH, STACKPOP.
//
// The entry of a partial register refers to the largest register that contains the partial
// register. The common names are defined in the specification (11.1). For example, AX is the common
// name of AL, AH, EAX and RAX, R8 of R8D, and XMM3 of YMM3. MMX0 to MMX7 are separate registers,
// because the top of the x87 stack determines which of ST0 to ST7 contains each MMX register.
class x86_register_map {
 public:
  x86_register_map();
  x86_register_map(const x86_register_map&) = delete;
  x86_register_map& operator=(const x86_register_map&) = delete;
  ~x86_register_map();

  // Returns the largest register that contains `r` in the mode. The result's id is 0 if the mode
  // does not have `r`.
  [[nodiscard]] const x86_register& whole(x86::reg r, bool code64) const noexcept {
    return whole_[code64 ? 1 : 0][x86::number(r)];
  }
  // Returns the register al, which is the low byte of rax.
  [[nodiscard]] const x86_register& al() const noexcept { return al_; }
  [[nodiscard]] std::uint16_t stack_push() const noexcept { return stack_push_; }
  [[nodiscard]] std::uint16_t stack_pop() const noexcept { return stack_pop_; }
  // Returns the number of FSBASE if `r` is fs, or of GSBASE if `r` is gs.
  [[nodiscard]] std::uint16_t segment_base(x86::reg r) const noexcept {
    return r == x86::reg::fs ? base_of_fs_ : base_of_gs_;
  }

  // Returns the size of a context in bytes.
  [[nodiscard]] std::uint16_t dump_size() const noexcept { return dump_size_; }
  [[nodiscard]] const std::vector<context_register>& registers() const noexcept { return all_; }
  // Returns the contents of context_map.itable.
  [[nodiscard]] std::vector<std::byte> file() const { return make_context_map(dump_size_, all_); }

 private:
  // Part of a register. `size32` or `size64` is 0 if the mode does not have the part.
  struct part {
    std::string name;
    std::uint8_t size32, size64;
    std::uint8_t shift = 0;  // offset in bytes from the start of the largest part
  };

  // Adds a register that consists of `parts`, which must begin with the largest part. `common` is
  // the index of the part that provides the common name. If `r` is reg::none, whole() does not find
  // the register.
  void add(x86::reg r, std::vector<part> parts, std::size_t common = 0);
  std::uint16_t add_name(std::string name, x86::reg r = x86::reg::none);
  void add_names(const std::string& prefix, x86::reg first, std::size_t n);

  void add_general();

  void add_vectors();

  void add_x87();

  void add_system();

  // Use a deque, which never moves its elements, because context_register::name points to an
  // element.
  std::deque<std::string> names_ = {};
  std::vector<context_register> all_ = {};
  // One array for 32-bit code, and one array for 64-bit code.
  std::array<std::array<x86_register, 256>, 2> whole_ = {};
  x86_register al_ = {};
  std::uint16_t dump_size_ = 0;
  std::uint16_t stack_push_ = 0, stack_pop_ = 0, base_of_fs_ = 0, base_of_gs_ = 0;
};

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/registers.ipp"
#endif
