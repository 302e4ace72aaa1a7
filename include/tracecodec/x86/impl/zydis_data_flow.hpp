// Derives the flows of data from an instruction that Zydis has decoded. This file is a part of
// impl/decode_flow.ipp.
#pragma once
#include <Zydis/Zydis.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../data_flow.hpp"
#include "zydis_registers.hpp"

namespace tracecodec::x86::detail {

// Builder of the flows of one instruction. Call each object only once.
class zydis_data_flow {
 public:
  zydis_data_flow(const ZydisDecodedInstruction& z, std::span<const ZydisDecodedOperand> operands)
      : z_(z),
        operands_(operands),
        is_long_(z.machine_mode == ZYDIS_MACHINE_MODE_LONG_64),
        pointer_(is_long_ ? 8 : 4) {}

  instruction_flow operator()() {
    // A nop uses no operands, although its encoding may contain operands.
    if (is_category({ZYDIS_CATEGORY_NOP, ZYDIS_CATEGORY_WIDENOP})) return {};
    number_accesses();
    i_.repeated = is_string() && (z_.attributes & (ZYDIS_ATTRIB_HAS_REP | ZYDIS_ATTRIB_HAS_REPE |
                                                   ZYDIS_ATTRIB_HAS_REPNE)) != 0;
    i_.outside = comes_from_outside();
    if (is_string())
      add_string();
    else if (i_.outside || !(add_move() || add_constant()))
      add_computation();
    return std::move(i_);
  }

 private:
  using list = std::vector<flow_bytes>;
  static constexpr std::uint16_t whole_vector = 64;
  static constexpr ZydisAccessedFlagsMask arithmetic = ZYDIS_CPUFLAG_CF | ZYDIS_CPUFLAG_PF |
                                                       ZYDIS_CPUFLAG_AF | ZYDIS_CPUFLAG_ZF |
                                                       ZYDIS_CPUFLAG_SF | ZYDIS_CPUFLAG_OF;

