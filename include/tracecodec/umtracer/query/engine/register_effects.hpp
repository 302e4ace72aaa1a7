// Determines the effects of a record on registers, as byte ranges in a context of the
// record's mode.
#pragma once
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../../config.hpp"
#include "../../reader/addresses.hpp"
#include "../../reader/known_bytes.hpp"

namespace tracecodec::umtracer::detail {

// Range of bytes in a context.
struct context_place {
  std::size_t offset = 0, size = 0;
  [[nodiscard]] std::size_t end() const noexcept { return offset + size; }
};

// Registers that require special rules, identified by their names in the trace's context map.
class register_roles {
 public:
  register_roles(const context_map& map, bool code64);

  // Returns the location of register `id`. The size is 0 if the mode does not have the register.
  [[nodiscard]] context_place place(std::uint16_t id) const noexcept;
  // Returns the location of the largest register that contains register `id`. Returns `own`, the
  // location of `id` itself, if the context map does not contain such a register.
  [[nodiscard]] context_place largest(std::uint16_t id, context_place own) const noexcept;
  [[nodiscard]] context_place ip() const noexcept { return ip_; }
  [[nodiscard]] bool is_flags(std::uint16_t id) const noexcept { return id == flags_; }
  // Returns the locations of ST0 to ST7 and MMX0 to MMX7. The contents of these registers move when
  // the x87 stack rotates.
  [[nodiscard]] const std::vector<context_place>& stack() const noexcept { return stack_; }
  // Returns true if an instruction that writes `id` may rotate the x87 stack.
  [[nodiscard]] bool turns_stack(std::uint16_t id) const noexcept;
  [[nodiscard]] bool code64() const noexcept { return code64_; }

 private:
  const context_map* map_;
  bool code64_;
  context_place ip_ = {};
  std::uint16_t flags_ = 0xFFFF;
  std::vector<context_place> stack_ = {};
  std::bitset<context_registers> turns_stack_ = {};
};

// Functions that settle the bytes of a context from records. A settled byte is either known or
// marked as unknown. The caller passes the records in reverse order, beginning with the latest
// record.
class register_effects {
 public:
  register_effects(const reader& trace, const register_roles& roles, settled_bytes& bytes)
      : trace_(&trace), roles_(&roles), bytes_(&bytes) {}

  // Settles the bytes that are determined just after the execution of `r`. These are bytes with
  // values in `r`, and bytes that `r` makes unknown.
  void after(const record_view& r) const;

  // Settles the bytes for which `r` stores the values just before `r`.
  void before(const record_view& r) const;

 private:
  static bool reliable(const record_view& r) noexcept;

  void context(const record_view& r) const;

  void results(const record_view& r) const;

  // Settles the remaining bytes of the largest register that contains a written register. Writes of
  // 8 or 16 bits, and writes to the flags, do not change the remaining bytes. A 32-bit write in
  // 64-bit code clears the upper half if the instruction has decoded_flags::zeroes_high_half. In
  // wider registers, the result depends on the encoding, so the remaining bytes become unknown.
  void rest(const record_view& r, const decoded_instruction& d, const slot& s,
            context_place own) const;

  // Settles the register of slot `i` with the slot's value, truncated to the register's size.
  void apply(const record_view& r, const decoded_instruction& d, std::size_t i) const;

  const reader* trace_;
  const register_roles* roles_;
  settled_bytes* bytes_;
};

}  // namespace tracecodec::umtracer::detail

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "../impl/register_effects.ipp"
#endif
