// Branch classes, registers and accesses of instructions. Registers have the numbers of
// riscv/decode.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>

#include "instruction.hpp"

namespace tracecodec::stf {

// Returns the class that follows from the opcode. System calls are not branches.
inline feed::branch_class class_of(const instruction& i) noexcept {
  return static_cast<feed::branch_class>(
      std::min(riscv::decode(i.code()).kind, x86::kind::not_branch));
}
// Returns true if a branch is taken. A conditional branch is taken if the trace has its target.
inline bool is_taken(const instruction& i) noexcept {
  return i.has_target || class_of(i) != feed::branch_class::conditional;
}
// Returns the target that the opcode of a direct branch contains.
inline std::optional<std::uint64_t> encoded_target(const instruction& i) noexcept {
  const x86::instruction decoded = riscv::decode(i.code());
  if (decoded.kind != x86::kind::direct_jump && decoded.kind != x86::kind::direct_call &&
      decoded.kind != x86::kind::conditional)
    return std::nullopt;
  return i.pc + i.length + static_cast<std::uint64_t>(decoded.branch_offset);
}
inline std::uint64_t target_of(const instruction& i) noexcept {
  return i.has_target ? i.target : encoded_target(i).value_or(i.next_pc);
}

// Returns the number of a recorded register, or 0 for control registers and the zero register.
constexpr std::uint8_t number_of(const record& r) noexcept {
  if (r.kind == register_class::control || r.reg >= 32) return 0;
  return r.kind == register_class::general ? riscv::number_of_general(r.reg)
                                           : riscv::number_of_other(r.reg);
}

// Returns the registers that the trace records, or those of the opcode if the trace records none.
inline feed::register_list<32> registers_of(const instruction& i, operand_role role) noexcept {
  feed::register_list<32> all;
  if (i.has_operands) {
    for (const record& r : i.records)
      if (r.descriptor == record_kind::reg && r.role == role) all.add(number_of(r));
    return all;
  }
  const x86::instruction decoded = riscv::decode(i.code());
  for (const x86::reg r :
       role == operand_role::source ? decoded.registers_read() : decoded.registers_written())
    all.add(static_cast<std::uint8_t>(r));
  return all;
}
inline auto written_registers(const instruction& i) noexcept {
  return feed::written_registers(class_of(i), registers_of(i, operand_role::destination));
}
inline auto read_registers(const instruction& i) noexcept {
  return feed::read_registers(class_of(i), registers_of(i, operand_role::source));
}

constexpr bool is_read(const record& r) noexcept {
  return r.descriptor == record_kind::access && r.direction == access_kind::read;
}
constexpr bool is_write(const record& r) noexcept {
  return r.descriptor == record_kind::access && r.direction == access_kind::write;
}
constexpr std::uint64_t address_of(const record& r) noexcept { return r.address; }
template <auto If> constexpr auto accesses(const instruction& i) noexcept {
  return feed::operands_where<decltype(i.records), If, address_of>(i.records);
}
// Returns the size of each access in bytes: that of the opcode, or for vectors that of the first
// access. Dromajo records sizes in bits.
inline std::uint64_t access_size(const instruction& i) noexcept {
  if (const unsigned bytes = riscv::access_bytes(i.code()); bytes != 0) return bytes;
  for (const record& r : i.records)
    if (r.descriptor == record_kind::access) return r.size;
  return 0;
}

}  // namespace tracecodec::stf
