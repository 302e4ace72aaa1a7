// Checks the rules of the instruction table.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "../../reader/instructions.hpp"
#include "tables.hpp"

namespace tracecodec::umtracer::detail {

// Properties of an instruction that its records must match.
struct known_instruction {
  std::uint16_t values_size = 0;
  bool decoded = false;  // true if values_size is known
  bool code64 = false;
};

class instruction_checker {
 public:
  // Creates a checker for `table`. `modules` is the number of rows in the module table, or nullopt
  // if that table cannot be read.
  instruction_checker(file_findings& found, const trace_files& files,
                      const instruction_table& table, std::optional<std::size_t> modules)
      : found_(found), files_(files), table_(table), modules_(modules) {}

  // Checks all rows, and returns the properties of each instruction.
  std::vector<known_instruction> run() {
    check_rows(found_, files_, file::instructions, table_.rows(), 1, true);
    check_extra(found_, files_, file::instructions);
    std::vector<known_instruction> all(table_.size());
    for (row_ = 0; row_ < table_.size(); ++row_) all[row_] = check_row();
    return all;
  }

 private:
  // Offset of the pointer to the decoded instruction, relative to the start of the row. Findings
  // about the decoded instruction refer to this offset.
  static constexpr std::size_t decoded_at =
      instruction_codec::offset_of<&instruction_record::decoded>;

  known_instruction check_row() {
    const instruction_record r = table_[row_];
    if (r.id < 0 || static_cast<std::uint64_t>(r.id) != row_)
      bad(rule::self_id, instruction_codec::offset_of<&instruction_record::id>,
          "id " + std::to_string(r.id));
    if (r.code_size == 0 || r.code_size > r.code.size())
      bad(rule::code_size, instruction_codec::offset_of<&instruction_record::code_size>,
          std::to_string(r.code_size) + " bytes");
    if (modules_ && r.module_id != -1 &&
        (r.module_id < 0 || static_cast<std::uint32_t>(r.module_id) >= *modules_))
      bad(rule::module_id, instruction_codec::offset_of<&instruction_record::module_id>,
          "module " + std::to_string(r.module_id) + " of " + std::to_string(*modules_));
    const auto type = static_cast<unsigned>(r.type);
    if (type == 7 || type > 9)
      bad(rule::enum_value, instruction_codec::offset_of<&instruction_record::type>,
          "type " + std::to_string(type));
    if (r.code64 > 1)
      bad(rule::enum_value, instruction_codec::offset_of<&instruction_record::code64>,
          "CSis64Bits " + std::to_string(r.code64));
    // Reading the byte after the text is safe, because text() has checked that it exists.
    if (const auto text = found_.attempt(rule::text, [&] { return table_.text(row_); }))
      if (text->data()[text->size()] != '\0')
        bad(rule::text, instruction_codec::offset_of<&instruction_record::disassembly>,
            "is unterminated");
    const auto d = found_.attempt(rule::decoded, [&] { return table_.decoded(row_); });
    if (d) check_decoded(*d);
    return {d ? d->values_size : std::uint16_t{0}, d.has_value(), r.code64 != 0};
  }

  void check_decoded(const decoded_instruction& d) {
    if (d.operand_count > d.operands.size())
      bad(rule::operand_count, decoded_at, std::to_string(d.operand_count) + " operands");
    if (d.slot_count > 253)
      bad(rule::slot_count, decoded_at, std::to_string(d.slot_count) + " slots");
    if (d.first_out_slot > d.first_after_slot || d.first_after_slot > d.slot_count)
      bad(rule::slot_groups, decoded_at,
          std::to_string(d.first_out_slot) + " and " + std::to_string(d.first_after_slot) + " of " +
              std::to_string(d.slot_count));
    for (std::size_t i = 0; i < d.slots.size(); ++i) {
      const slot s = d.slots[i];
      if (s.end() > d.values_size)
        bad(rule::slot_place, decoded_at,
            "slot " + std::to_string(i) + " ends at " + std::to_string(s.end()) + " of " +
                std::to_string(d.values_size));
      if (s.address_width > 8)
        bad(rule::enum_value, decoded_at,
            "slot " + std::to_string(i) + ": AddrWidth " + std::to_string(s.address_width));
    }
    for (const std::uint8_t s :
         {d.mem0_segment_slot, d.mem0_base_slot, d.mem0_index_slot, d.mem1_base_slot})
      if (s != slot_none && s >= d.slot_count)
        bad(rule::slot_index, decoded_at, "memory phrase: slot " + std::to_string(s));
    if (const auto s = d.mem0_scale; s > 8 || (s & (s - 1)) != 0)
      bad(rule::enum_value, decoded_at, "scale " + std::to_string(s));
    for (std::size_t i = 0; i < d.operand_count && i < d.operands.size(); ++i)
      check_operand(d, d.operands[i], "operand " + std::to_string(i) + ": ");
  }

  void check_operand(const decoded_instruction& d, const explicit_operand& o,
                     const std::string& which) {
    if ((o.flags & 3) == 0 || o.flags > 3)
      bad(rule::enum_value, decoded_at, which + "flags " + std::to_string(o.flags));
    if (o.before_slot == slot_none) bad(rule::slot_index, decoded_at, which + "no slot before");
    if ((o.flags & operand_flags::written) != 0 && o.after_slot == slot_none)
      bad(rule::slot_index, decoded_at, which + "written, but no slot after");
    check_place(d, o.before_slot, o.before_offset, o.size, which);
    check_place(d, o.after_slot, o.after_offset, o.size, which);
  }

  // Checks that `size` bytes at `offset` are inside the value of slot `index`. An `index` of
  // slot_none is valid.
  void check_place(const decoded_instruction& d, std::uint8_t index, std::uint8_t offset,
                   std::uint16_t size, const std::string& which) {
    if (index == slot_none) return;
    const auto bounds = bounds_of(d.slots, index);
    if (!bounds) return bad(rule::slot_index, decoded_at, which + "slot " + std::to_string(index));
    if (offset < bounds->first)
      bad(rule::operand_place, decoded_at,
          which + "offset " + std::to_string(offset) + " is inside the address");
    if (std::size_t{offset} + size > bounds->end)
      bad(rule::operand_place, decoded_at,
          which + std::to_string(size) + " bytes at " + std::to_string(offset) + " of " +
              std::to_string(bounds->end) + " in slot " + std::to_string(index));
  }

  void bad(rule r, std::size_t at, const std::string& message) {
    found_.add(r, file::instructions, table_.rows().offset(row_) + at, row_, message);
  }

  file_findings& found_;
  const trace_files& files_;
  const instruction_table& table_;
  std::optional<std::size_t> modules_;
  std::size_t row_ = 0;
};

}  // namespace tracecodec::umtracer::detail
