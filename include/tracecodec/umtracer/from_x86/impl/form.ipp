// Implementation of umtracer/from_x86/form.hpp.
#pragma once
#include <algorithm>
#include <utility>

#include "../form.hpp"

namespace tracecodec::umtracer {

namespace detail {
class x86_form_maker {
 public:
  x86_form_maker(const x86_register_map& map, bool code64, const x86::instruction& i,
                 std::span<const std::byte> bytes)
      : map_(map), code64_(code64), code_(bytes, code64) {
    f_.what = i;
    f_.type = type_of(i, code_, code64);
    f_.move = move_condition(code_);
  }

  x86_form operator()() {
    const x86::instruction& i = f_.what;
    d_.mem0_segment_slot = d_.mem0_base_slot = d_.mem0_index_slot = d_.mem1_base_slot = slot_none;
    for (const x86::reg r : i.registers_read()) add_register(r, f_.before);
    for (const x86::memory_operand& m : i.memory_operands())
      if (m.kind == x86::memory_kind::table) add_register(x86::reg::rax, map_.al(), f_.before);
    list_memory();
    add_memory([](const place& p) { return p.reads; }, &x86_form::memory_value::before);
    d_.first_out_slot = slot_count();
    for (const x86::reg r : i.registers_written())
      if (!reads(r)) add_register(r, f_.before);
    add_memory([](const place& p) { return !p.reads && !p.pushes; },
               &x86_form::memory_value::before);
    d_.first_after_slot = slot_count();
    for (const x86::reg r : i.registers_written()) add_register(r, f_.after);
    add_memory([](const place& p) { return p.writes; }, &x86_form::memory_value::after);
    add_target();
    add_rest();
    f_.decoded = d_;
    return std::move(f_);
  }

 private:
  // Memory access. Element n of places_ describes element n of f_.memory.
  struct place {
    std::uint16_t name;
    bool reads, writes, pushes;
  };
  // State in which all registers are 0, which is sufficient to count the memory accesses of the
  // enter instruction.
  struct no_state {
    static constexpr std::uint64_t value(x86::reg) noexcept { return 0; }
    static constexpr std::uint64_t segment_base(x86::reg) noexcept { return 0; }
  };

  [[nodiscard]] std::uint8_t slot_count() const noexcept {
    return static_cast<std::uint8_t>(f_.slots.size());
  }
  [[nodiscard]] bool reads(x86::reg r) const noexcept {
    const auto all = f_.what.registers_read();
    return std::find(all.begin(), all.end(), r) != all.end();
  }
  // Allocates `n` bytes in the values, and returns their offset.
  std::uint16_t take(std::size_t n) noexcept {
    const std::uint16_t at = d_.values_size;
    d_.values_size = static_cast<std::uint16_t>(at + n);
    return at;
  }

  void add_register(x86::reg r, std::vector<x86_form::register_value>& to) {
    for (const x86::memory_operand& m : f_.what.memory_operands())
      if (m.segment == r && (r == x86::reg::fs || r == x86::reg::gs)) {
        const std::uint16_t id = map_.segment_base(r);
        return add_register(r, {id, id, 0xFFFF, f_.what.pointer_bytes}, to, true);
      }
    if (const x86_register& whole = map_.whole(r, code64_); whole.id != 0)
      add_register(r, whole, to);
  }
  void add_register(x86::reg r, const x86_register& as, std::vector<x86_form::register_value>& to,
                    bool base = false) {
    const std::uint16_t at = take(as.size);
    f_.slots.push_back({as.id, as.common, as.size, at, 0});
    if (as.size != 0) to.push_back({r, base, at, as.size});
  }
  // Returns the input slot with the name `id`, or slot_none if there is no such slot.
  [[nodiscard]] std::uint8_t input_slot(std::uint16_t id) const noexcept {
    for (std::uint8_t i = 0; i < d_.first_out_slot; ++i)
      if (f_.slots[i].name == id && id != 0) return i;
    return slot_none;
  }

