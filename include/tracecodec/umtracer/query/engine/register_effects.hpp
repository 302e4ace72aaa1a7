// What a record tells of registers, as places in a context of its mode.
#pragma once
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "../../../config.hpp"
#include "../../reader/addresses.hpp"
#include "../../reader/known_bytes.hpp"

namespace tracecodec::umtracer::detail {

// Bytes of a context.
struct context_place {
  std::size_t offset = 0, size = 0;
  [[nodiscard]] std::size_t end() const noexcept { return offset + size; }
};

// The registers that have a part in the rules, found by their names in the trace.
class register_roles {
 public:
  register_roles(const context_map& map, bool code64);

  // Where register `id` lies; of size 0 if this mode has none such.
  [[nodiscard]] context_place place(std::uint16_t id) const noexcept;
  // Where the largest register around it lies.
  [[nodiscard]] context_place largest(std::uint16_t id, context_place own) const noexcept;
  [[nodiscard]] context_place ip() const noexcept { return ip_; }
  [[nodiscard]] bool is_flags(std::uint16_t id) const noexcept { return id == flags_; }
  // ST0 to ST7 and MMX0 to MMX7, which are other registers when the stack of the x87 is turned.
  [[nodiscard]] const std::vector<context_place>& stack() const noexcept { return stack_; }
  // Whether an instruction that writes `id` may turn it.
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

// Settles the bytes of a context by what records tell, the latest record first.
class register_effects {
 public:
  register_effects(const reader& trace, const register_roles& roles, settled_bytes& bytes)
      : trace_(&trace), roles_(&roles), bytes_(&bytes) {}

  // What holds just after `r`, because of it.
  void after(const record_view& r) const;

  // What holds just before it.
  void before(const record_view& r) const;

 private:
  static bool reliable(const record_view& r) noexcept;

  void context(const record_view& r) const;

  void results(const record_view& r) const;

  // The bytes around a register that was written, in the largest one that encloses it. Those of 8
  // and 16 bits leave them as they are, as do flags. 32 bits in 64-bit code make the upper half 0,
  // if the instruction is marked so. Of wider ones it depends on the encoding: they are unknown.
  void rest(const record_view& r, const decoded_instruction& d, const slot& s,
            context_place own) const;

  // The value of slot `i`: as many of its low bytes as the register has.
  void tell(const record_view& r, const decoded_instruction& d, std::size_t i) const;

  const reader* trace_;
  const register_roles* roles_;
  settled_bytes* bytes_;
};

}  // namespace tracecodec::umtracer::detail

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "../impl/register_effects.ipp"
#endif
