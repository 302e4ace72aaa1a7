// Converts instruction records to simulator instructions. The static part of an instruction is
// computed once for each row. The addresses come from the record.
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../../wire/types/scalar.hpp"
#include "../../../x86/any_disassembler.hpp"
#include "../../../x86/executed_instruction.hpp"
#include "../../../x86/operands.hpp"
#include "../../reader.hpp"
#include "../../reader/addresses.hpp"
#include "../../reader/register_numbers.hpp"
#include "../branch_kind.hpp"

namespace tracecodec::umtracer::detail {

// Row of the instruction table, prepared for conversion. It contains the operands in the form that
// simulators require, and the offsets of memory addresses in a record's values.
struct decoded_row {
  // Memory operand. The operand's address is in the 8 bytes at `offset` in a record's values.
  struct memory_slot {
    std::uint16_t offset;
    std::uint16_t size;          // size of the value in bytes
    std::uint8_t address_width;  // number of valid bytes in the address
    bool write;
    bool after;  // true if the address is stored only after execution
    friend constexpr bool operator==(const memory_slot&, const memory_slot&) = default;
  };

  std::uint64_t row = static_cast<std::uint64_t>(-1);
  std::uint64_t ip = 0;
  std::uint64_t target = 0;  // target of a direct branch
  x86::register_lists<2, 4> registers = {};
  std::array<memory_slot, 8> memory = {};  // all reads, followed by all writes
  std::uint8_t memory_count = 0;
  x86::kind kind = x86::kind::not_branch;
  std::uint8_t length = 0;
  bool repeated = false;
  bool known = false;             // true if the names or the disassembler identify the instruction
  std::uint16_t values_size = 0;  // minimum size of a record's values
  std::uint16_t target_offset = 0;  // offset of an indirect branch's target in the values
  std::uint8_t target_size = 0;     // 0 if the values do not contain the target

  void add(const memory_slot& m) noexcept {
    // The format allows duplicate slots for an operand, so add each operand only once.
    for (std::size_t i = 0; i < memory_count; ++i)
      if (memory[i] == m) return;
    if (memory_count != memory.size()) memory[memory_count++] = m;
  }
};

// Converter for the records of one trace.
class lifter {
 public:
  // Creates a converter. `code32` and `code64` decode the code bytes of branches that `names` does
  // not identify. `names` may be null. `trace` and `names` must outlive this object.
  lifter(const reader& trace, const names* names, x86::any_disassembler code32,
         x86::any_disassembler code64)
      : trace_(&trace),
        numbers_(trace.registers()),
        names_(names),
        code32_(std::move(code32)),
        code64_(std::move(code64)),
        stack_pop_(trace.registers().find("STACKPOP")),
        rows_(std::bit_ceil(std::clamp<std::size_t>(trace.instructions().size(), 1, most_rows))) {}

  // Converts record `r`, which must be an instruction, to `out`. Does not set taken, target and
  // outcome, which depend on the thread's next record. Throws the errors of the reader if a record
  // or a row is inconsistent. The returned row is valid until the next call.
  TRACECODEC_INLINE const decoded_row& operator()(const record_view& r,
                                                  x86::executed_instruction& out) {
    const std::size_t row = trace_->row_of(r);
    decoded_row& l = rows_[row & (rows_.size() - 1)];
    if (l.row != row) [[unlikely]]
      fill(l, row);
    const auto values = r.values();
    if (values.size() < l.values_size) [[unlikely]]
      r.values_end(l.values_size);
    out = {};
    out.index = r.id();
    out.ip = l.ip;
    out.thread = r.thread();
    out.known_thread = true;
    out.length = l.length;
    out.kind = l.kind;
    out.decoded = l.known;
    out.destination_registers = l.registers.destinations;
    out.source_registers = l.registers.sources;
    out.dropped_destination_registers = l.registers.dropped_destinations;
    out.dropped_source_registers = l.registers.dropped_sources;
    add_memory(r, l, values, out);
    return l;
  }

  // Returns the target of the branch record `r` without reading the next record. `l` is the row of
  // the branch. The target is the row's constant target, or is taken from the record's values.
  // Returns 0 if neither contains a target.
  [[nodiscard]] static std::uint64_t estimated_target(const decoded_row& l, const record_view& r) {
    if (l.target_size == 0) return l.target;
    if ((r.flags() & exec_flags::unreliable) != 0) return 0;
    return wire::load_little(r.values().data() + l.target_offset, l.target_size);
  }

 private:
  // Maximum number of rows in the cache. A full cache uses 40 MB.
  static constexpr std::size_t most_rows = std::size_t{1} << 18;

  void add_memory(const record_view& r, const decoded_row& l, std::span<const std::byte> values,
                  x86::executed_instruction& out) const noexcept {
    const std::uint8_t flags = r.flags();
    out.complete = true;
    // A repeated instruction does not access memory if it was not executed.
    if (l.memory_count == 0 || (l.repeated && (flags & exec_flags::not_executed) != 0)) return;
    const bool unreliable = (flags & exec_flags::unreliable) != 0;
    if (unreliable) [[unlikely]]
      out.complete = (flags & exec_flags::unreliable_inputs) == 0;
    // In version 1, registers are valid even if inputs are unreliable, so addresses are also valid.
    if (!out.complete && trace_->header().version == 0) return;
    x86::access_sink add(out);
    for (std::size_t i = 0; i < l.memory_count; ++i) {
      const decoded_row::memory_slot& m = l.memory[i];
      if (unreliable && m.after) [[unlikely]] {
        out.complete = false;
        continue;
      }
      const std::uint64_t at = wire::u64le::load(values.data() + m.offset);
      add({at & x86::low_bytes(m.address_width), m.size, m.write});
    }
  }