  [[nodiscard]] bool is(std::initializer_list<ZydisMnemonic> all) const noexcept {
    return std::find(all.begin(), all.end(), z_.mnemonic) != all.end();
  }
  [[nodiscard]] bool is_category(
      std::initializer_list<ZydisInstructionCategory> all) const noexcept {
    return std::find(all.begin(), all.end(), z_.meta.category) != all.end();
  }
  [[nodiscard]] bool is_string() const noexcept {
    return is_category({ZYDIS_CATEGORY_STRINGOP, ZYDIS_CATEGORY_IOSTRINGOP});
  }
  [[nodiscard]] bool uses_stack() const noexcept {
    return is_category({ZYDIS_CATEGORY_PUSH, ZYDIS_CATEGORY_POP, ZYDIS_CATEGORY_CALL,
                        ZYDIS_CATEGORY_RET}) ||
           is({ZYDIS_MNEMONIC_LEAVE});
  }
  [[nodiscard]] bool is_branch() const noexcept {
    return is_category({ZYDIS_CATEGORY_COND_BR, ZYDIS_CATEGORY_UNCOND_BR, ZYDIS_CATEGORY_CALL,
                        ZYDIS_CATEGORY_RET});
  }
  [[nodiscard]] bool takes_high_half() const noexcept {
    return is({ZYDIS_MNEMONIC_PUNPCKHBW, ZYDIS_MNEMONIC_PUNPCKHWD, ZYDIS_MNEMONIC_PUNPCKHDQ,
               ZYDIS_MNEMONIC_PUNPCKHQDQ, ZYDIS_MNEMONIC_VPUNPCKHBW, ZYDIS_MNEMONIC_VPUNPCKHWD,
               ZYDIS_MNEMONIC_VPUNPCKHDQ, ZYDIS_MNEMONIC_VPUNPCKHQDQ, ZYDIS_MNEMONIC_UNPCKHPS,
               ZYDIS_MNEMONIC_UNPCKHPD, ZYDIS_MNEMONIC_VUNPCKHPS, ZYDIS_MNEMONIC_VUNPCKHPD,
               ZYDIS_MNEMONIC_VMOVHPS, ZYDIS_MNEMONIC_VMOVHPD, ZYDIS_MNEMONIC_VMOVHLPS,
               ZYDIS_MNEMONIC_VMOVLHPS});
  }
  // Returns true for stores whose mask is a vector.
  [[nodiscard]] bool is_masked_store() const noexcept {
    return is({ZYDIS_MNEMONIC_MASKMOVQ, ZYDIS_MNEMONIC_MASKMOVDQU, ZYDIS_MNEMONIC_VMASKMOVDQU,
               ZYDIS_MNEMONIC_VMASKMOVPS, ZYDIS_MNEMONIC_VMASKMOVPD, ZYDIS_MNEMONIC_VPMASKMOVD,
               ZYDIS_MNEMONIC_VPMASKMOVQ});
  }
  [[nodiscard]] bool is_masked() const noexcept {
    return z_.avx.mask.reg != ZYDIS_REGISTER_NONE && z_.avx.mask.reg != ZYDIS_REGISTER_K0;
  }
  // Returns true if an operand of memory neither reads nor writes data.
  [[nodiscard]] bool is_hint() const noexcept {
    return is_category({ZYDIS_CATEGORY_PREFETCH, ZYDIS_CATEGORY_PREFETCHWT1,
                        ZYDIS_CATEGORY_CLDEMOTE, ZYDIS_CATEGORY_CLFLUSHOPT, ZYDIS_CATEGORY_CLWB}) ||
           is({ZYDIS_MNEMONIC_CLFLUSH, ZYDIS_MNEMONIC_INVLPG, ZYDIS_MNEMONIC_UD0,
               ZYDIS_MNEMONIC_UD1});
  }
  [[nodiscard]] bool comes_from_outside() const noexcept {
    return is_category({ZYDIS_CATEGORY_SYSCALL, ZYDIS_CATEGORY_INTERRUPT, ZYDIS_CATEGORY_IO,
                        ZYDIS_CATEGORY_RDRAND, ZYDIS_CATEGORY_RDSEED}) ||
           is({ZYDIS_MNEMONIC_CPUID, ZYDIS_MNEMONIC_RDTSC, ZYDIS_MNEMONIC_RDTSCP,
               ZYDIS_MNEMONIC_RDPMC, ZYDIS_MNEMONIC_RDPID, ZYDIS_MNEMONIC_XGETBV,
               ZYDIS_MNEMONIC_RDFSBASE, ZYDIS_MNEMONIC_RDGSBASE, ZYDIS_MNEMONIC_INSB,
               ZYDIS_MNEMONIC_INSW, ZYDIS_MNEMONIC_INSD});
  }

  static bool is_memory(const ZydisDecodedOperand& o) noexcept {
    return o.type == ZYDIS_OPERAND_TYPE_MEMORY && o.mem.type != ZYDIS_MEMOP_TYPE_AGEN;
  }
  static bool is_register(const ZydisDecodedOperand& o) noexcept {
    return o.type == ZYDIS_OPERAND_TYPE_REGISTER;
  }
  static bool reads(const ZydisDecodedOperand& o) noexcept {
    return (o.actions & ZYDIS_OPERAND_ACTION_MASK_READ) != 0;
  }
  static bool writes(const ZydisDecodedOperand& o) noexcept {
    return (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) != 0;
  }
  static bool may_survive(const ZydisDecodedOperand& o) noexcept {
    return (o.actions & ZYDIS_OPERAND_ACTION_MASK_WRITE) == ZYDIS_OPERAND_ACTION_CONDWRITE;
  }
  [[nodiscard]] bool is_ip(const ZydisDecodedOperand& o) const noexcept {
    return is_register(o) && whole_register(o.reg.value) == reg::ip;
  }

  void number_accesses() {
    for (std::size_t n = 0; n != operands_.size(); ++n) {
      const ZydisDecodedOperand& o = operands_[n];
      if (!is_memory(o)) continue;
      for (const ZydisRegister r : {o.mem.base, o.mem.index})
        if (const reg whole = whole_register(r); whole != reg::none && whole != reg::ip)
          i_.addresses.push_back(register_part(r, whole_vector));
      if (is_hint()) continue;
      read_[n] = i_.reads;
      written_[n] = i_.writes;
      if (reads(o)) ++i_.reads;
      if (writes(o)) ++i_.writes;
      if (writes(o) && !reads(o) && !is_string() &&
          (may_survive(o) || is_masked() || is_masked_store()))
        i_.masks = true;
      if (o.mem.type != ZYDIS_MEMOP_TYPE_MEM ||
          is_category({ZYDIS_CATEGORY_AMX_TILE, ZYDIS_CATEGORY_PADLOCK, ZYDIS_CATEGORY_XSAVE,
                       ZYDIS_CATEGORY_XSAVEOPT}))
        i_.varies = true;
    }
    if (is({ZYDIS_MNEMONIC_ENTER})) i_.varies = true;
  }

