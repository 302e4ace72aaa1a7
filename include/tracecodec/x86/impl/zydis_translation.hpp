// Translates an instruction that Zydis has decoded into an x86::instruction. Also corrects errors
// of Zydis 4.0.0. This file is a part of impl/zydis.ipp.
#pragma once
#include <Zydis/Zydis.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <span>

#include "../instruction.hpp"
#include "zydis_registers.hpp"

namespace tracecodec::x86::detail {

// Translator of one instruction. Call each object only once.
class zydis_translation {
 public:
  zydis_translation(const ZydisDecodedInstruction& z,
                    std::span<const ZydisDecodedOperand> operands) noexcept
      : z_(z), operands_(operands) {}

  instruction operator()() noexcept {
    i_.length = z_.length;
    i_.pointer_bytes = z_.machine_mode == ZYDIS_MACHINE_MODE_LONG_64 ? 8 : 4;
    i_.address_bytes = static_cast<std::uint8_t>(z_.address_width / 8);
    i_.target_bytes = i_.pointer_bytes == 4 && z_.operand_width == 16 ? 2 : i_.pointer_bytes;
    // A nop uses no operands, although its encoding may contain operands.
    if (is_category({ZYDIS_CATEGORY_NOP, ZYDIS_CATEGORY_WIDENOP})) return i_;
    i_.repeated = is_string() && (z_.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
                                                   ZYDIS_ATTRIB_HAS_REPNE)) != 0;
    find_kind();
    if (is({ZYDIS_MNEMONIC_ENTER}))
      i_.frame_level = static_cast<std::uint8_t>(operands_[1].imm.value.u & 31);
    for (const ZydisDecodedOperand& o : operands_) {
      if (o.type == ZYDIS_OPERAND_TYPE_REGISTER) add_register(o);
      if (o.type == ZYDIS_OPERAND_TYPE_MEMORY) add_memory(o);
    }
    add_unsaid();
    add_flags();
    return i_;
  }

 private:
  [[nodiscard]] bool is(std::initializer_list<ZydisMnemonic> list) const noexcept {
    for (const ZydisMnemonic m : list)
      if (z_.mnemonic == m) return true;
    return false;
  }
  [[nodiscard]] bool is_category(
      std::initializer_list<ZydisInstructionCategory> list) const noexcept {
    for (const ZydisInstructionCategory c : list)
      if (z_.meta.category == c) return true;
    return false;
  }
  [[nodiscard]] bool is_string() const noexcept {
    return is_category({ZYDIS_CATEGORY_STRINGOP, ZYDIS_CATEGORY_IOSTRINGOP});
  }

  void find_kind() noexcept {
    const bool to_register = !operands_.empty() && operands_[0].type == ZYDIS_OPERAND_TYPE_REGISTER;
    const bool indirect =
        to_register || (!operands_.empty() && operands_[0].type == ZYDIS_OPERAND_TYPE_MEMORY);
    if (is({ZYDIS_MNEMONIC_XEND})) return;  // not a branch, although Zydis reports it as a branch
    if (is({ZYDIS_MNEMONIC_XBEGIN, ZYDIS_MNEMONIC_XABORT, ZYDIS_MNEMONIC_UIRET, ZYDIS_MNEMONIC_RSM,
            ZYDIS_MNEMONIC_JKZD, ZYDIS_MNEMONIC_JKNZD}) ||
        is_category({ZYDIS_CATEGORY_SYSRET})) {
      i_.kind = kind::other;
    } else if (is_category({ZYDIS_CATEGORY_SYSCALL}) ||
               is({ZYDIS_MNEMONIC_INT, ZYDIS_MNEMONIC_INT1, ZYDIS_MNEMONIC_INT3,
                   ZYDIS_MNEMONIC_INTO})) {
      i_.kind = kind::system;
    } else if (is_category({ZYDIS_CATEGORY_RET})) {
      i_.kind = kind::return_;
    } else if (is_category({ZYDIS_CATEGORY_CALL})) {
      i_.kind = indirect ? kind::indirect_call : kind::direct_call;
    } else if (is_category({ZYDIS_CATEGORY_UNCOND_BR})) {
      i_.kind = indirect ? kind::indirect_jump : kind::direct_jump;
    } else if (is_category({ZYDIS_CATEGORY_COND_BR})) {
      i_.kind = kind::conditional;
      i_.condition = condition_of();
    }
    if (indirect && to_register &&
        (i_.kind == kind::indirect_call || i_.kind == kind::indirect_jump)) {
      i_.operand = whole_register(operands_[0].reg.value);
    } else if (i_.kind == kind::direct_call || i_.kind == kind::direct_jump ||
               i_.kind == kind::conditional) {
      i_.absolute = operands_[0].type == ZYDIS_OPERAND_TYPE_POINTER;
      i_.branch_offset = i_.absolute ? operands_[0].ptr.offset : operands_[0].imm.value.s;
    }
  }

