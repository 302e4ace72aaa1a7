#include <capstone/capstone.h>

#include <cstdint>
#include <optional>
#include <string_view>

#include <tracecodec/wire/types/scalar.hpp>

#include "processors.hpp"

namespace record::qemu {

namespace {

x86::reg numbered(unsigned n) { return static_cast<x86::reg>(n); }

x86::reg register_of(unsigned r) {
  struct row {
    unsigned first, count;
    std::size_t to;
  };
  static constexpr row rows[] = {
      {ARM64_REG_W0, 31, general_registers}, {ARM64_REG_X0, 29, general_registers},
      {ARM64_REG_B0, 32, other_registers},   {ARM64_REG_D0, 32, other_registers},
      {ARM64_REG_H0, 32, other_registers},   {ARM64_REG_Q0, 32, other_registers},
      {ARM64_REG_S0, 32, other_registers},   {ARM64_REG_V0, 32, other_registers}};
  switch (r) {
    case ARM64_REG_SP:
    case ARM64_REG_WSP:
      return x86::reg::rsp;
    case ARM64_REG_NZCV:
      return x86::reg::flags;
    case ARM64_REG_X29:
      return numbered(general_registers + 29);
    case ARM64_REG_X30:
      return numbered(general_registers + 30);
    default:
      break;
  }
  for (const row& a : rows)
    if (r >= a.first && r < a.first + a.count)
      return numbered(static_cast<unsigned>(a.to) + r - a.first);
  return x86::reg::none;
}

x86::kind kind_of(unsigned id, bool conditional) {
  switch (id) {
    case ARM64_INS_B:
      return conditional ? x86::kind::conditional : x86::kind::direct_jump;
    case ARM64_INS_CBZ:
    case ARM64_INS_CBNZ:
    case ARM64_INS_TBZ:
    case ARM64_INS_TBNZ:
      return x86::kind::conditional;
    case ARM64_INS_BL:
      return x86::kind::direct_call;
    case ARM64_INS_BLR:
      return x86::kind::indirect_call;
    case ARM64_INS_BR:
      return x86::kind::indirect_jump;
    case ARM64_INS_RET:
      return x86::kind::return_;
    case ARM64_INS_SVC:
    case ARM64_INS_BRK:
      return x86::kind::system;
    default:
      return x86::kind::not_branch;
  }
}

// The following functions correct errors of Capstone 4. It lists the first operand of a comparison
// as written, and the destination of a constant as read.
bool compares(std::string_view name) {
  return name == "cmp" || name == "cmn" || name == "tst" || name == "fcmp" || name == "fcmpe";
}
bool is_constant(const cs_arm64& a, std::string_view name) {
  return (name == "mov" || name == "movz" || name == "movn" || name == "fmov") && a.op_count == 2 &&
         (a.operands[1].type == ARM64_OP_IMM || a.operands[1].type == ARM64_OP_FP);
}

}  // namespace

x86::instruction decode_aarch64(std::span<const std::byte> code) {
  static const std::optional<csh> disassembler = [] {
    csh handle = 0;
    if (cs_open(CS_ARCH_ARM64, CS_MODE_LITTLE_ENDIAN, &handle) != CS_ERR_OK)
      return std::optional<csh>();
    cs_option(handle, CS_OPT_DETAIL, CS_OPT_ON);
    return std::optional(handle);
  }();
  x86::instruction to;
  // Some instructions both read and write memory in a single operation (C4.1, loads and stores:
  // atomic memory operations, compare and swap). Capstone 4 supports only some of these
  // instructions.
  const std::uint32_t w = tracecodec::wire::u32le::load(code.data());
  if ((w & 0x3F200C00U) == 0x38200000U || (w & 0x3FA07C00U) == 0x08A07C00U)
    to.add_memory({.reads = true, .writes = true});
  // All branches belong to one encoding group (C4.1). Therefore an instruction of another group is
  // valid even if Capstone does not support it.
  if ((w & 0x1C000000U) != 0x14000000U) to.length = static_cast<std::uint8_t>(code.size());
  cs_insn* i = nullptr;
  if (!disassembler || cs_disasm(*disassembler, reinterpret_cast<const std::uint8_t*>(code.data()),
                                 code.size(), 0, 1, &i) != 1)
    return to;
  to.length = static_cast<std::uint8_t>(code.size());
  const cs_arm64& a = i->detail->arm64;
  to.kind = kind_of(i->id, a.cc != ARM64_CC_INVALID && a.cc != ARM64_CC_AL && a.cc != ARM64_CC_NV);
  const bool direct = to.kind == x86::kind::direct_jump || to.kind == x86::kind::direct_call ||
                      to.kind == x86::kind::conditional;
  for (std::uint8_t n = 0; direct && n != a.op_count; ++n)
    // The branch offset is the last immediate. For example, tbz has two immediates.
    if (a.operands[n].type == ARM64_OP_IMM)
      to.branch_offset = a.operands[n].imm - static_cast<std::int64_t>(code.size());
  const std::string_view name = i->mnemonic;
  cs_regs read{}, written{};
  std::uint8_t reads = 0, writes = 0;
  if (compares(name)) {
    for (std::uint8_t n = 0; n != a.op_count; ++n)
      if (a.operands[n].type == ARM64_OP_REG) to.add_read(register_of(a.operands[n].reg));
  } else if (cs_regs_access(*disassembler, i, read, &reads, written, &writes) == CS_ERR_OK) {
    for (std::uint8_t n = 0; n != reads && !is_constant(a, name); ++n)
      to.add_read(register_of(read[n]));
    for (std::uint8_t n = 0; n != writes; ++n) to.add_written(register_of(written[n]));
  }
  if (a.update_flags) to.add_written(x86::reg::flags);
  cs_free(i, 1);
  return to;
}

}  // namespace record::qemu