  void list_memory() {
    std::uint16_t next = name_mem0;
    const auto all = f_.what.memory_operands();
    for (std::uint8_t n = 0; n < all.size(); ++n) {
      const x86::memory_operand& m = all[n];
      f_.segmented |= m.segment == x86::reg::fs || m.segment == x86::reg::gs;
      using kind = x86::memory_kind;
      if (m.kind == kind::scattered)
        f_.untraced |= static_cast<std::uint8_t>((m.reads ? exec_flags::unreliable_inputs : 0) |
                                                 (m.writes ? exec_flags::unreliable_outputs : 0));
      if (m.kind == kind::scattered || m.kind == kind::hint) continue;
      if (m.kind == kind::frame)
        x86::accesses(f_.what, no_state{}, [&](const x86::memory_access& a) {
          add_place(n, a.size, {a.write ? map_.stack_push() : name_mem1, !a.write, a.write, true});
        });
      else if (m.kind == kind::push || m.kind == kind::pop)
        add_place(n, m.size,
                  {m.kind == kind::push ? map_.stack_push() : map_.stack_pop(), m.reads, m.writes,
                   m.kind == kind::push});
      else
        add_place(n, m.size, {next--, m.reads, m.writes, false});
    }
  }
  void add_place(std::uint8_t operand, std::uint16_t size, const place& p) {
    f_.memory.push_back({operand, size});
    places_.push_back(p);
  }
  template <class Wanted>
  void add_memory(Wanted wanted, std::uint16_t x86_form::memory_value::*offset) {
    for (std::size_t n = 0; n < places_.size(); ++n) {
      if (!wanted(places_[n])) continue;
      x86_form::memory_value& m = f_.memory[n];
      m.*offset = take(8U + m.size);
      const std::uint16_t name = places_[n].name;
      f_.slots.push_back({name, name, m.size, m.*offset, f_.what.pointer_bytes});
    }
  }

  // Adds the target of a branch as its first explicit operand. The target of a direct
  // branch is a constant.
  void add_target() {
    const x86::instruction& i = f_.what;
    using x86::kind;
    if (i.kind == kind::direct_jump || i.kind == kind::direct_call || i.kind == kind::conditional) {
      d_.operands[0] = {0, i.target_bytes, 1, slot_constant0, slot_none, 0, 0};
      d_.operand_count = 1;
      d_.constants[0] = static_cast<std::uint64_t>(i.branch_offset) + (i.absolute ? 0 : i.length);
      f_.relative = !i.absolute;
    } else if (i.kind == kind::indirect_jump || i.kind == kind::indirect_call) {
      const x86_register& r = map_.whole(i.operand, code64_);
      const std::uint8_t s = input_slot(i.operand == x86::reg::none ? name_mem0 : r.id);
      if (s == slot_none) return;
      const bool memory = f_.slots[s].is_memory();
      const auto size = std::min<std::uint16_t>(i.target_bytes, f_.slots[s].value_size);
      d_.operands[0] = {
          f_.slots[s].name, size, 1, s, slot_none, static_cast<std::uint8_t>(memory ? 8 : 0), 0};
      d_.operand_count = 1;
    }
  }

  // Adds the memory phrases, the flags, and the operand and address sizes.
  void add_rest() {
    const x86::instruction& i = f_.what;
    for (std::size_t n = 0; n < places_.size(); ++n) {
      const x86::memory_operand& m = i.memory[f_.memory[n].operand];
      if (places_[n].name == name_mem0) add_phrase(m);
      if (places_[n].name == name_mem1 && m.kind != x86::memory_kind::frame)
        d_.mem1_base_slot = slot_of(m.base);
    }
    d_.operand_size = operand_size_of(i, code_);
    d_.address_size = i.address_bytes;
    namespace df = decoded_flags;
    if (i.repeated) d_.flags |= code_.repne ? df::repne : df::rep;
    if (code_.lock) d_.flags |= df::lock;
    for (const x86::memory_operand& m : i.memory_operands()) {
      if (m.reads) d_.flags |= df::reads_memory;
      if (m.writes) d_.flags |= df::writes_memory;
    }
  }
  void add_phrase(const x86::memory_operand& m) {
    if (m.segment == x86::reg::fs || m.segment == x86::reg::gs)
      d_.mem0_segment_slot = input_slot(map_.segment_base(m.segment));
    const bool relative = m.base == x86::reg::ip;
    if (!relative) d_.mem0_base_slot = slot_of(m.base);
    d_.constants[0] = static_cast<std::uint64_t>(m.displacement);
    f_.relative = relative;
    if (m.index == x86::reg::none) return;
    d_.mem0_index_slot =
        m.kind == x86::memory_kind::table ? input_slot(map_.al().id) : slot_of(m.index);
    d_.mem0_scale = m.scale;
  }
  [[nodiscard]] std::uint8_t slot_of(x86::reg r) const noexcept {
    return r == x86::reg::none ? slot_none : input_slot(map_.whole(r, code64_).id);
  }

  const x86_register_map& map_;
  bool code64_;
  x86_code code_;
  x86_form f_ = {};
  decoded_instruction d_ = {};
  std::vector<place> places_ = {};
};
}  // namespace detail

TRACECODEC_FUNC decoded_instruction x86_form::decoded_at(std::uint64_t ip) const noexcept {
  decoded_instruction d = decoded;
  if (relative) d.constants[0] = (d.constants[0] + ip) & x86::low_bytes(what.pointer_bytes);
  return d;
}
TRACECODEC_FUNC x86_form form_of(const x86_register_map& map, bool code64,
                                 const x86::instruction& i, std::span<const std::byte> code) {
  return detail::x86_form_maker(map, code64, i, code)();
}

}  // namespace tracecodec::umtracer
