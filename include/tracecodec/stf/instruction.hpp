// Instruction of an STF trace: the records from the previous instruction up to the record of the
// opcode. Operands, accesses, events and the target stand before the opcode.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>

#include "../feed/operand_list.hpp"
#include "../file/describe.hpp"
#include "../riscv/decode.hpp"
#include "layout.hpp"

namespace tracecodec::stf {

struct instruction {
  // State that earlier records determine: the address, unless FORCE_PC changes it, and the state of
  // the first record.
  std::uint64_t expected_pc;
  std::uint32_t vector_bits;
  bool has_event64;
  wire::list_view<record_codec, &record::vector_bits, &record::has_event64> records;

  // Values that decode computes from the records. `next_vector_bits` and `next_has_event64` are the
  // state after the instruction.
  std::uint64_t pc;
  std::uint64_t next_pc;  // address of the next instruction
  std::uint64_t target;   // target of the instruction, if has_target is true
  std::uint32_t next_vector_bits;
  bool next_has_event64;
  bool has_target;
  bool has_operands;  // true if registers are recorded as sources or destinations
  std::uint8_t length;

  void compute() noexcept {
    pc = expected_pc;
    has_target = has_operands = false;
    bool leaves = false;
    for (const record& r : records) {
      next_vector_bits = r.next_vector_bits();
      next_has_event64 = r.next_has_event64();
      has_operands |= r.descriptor == record_kind::reg && r.role != operand_role::state;
      has_target |= r.descriptor == record_kind::target;
      if (r.descriptor == record_kind::force_pc) pc = r.pc;
      if (r.descriptor == record_kind::target) target = r.pc;
      if (r.descriptor == record_kind::target || r.descriptor == record_kind::event_target)
        next_pc = r.pc, leaves = true;
      length = r.descriptor == record_kind::opcode16 ? 2 : 4;
    }
    if (!leaves) next_pc = pc + length;
  }
  // Returns the bytes of the opcode, which are the last ones.
  [[nodiscard]] std::span<const std::byte> code() const noexcept {
    return records.bytes().last(length);
  }
};

using instruction_records = wire::record<wire::in_struct_order<
    instruction, wire::previous<&instruction::expected_pc, &instruction::next_pc>,
    wire::previous<&instruction::vector_bits, &instruction::next_vector_bits>,
    wire::previous<&instruction::has_event64, &instruction::next_has_event64>,
    wire::list<&instruction::records, wire::until<&record::ends_instruction>,
               wire::args<&record::vector_bits, &instruction::vector_bits>,
               wire::args<&record::has_event64, &instruction::has_event64>>,
    wire::not_on_wire<&instruction::pc>, wire::not_on_wire<&instruction::next_pc>,
    wire::not_on_wire<&instruction::target>, wire::not_on_wire<&instruction::next_vector_bits>,
    wire::not_on_wire<&instruction::next_has_event64>, wire::not_on_wire<&instruction::has_target>,
    wire::not_on_wire<&instruction::has_operands>, wire::not_on_wire<&instruction::length>>>;
// Codec of an instruction, whose decode also computes the values that follow from the records.
struct instruction_codec : instruction_records {
  static wire::result decode(std::span<const std::byte> in, instruction& i) noexcept {
    const wire::result done = instruction_records::decode(in, i);
    if (done) i.compute();
    return done;
  }
};

// File of an STF trace. In a ZSTF file, the index lists every 100,000th instruction.
using trace_file =
    file::of<"STF trace", file::header<header_codec>,
             file::records<instruction_codec, file::each<"instruction">,
                           file::args<&instruction::expected_pc, &header::start_pc>,
                           file::args<&instruction::vector_bits, &header::vector_bits>,
                           file::args<&instruction::has_event64, &header::has_event64>,
                           file::indexed<&instruction::expected_pc>>>;

}  // namespace tracecodec::stf