  // Returns the bytes of an operand: those of memory that are read, or those that are written.
  [[nodiscard]] flow_bytes part(std::size_t n, bool write = false) const {
    const ZydisDecodedOperand& o = operands_[n];
    const auto bytes = static_cast<std::uint16_t>(o.size / 8);
    if (is_memory(o)) return {reg::none, write ? written_[n] : read_[n], 0, bytes};
    return register_part(o.reg.value, bytes);
  }
  [[nodiscard]] flow_bytes register_part(ZydisRegister r, std::uint16_t bytes) const {
    const reg whole = whole_register(r);
    if (whole >= reg::x87_0 && whole < reg::x87_control) return {reg::x87_0, 0, 0, 16};
    if (whole >= reg::vector0 && whole < reg::mask0)
      return {whole, 0, 0,
              std::clamp(bytes, takes_high_half() ? std::uint16_t{16} : bytes, whole_vector)};
    const bool is_high = r >= ZYDIS_REGISTER_AH && r <= ZYDIS_REGISTER_BH;
    const auto width = ZydisRegisterGetWidth(z_.machine_mode, r);
    return {whole, 0, static_cast<std::uint16_t>(is_high ? 1 : 0),
            static_cast<std::uint16_t>(width / 8)};
  }
  [[nodiscard]] flow_bytes general(reg r) const { return {r, 0, 0, pointer_}; }
  static flow_bytes slice(flow_bytes of, unsigned offset, unsigned size) {
    of.offset = static_cast<std::uint16_t>(of.offset + offset);
    of.size = static_cast<std::uint16_t>(size);
    return of;
  }

  void add(const flow_bytes& to, list from, bool copies = false) {
    if (to.size != 0) i_.flows.push_back({to, std::move(from), copies});
  }
  // Adds the bytes of a register after `to` that the instruction clears.
  void clear_rest(const flow_bytes& to) {
    const bool is_vector = to.which >= reg::vector0 && to.which < reg::mask0;
    const unsigned end = to.offset + 0U + to.size;
    if (is_long_ && to.which >= reg::rdi && to.which <= reg::r15 && to.size == 4)
      add({to.which, 0, 4, 4}, {});
    if (is_vector && z_.encoding != ZYDIS_INSTRUCTION_ENCODING_LEGACY && end < whole_vector)
      add({to.which, 0, static_cast<std::uint16_t>(end),
           static_cast<std::uint16_t>(whole_vector - end)},
          {});
  }
  void copy(const flow_bytes& to, const flow_bytes& from) {
    add(to, {from}, true);
    clear_rest(to);
  }
  // Adds a copy of operand `n`, or a constant if the operand is one.
  void copy_operand(const flow_bytes& to, std::size_t n) {
    if (is_register(operands_[n]) || is_memory(operands_[n])) return copy(to, part(n));
    add(to, {});
    clear_rest(to);
  }
  void keep_stack_pointer() { add(general(reg::rsp), {general(reg::rsp)}); }

  // Adds a string instruction. Pointers and the count depend only on themselves.
  void add_string() {
    for (const ZydisDecodedOperand& o : operands_)
      if (is_memory(o)) {
        const flow_bytes pointer = register_part(o.mem.base, 0);
        if (std::none_of(i_.flows.begin(), i_.flows.end(),
                         [&](const data_flow& f) { return f.to == pointer; })) {
          add(pointer, {pointer});
          clear_rest(pointer);
        }
      }
    if (i_.repeated) {
      const auto size = static_cast<std::uint16_t>(z_.address_width / 8);
      const flow_bytes count{reg::rcx, 0, 0, size};
      add(count, {count});
      clear_rest(count);
    }
    list in;
    std::optional<flow_bytes> to;
    for (std::size_t n = 0; n != operands_.size(); ++n) {
      const ZydisDecodedOperand& o = operands_[n];
      const bool is_data =
          is_memory(o) || (is_register(o) && whole_register(o.reg.value) == reg::rax);
      if (is_data && writes(o))
        to = part(n, true);
      else if (is_data && reads(o))
        in.push_back(part(n));
    }
    if (to && i_.outside) return add(*to, {});
    if (to && in.size() == 1) return copy(*to, in[0]);
    if (!to) add(general(reg::flags), in);  // cmps and scas
  }