  [[gnu::noinline]] void fill(decoded_row& l, std::size_t row) {
    l.row = static_cast<std::uint64_t>(-1);  // invalid until all following calls have succeeded
    const instruction_record i = trace_->instructions()[row];
    const decoded_instruction d = trace_->instructions().decoded(row);
    decoded_row made;
    made.ip = instruction_address(*trace_, row);
    made.length = std::min<std::uint8_t>(i.code_size, 15);
    made.values_size = d.values_size;
    made.repeated = (d.flags & (decoded_flags::rep | decoded_flags::repne)) != 0;
    x86::instruction what;
    what.kind = kind_of(row, i, d, made.known);
    made.kind = what.kind;
    if (i.type != instruction_type::nop) add_slots(made, row, i, d, what);
    made.registers = x86::simulator_registers<2, 4>(what);
    if (what.kind < x86::kind::not_branch) find_target(made, d);
    made.row = row;
    l = made;
  }

  x86::kind kind_of(std::size_t row, const instruction_record& i, const decoded_instruction& d,
                    bool& known) {
    known = true;
    if (i.type >= instruction_type::software_interrupt && i.type <= instruction_type::other_syscall)
      return x86::kind::system;
    if (names_ != nullptr)
      if (const auto k = umtracer::kind_of(d, *names_)) return *k;
    const x86::instruction found =
        (i.code64 != 0 ? code64_ : code32_).decode(trace_->instructions().code(row));
    known = found.valid();
    return found.kind;
  }

  // Adds the operands in a row's slots. The slots form three groups: inputs, outputs before
  // execution, and outputs after execution. The second group is skipped.
  void add_slots(decoded_row& l, std::size_t row, const instruction_record& i,
                 const decoded_instruction& d, x86::instruction& what) {
    for (std::size_t n = 0; n < d.slot_count; ++n) {
      const slot s = d.slots[n];
      const bool input = n < d.first_out_slot, output = n >= d.first_after_slot;
      if (s.end() > d.values_size)
        trace_->instructions().rows().fail(
            row, instruction_codec::offset_of<&instruction_record::decoded>, "decoded",
            "slot " + std::to_string(n) + " ends after the values");
      if (!input && !output) continue;
      if (s.is_memory()) {
        // Skip memory operands of a prefetch, because their recorded values are meaningless.
        if (i.type != instruction_type::prefetch) l.add(memory_of(d, s, output));
      } else if (const x86::reg r = numbers_[s.name]; r != x86::reg::none) {
        output ? what.add_written(r) : what.add_read(r);
      }
    }
  }

  // Returns the memory operand of slot `s`. The address of an output comes from the operand's slot
  // before execution, if such a slot exists.
  static decoded_row::memory_slot memory_of(const decoded_instruction& d, const slot& s,
                                            bool output) noexcept {
    const auto at = [&](const slot& from, bool after) {
      return decoded_row::memory_slot{from.offset, s.value_size,
                                      std::min<std::uint8_t>(from.address_width, 8), output, after};
    };
    for (std::size_t n = 0; output && n < d.first_after_slot && n < d.slot_count; ++n)
      if (const slot before = d.slots[n];
          before.name == s.name && before.is_memory() && before.end() <= d.values_size)
        return at(before, false);
    return at(s, output);
  }

  // Finds the target of a branch, which is the first explicit operand or the word that a return
  // pops.
  void find_target(decoded_row& l, const decoded_instruction& d) const {
    if (l.kind == x86::kind::return_) {
      for (std::size_t n = 0; n < d.first_out_slot && n < d.slot_count; ++n)
        if (const slot s = d.slots[n]; s.is_memory() && s.name == stack_pop_)
          set_target(l, s.value_offset(), s.value_size);
      return;
    }
    if (d.operand_count == 0) return;
    const explicit_operand& o = d.operands[0];
    if (is_constant(o.before_slot) && o.size != 0)
      l.target = d.constants[o.before_slot - slot_constant0] &
                 x86::low_bytes(std::min<unsigned>(o.size, 8));
    else if (o.before_slot < d.slot_count)
      set_target(l, d.slots[o.before_slot].offset + o.before_offset, o.size);
  }
  static void set_target(decoded_row& l, std::size_t at, std::size_t size) noexcept {
    if (size == 0 || size > 8 || at + size > l.values_size) return;
    l.target_offset = static_cast<std::uint16_t>(at);
    l.target_size = static_cast<std::uint8_t>(size);
  }

  const reader* trace_;
  register_numbers numbers_;
  const names* names_;
  x86::any_disassembler code32_, code64_;
  std::optional<std::uint16_t> stack_pop_;
  std::vector<decoded_row> rows_;
};

}  // namespace tracecodec::umtracer::detail