  [[nodiscard]] condition condition_of() const noexcept {
    if (is({ZYDIS_MNEMONIC_LOOP})) return condition::loop;
    if (is({ZYDIS_MNEMONIC_LOOPE})) return condition::loop_equal;
    if (is({ZYDIS_MNEMONIC_LOOPNE})) return condition::loop_not_equal;
    if (is({ZYDIS_MNEMONIC_JCXZ, ZYDIS_MNEMONIC_JECXZ, ZYDIS_MNEMONIC_JRCXZ}))
      return condition::count_zero;
    return static_cast<condition>(z_.opcode & 15);  // opcodes 70 to 7f and 0f 80 to 0f 8f
  }

  void add_register(const ZydisDecodedOperand& o) noexcept {
    if (o.encoding == ZYDIS_OPERAND_ENCODING_MASK && o.reg.value == ZYDIS_REGISTER_K0)
      return;  // the mask k0 selects all elements
    const reg r = whole_register(o.reg.value);
    if (r == reg::flags) return;  // add_flags() adds the flags
    const bool several = (o.attributes & ZYDIS_OATTRIB_IS_MULTISOURCE4) != 0;
    const bool may_survive =
        (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == ZYDIS_OPERAND_ACTION_CONDWRITE;
    for (std::size_t n = 0; n < (several ? 4 : 1); ++n) {
      if ((o.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0 || may_survive) i_.add_read(row(r, n));
      if ((o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0) i_.add_written(row(r, n));
    }
  }

  void add_memory(const ZydisDecodedOperand& o) noexcept;

  // Adds operands that Zydis does not report.
  void add_unsaid() noexcept {
    if (is({ZYDIS_MNEMONIC_VZEROUPPER, ZYDIS_MNEMONIC_VZEROALL}))
      for (std::size_t n = 0; n < (i_.pointer_bytes == 8 ? 16 : 8); ++n)
        i_.add_written(row(reg::vector0, n));
    if (is({ZYDIS_MNEMONIC_SYSCALL, ZYDIS_MNEMONIC_SYSENTER}))
      i_.add_read(reg::rax);  // system call number on all operating systems
  }

  // Adds the flags according to the masks of Zydis. The flags operand is not reliable. For example,
  // the flags operand of cmc is only marked as read, although cmc also changes the flags. Reads of
  // flags that only control privilege (IOPL, VM) are ignored.
  void add_flags() noexcept {
    constexpr ZydisAccessedFlagsMask working =
        ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF | ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF |
        ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_DF | ZYDIS_CPUFLAG_OF;
    if (z_.cpu_flags == nullptr) return;
    if ((z_.cpu_flags->tested & working) != 0) i_.add_read(reg::flags);
    if ((z_.cpu_flags->modified | z_.cpu_flags->set_0 | z_.cpu_flags->set_1 |
         z_.cpu_flags->undefined) != 0)
      i_.add_written(reg::flags);
  }

  const ZydisDecodedInstruction& z_;
  std::span<const ZydisDecodedOperand> operands_;
  instruction i_ = {};
};

inline void zydis_translation::add_memory(const ZydisDecodedOperand& o) noexcept {
  memory_operand m;
  m.base = whole_register(o.mem.base);
  m.index = whole_register(o.mem.index);
  m.segment = whole_register(o.mem.segment);
  m.scale = o.mem.scale;
  m.displacement = o.mem.disp.value;
  m.size = static_cast<std::uint16_t>(o.size / 8);
  m.address_bytes = i_.address_bytes;
  m.reads = (o.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
  m.writes = (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  // Zydis does not report that xlat reads its index, al.
  if (is({ZYDIS_MNEMONIC_XLAT})) {
    m.kind = memory_kind::table;
    m.index = reg::rax;
    m.scale = 1;
  }
  i_.add_read(m.base);
  i_.add_read(m.index);
  if (o.mem.type == ZYDIS_MEMOP_TYPE_AGEN) return;  // lea does not access memory
  if (m.segment == reg::fs || m.segment == reg::gs) i_.add_read(m.segment);
  if (m.base == reg::ip) m.displacement += z_.length;

  const bool hidden = o.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN;
  if (is_string()) {
    m.kind = memory_kind::string;
    i_.add_written(m.base);  // Zydis does not report this write for cmps and scas
  } else if (hidden && m.segment == reg::ss && (m.base == reg::rsp || m.base == reg::rbp)) {
    // push stores below the stack pointer, but Zydis reports the stack pointer as the address. iret
    // within a privilege level pops three words from a 32-bit stack, and five words from a 64-bit
    // stack.
    m.address_bytes = i_.pointer_bytes;
    m.kind = m.writes ? memory_kind::push : memory_kind::pop;
    if (is({ZYDIS_MNEMONIC_IRET, ZYDIS_MNEMONIC_IRETD}) && i_.pointer_bytes == 4)
      m.size = static_cast<std::uint16_t>(z_.operand_width / 8 * 3);
    if (m.writes) m.displacement -= m.size;
    if (is({ZYDIS_MNEMONIC_ENTER})) m.kind = memory_kind::frame;
  } else if (is_category({ZYDIS_CATEGORY_POP}) && m.base == reg::rsp) {
    // pop [rsp] computes its address from the stack pointer after the pop.
    m.displacement += m.size;
  } else if (is({ZYDIS_MNEMONIC_BT, ZYDIS_MNEMONIC_BTS, ZYDIS_MNEMONIC_BTR, ZYDIS_MNEMONIC_BTC}) &&
             operands_[1].type == ZYDIS_OPERAND_TYPE_REGISTER) {
    m.kind = memory_kind::bit_string;
    i_.operand = whole_register(operands_[1].reg.value);
  } else if (is_category({ZYDIS_CATEGORY_PREFETCH, ZYDIS_CATEGORY_PREFETCHWT1,
                          ZYDIS_CATEGORY_CLDEMOTE, ZYDIS_CATEGORY_CLFLUSHOPT,
                          ZYDIS_CATEGORY_CLWB}) ||
             is({ZYDIS_MNEMONIC_CLFLUSH, ZYDIS_MNEMONIC_INVLPG, ZYDIS_MNEMONIC_UD0,
                 ZYDIS_MNEMONIC_UD1})) {
    m.kind = memory_kind::hint;
    m.reads = m.writes = false;
  } else if (o.mem.type != ZYDIS_MEMOP_TYPE_MEM ||
             is_category({ZYDIS_CATEGORY_AMX_TILE, ZYDIS_CATEGORY_PADLOCK})) {
    m.kind = memory_kind::scattered;
  }
  const bool masked =
      z_.avx.mask.reg != ZYDIS_REGISTER_NONE && z_.avx.mask.reg != ZYDIS_REGISTER_K0;
  m.conditional =
      masked || is({ZYDIS_MNEMONIC_MASKMOVQ, ZYDIS_MNEMONIC_MASKMOVDQU, ZYDIS_MNEMONIC_VMASKMOVDQU,
                    ZYDIS_MNEMONIC_VMASKMOVPS, ZYDIS_MNEMONIC_VMASKMOVPD, ZYDIS_MNEMONIC_VPMASKMOVD,
                    ZYDIS_MNEMONIC_VPMASKMOVQ});
  i_.add_memory(m);
}

}  // namespace tracecodec::x86::detail