  // Adds an instruction that moves bytes. Returns false for other instructions.
  bool add_move() {
    const auto memory_at = [this](std::size_t n) { return is_memory(operands_[n]); };
    const auto size_of = [this](std::size_t n) {
      return static_cast<std::uint16_t>(operands_[n].size / 8);
    };
    if (is_masked()) return false;
    switch (z_.mnemonic) {
      case ZYDIS_MNEMONIC_MOV: {
        const auto is_plain = [this](std::size_t n) {
          if (!is_register(operands_[n])) return true;
          const reg r = whole_register(operands_[n].reg.value);
          return r >= reg::rdi && r <= reg::r15;
        };
        if (!is_plain(0) || !is_plain(1)) return false;
        copy_operand(part(0, true), 1);
        return true;
      }
      case ZYDIS_MNEMONIC_MOVZX:
      case ZYDIS_MNEMONIC_MOVSX:
      case ZYDIS_MNEMONIC_MOVSXD: {
        const flow_bytes to = part(0), from = part(1);
        const unsigned moved = std::min(from.size, to.size), rest = to.size - moved;
        add(slice(to, 0, moved), {slice(from, 0, moved)}, true);
        if (z_.mnemonic == ZYDIS_MNEMONIC_MOVZX)
          add(slice(to, moved, rest), {});
        else
          add(slice(to, moved, rest), {slice(from, moved - 1, 1)});
        clear_rest(to);
        return true;
      }
      case ZYDIS_MNEMONIC_CBW:
      case ZYDIS_MNEMONIC_CWDE:
      case ZYDIS_MNEMONIC_CDQE: {
        const unsigned half = size_of(0) / 2U;
        const flow_bytes to{reg::rax, 0, 0, size_of(0)};
        add(slice(to, half, half), {slice(to, half - 1, 1)});
        clear_rest(to);
        return true;
      }
      case ZYDIS_MNEMONIC_CWD:
      case ZYDIS_MNEMONIC_CDQ:
      case ZYDIS_MNEMONIC_CQO: {
        const flow_bytes to{reg::rdx, 0, 0, size_of(0)};
        add(to, {slice({reg::rax}, to.size - 1U, 1)});
        clear_rest(to);
        return true;
      }
      case ZYDIS_MNEMONIC_BSWAP: {
        const flow_bytes to = part(0);
        for (unsigned n = 0; n != to.size; ++n)
          add(slice(to, n, 1), {slice(to, to.size - 1 - n, 1)}, true);
        clear_rest(to);
        return true;
      }
      case ZYDIS_MNEMONIC_MOVBE: {
        const flow_bytes to = part(0, true), from = part(1);
        for (unsigned n = 0; n != to.size; ++n)
          add(slice(to, n, 1), {slice(from, to.size - 1 - n, 1)}, true);
        clear_rest(to);
        return true;
      }
      case ZYDIS_MNEMONIC_XCHG:
        copy(part(0, true), part(1));
        copy(part(1, true), part(0));
        return true;
      case ZYDIS_MNEMONIC_PUSH:
        for (std::size_t n = 1; n != operands_.size(); ++n)
          if (memory_at(n) && writes(operands_[n])) {
            flow_bytes to = part(n, true);
            const bool is_value = is_register(operands_[0]) || memory_at(0);
            const unsigned size = is_value ? std::min(part(0).size, to.size) : to.size;
            if (is_value && size != to.size) return false;  // a segment register
            copy_operand(to, 0);
          }
        keep_stack_pointer();
        return true;
      case ZYDIS_MNEMONIC_POP: {
        const flow_bytes to = part(0, true);
        for (std::size_t n = 1; n != operands_.size(); ++n)
          if (memory_at(n) && reads(operands_[n])) {
            if (part(n).size != to.size) return false;
            if (to.which != reg::rsp) keep_stack_pointer();
            copy(to, part(n));
          }
        return true;
      }
      case ZYDIS_MNEMONIC_LEAVE:
        add(general(reg::rsp), {general(reg::rbp)});
        for (std::size_t n = 0; n != operands_.size(); ++n)
          if (memory_at(n)) copy(slice(general(reg::rbp), 0, size_of(n)), part(n));
        return true;
      case ZYDIS_MNEMONIC_MOVAPS:
      case ZYDIS_MNEMONIC_MOVUPS:
      case ZYDIS_MNEMONIC_MOVAPD:
      case ZYDIS_MNEMONIC_MOVUPD:
      case ZYDIS_MNEMONIC_MOVDQA:
      case ZYDIS_MNEMONIC_MOVDQU:
      case ZYDIS_MNEMONIC_LDDQU:
      case ZYDIS_MNEMONIC_MOVNTDQ:
      case ZYDIS_MNEMONIC_MOVNTDQA:
      case ZYDIS_MNEMONIC_MOVNTPS:
      case ZYDIS_MNEMONIC_MOVNTPD:
      case ZYDIS_MNEMONIC_MOVNTI:
      case ZYDIS_MNEMONIC_MOVNTQ:
      case ZYDIS_MNEMONIC_VMOVAPS:
      case ZYDIS_MNEMONIC_VMOVUPS:
      case ZYDIS_MNEMONIC_VMOVAPD:
      case ZYDIS_MNEMONIC_VMOVUPD:
      case ZYDIS_MNEMONIC_VMOVDQA:
      case ZYDIS_MNEMONIC_VMOVDQU:
      case ZYDIS_MNEMONIC_VMOVDQA32:
      case ZYDIS_MNEMONIC_VMOVDQA64:
      case ZYDIS_MNEMONIC_VMOVDQU8:
      case ZYDIS_MNEMONIC_VMOVDQU16:
      case ZYDIS_MNEMONIC_VMOVDQU32:
      case ZYDIS_MNEMONIC_VMOVDQU64:
      case ZYDIS_MNEMONIC_VLDDQU:
      case ZYDIS_MNEMONIC_VMOVNTDQ:
      case ZYDIS_MNEMONIC_VMOVNTDQA:
      case ZYDIS_MNEMONIC_VMOVNTPS:
      case ZYDIS_MNEMONIC_VMOVNTPD:
        if (part(0).size != part(1).size) return false;
        copy(part(0, true), part(1));
        return true;
      case ZYDIS_MNEMONIC_MOVD:
      case ZYDIS_MNEMONIC_MOVQ:
      case ZYDIS_MNEMONIC_VMOVD:
      case ZYDIS_MNEMONIC_VMOVQ:
        move_to_vector(z_.mnemonic == ZYDIS_MNEMONIC_MOVD || z_.mnemonic == ZYDIS_MNEMONIC_VMOVD
                           ? std::uint16_t{4}
                           : std::uint16_t{8});
        return true;
      case ZYDIS_MNEMONIC_MOVSS:
      case ZYDIS_MNEMONIC_MOVSD:
      case ZYDIS_MNEMONIC_VMOVSS:
      case ZYDIS_MNEMONIC_VMOVSD: {
        const bool is_single =
            z_.mnemonic == ZYDIS_MNEMONIC_MOVSS || z_.mnemonic == ZYDIS_MNEMONIC_VMOVSS;
        const std::uint16_t size = is_single ? 4 : 8;
        if (memory_at(0) || memory_at(1)) {
          move_to_vector(size);
          return true;
        }
        if (z_.operand_count_visible == 2) {
          add(slice(part(0), 0, size), {slice(part(1), 0, size)}, true);
          return true;
        }
        const flow_bytes to = slice(part(0), 0, 16);
        add(slice(to, 0, size), {slice(part(2), 0, size)}, true);
        add(slice(to, size, 16U - size), {slice(part(1), size, 16U - size)}, true);
        clear_rest(to);
        return true;
      }
      case ZYDIS_MNEMONIC_MOVLPS:
      case ZYDIS_MNEMONIC_MOVLPD:
      case ZYDIS_MNEMONIC_MOVHPS:
      case ZYDIS_MNEMONIC_MOVHPD: {
        const bool is_high = is({ZYDIS_MNEMONIC_MOVHPS, ZYDIS_MNEMONIC_MOVHPD});
        const unsigned at = is_high ? 8 : 0;
        if (memory_at(0))
          add(part(0, true), {slice({whole_register(operands_[1].reg.value)}, at, 8)}, true);
        else
          add(slice({whole_register(operands_[0].reg.value)}, at, 8), {part(1)}, true);
        return true;
      }
      case ZYDIS_MNEMONIC_MOVHLPS:
      case ZYDIS_MNEMONIC_MOVLHPS: {
        const unsigned to = z_.mnemonic == ZYDIS_MNEMONIC_MOVHLPS ? 0 : 8;
        add(slice({whole_register(operands_[0].reg.value)}, to, 8),
            {slice({whole_register(operands_[1].reg.value)}, 8 - to, 8)}, true);
        return true;
      }
      default:
        return false;
    }
  }
  // Adds a move of `size` bytes between a vector register and memory or another register. The rest
  // of a vector register is cleared.
  void move_to_vector(std::uint16_t size) {
    flow_bytes to = slice(part(0, true), 0, size);
    const flow_bytes from = slice(part(1), 0, size);
    add(to, {from}, true);
    const bool is_vector = to.which >= reg::vector0 && to.which < reg::mask0;
    if (is_vector || (to.which >= reg::mmx0 && to.which < reg::x87_0)) {
      const unsigned all = is_vector ? 16 : 8;
      add(slice(to, size, all - size), {});
      to.size = static_cast<std::uint16_t>(all);
    }
    clear_rest(to);
  }

  // Adds an instruction that clears a register, such as xor eax, eax. Returns false for others.
  bool add_constant() {
    if (is({ZYDIS_MNEMONIC_VZEROUPPER, ZYDIS_MNEMONIC_VZEROALL})) {
      const std::uint16_t from = z_.mnemonic == ZYDIS_MNEMONIC_VZEROALL ? 0 : 16;
      for (std::size_t n = 0; n != (is_long_ ? 16 : 8); ++n)
        add({row(reg::vector0, n), 0, from, static_cast<std::uint16_t>(whole_vector - from)}, {});
      return true;
    }
    const bool has_three = is({ZYDIS_MNEMONIC_VPXOR, ZYDIS_MNEMONIC_VPXORD, ZYDIS_MNEMONIC_VPXORQ,
                               ZYDIS_MNEMONIC_VXORPS, ZYDIS_MNEMONIC_VXORPD});
    if (!has_three && !is({ZYDIS_MNEMONIC_XOR, ZYDIS_MNEMONIC_SUB, ZYDIS_MNEMONIC_PXOR,
                           ZYDIS_MNEMONIC_XORPS, ZYDIS_MNEMONIC_XORPD}))
      return false;
    const ZydisDecodedOperand &a = operands_[has_three ? 1 : 0], &b = operands_[has_three ? 2 : 1];
    if (is_masked() || !is_register(a) || !is_register(b) || a.reg.value != b.reg.value)
      return false;
    const flow_bytes to = part(0);
    add(to, {});
    clear_rest(to);
    if (z_.cpu_flags != nullptr && written_flags() != 0) add(general(reg::flags), {});
    return true;
  }

  [[nodiscard]] ZydisAccessedFlagsMask written_flags() const noexcept {
    return (z_.cpu_flags->modified | z_.cpu_flags->set_0 | z_.cpu_flags->set_1 |
            z_.cpu_flags->undefined) &
           arithmetic;
  }

  // Adds results that depend on all inputs.
  void add_computation() {
    list in;
    const auto read = [&in](const flow_bytes& b) {
      if (b.which != reg::ip && b.size != 0 && std::find(in.begin(), in.end(), b) == in.end())
        in.push_back(b);
    };
    for (std::size_t n = 0; n != operands_.size(); ++n) {
      const ZydisDecodedOperand& o = operands_[n];
      if (is_hidden(o) || is_ip(o)) continue;
      if (o.type == ZYDIS_OPERAND_TYPE_MEMORY && o.mem.type == ZYDIS_MEMOP_TYPE_AGEN) {
        for (const ZydisRegister r : {o.mem.base, o.mem.index})
          if (whole_register(r) != reg::none) read(register_part(r, whole_vector));
      } else if (is_memory(o) && !is_hint()) {
        if (reads(o) || may_survive_memory(o)) read(part(n));
      } else if (is_register(o) && whole_register(o.reg.value) != reg::none) {
        const bool several = (o.attributes & ZYDIS_OATTRIB_IS_MULTISOURCE4) != 0;
        if (reads(o) || may_survive(o)) read(old_part(n));
        for (unsigned k = 1; several && k != 4; ++k) {
          flow_bytes b = part(n);
          b.which = row(b.which, k);
          read(b);
        }
      }
    }
    if (z_.cpu_flags != nullptr && (z_.cpu_flags->tested & arithmetic) != 0)
      read(general(reg::flags));
    for (std::size_t n = 0; n != operands_.size(); ++n) {
      const ZydisDecodedOperand& o = operands_[n];
      if (!writes(o) || is_hidden(o)) continue;
      if (is_memory(o) && !is_hint()) {
        // A call stores the address of the next instruction.
        add(part(n, true), is_category({ZYDIS_CATEGORY_CALL}) ? list() : in);
      } else if (is_register(o) && whole_register(o.reg.value) != reg::none && !is_ip(o)) {
        add_register(n, in);
      }
    }
    if (uses_stack()) keep_stack_pointer();
    if (is({ZYDIS_MNEMONIC_ENTER})) add(general(reg::rbp), {general(reg::rsp)});
    if (is_category({ZYDIS_CATEGORY_SYSCALL, ZYDIS_CATEGORY_INTERRUPT}))
      add(general(reg::rax), {});  // the result
    if (is_branch() && !in.empty()) add(general(reg::ip), in);
    if (z_.cpu_flags == nullptr || written_flags() == 0) return;
    const bool may_keep =
        is_category({ZYDIS_CATEGORY_SHIFT, ZYDIS_CATEGORY_ROTATE}) && is_register(operands_[1]);
    if (written_flags() != arithmetic || may_keep) read(general(reg::flags));
    add(general(reg::flags), in);
  }
  // Returns true for operands whose flow is added in another way: the flags, and the stack pointer
  // of instructions that push and pop.
  [[nodiscard]] bool is_hidden(const ZydisDecodedOperand& o) const noexcept {
    if (!is_register(o)) return false;
    const reg r = whole_register(o.reg.value);
    return r == reg::flags ||
           (r == reg::rsp && o.visibility == ZYDIS_OPERAND_VISIBILITY_HIDDEN && uses_stack());
  }
  static bool may_survive_memory(const ZydisDecodedOperand& o) noexcept {
    return may_survive(o) && reads(o);
  }
  // A 32-bit register that an instruction may leave also keeps its upper half.
  [[nodiscard]] bool keeps_upper_half(std::size_t n) const {
    const ZydisDecodedOperand& o = operands_[n];
    const reg r = whole_register(o.reg.value);
    return is_long_ && may_survive(o) && !is_category({ZYDIS_CATEGORY_CMOV}) && part(n).size == 4 &&
           r >= reg::rdi && r <= reg::r15;
  }
  [[nodiscard]] flow_bytes old_part(std::size_t n) const {
    return keeps_upper_half(n) ? slice(part(n), 0, 8) : part(n);
  }
  void add_register(std::size_t n, const list& in) {
    flow_bytes to = old_part(n);
    list from = in;
    const bool is_x87 = to.which == reg::x87_0;
    if (is_x87 && std::find(from.begin(), from.end(), to) == from.end()) from.push_back(to);
    add(to, std::move(from));
    if (!keeps_upper_half(n)) clear_rest(to);
  }

  const ZydisDecodedInstruction& z_;
  std::span<const ZydisDecodedOperand> operands_;
  bool is_long_;
  std::uint16_t pointer_;
  std::array<std::uint8_t, ZYDIS_MAX_OPERAND_COUNT> read_ = {}, written_ = {};
  instruction_flow i_ = {};
};

}  // namespace tracecodec::x86::detail
