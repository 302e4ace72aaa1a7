// Writes ins.itable: the rows in the order in which they are added, followed by the distinct
// decoded forms and strings.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <iterator>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "../../../io/hash.hpp"
#include "../../../io/output/atomic_folder.hpp"
#include "../../files.hpp"
#include "../../reader/instructions.hpp"
#include "../rows.hpp"
#include "table_writer.hpp"

namespace tracecodec::umtracer {

// Writer of ins.itable. The writer keeps each distinct decoded form and string in memory, and 4
// bytes for each row.
class instruction_writer {
 public:
  // Creates the file. `version` is 0 if slots store the largest register, or 1 if slots store the
  // common name.
  instruction_writer(const io::atomic_folder& folder, std::uint32_t version)
      : rows_(folder.create(std::string(name(file::instructions)))), version_(version) {
    std::memset(rows_.append(long_header), 0, long_header);
  }

  // Adds a row and returns its number. Throws trace_error(refused), with row and field:
  // - if a row, a decoded form or a string cannot store a value
  // - if a slot is outside the values
  // - if the slot of an operand or of a memory phrase does not exist or is too small
  std::int64_t add(const instruction_info& i) {
    if (i.code.empty() || i.code.size() > 15)
      refuse("code_size", std::to_string(i.code.size()) + " bytes of code: 1 to 15");
    check(i);
    encode_string(i.text, site("disassembly"), text_);
    const std::uint32_t form_number = form_of(i);
    instruction_record row{};
    row.id = static_cast<std::int64_t>(size());
    row.type = i.type;
    row.code64 = i.code64;
    row.code_size = static_cast<std::uint8_t>(i.code.size());
    row.module_id = i.module_id;
    row.address = i.address;
    std::transform(i.code.begin(), i.code.end(), row.code.begin(),
                   [](std::byte b) { return std::to_integer<std::uint8_t>(b); });
    row.decoded = {forms_[form_number].offset};
    row.disassembly = {extra_.add(text_)};
    instruction_codec::store(row, rows_.append(instruction_codec::size));
    form_of_row_.push_back(form_number);
    return row.id;
  }

  // Returns the number of rows.
  [[nodiscard]] std::size_t size() const noexcept { return form_of_row_.size(); }
  // Returns the size in bytes of the operand values of a row (LCSize). The row must exist.
  [[nodiscard]] std::size_t values_size(std::size_t row) const noexcept {
    return forms_[form_of_row_[row]].values_size;
  }
  // Returns the memory slots of a row, which must exist.
  [[nodiscard]] std::span<const slot> memory_slots(std::size_t row) const noexcept {
    const form& f = forms_[form_of_row_[row]];
    return std::span(memory_slots_).subspan(f.first_slot, f.slots);
  }

  // Writes the forms and strings after the rows, and completes the file. Do not call any other
  // function afterwards. Throws trace_error(system) if the file cannot be written.
  void finish() {
    const auto header = encode_header(version_, size(), instruction_codec::size, extra_);
    rows_.patch(0, header);
    write_extra(rows_, extra_);
    rows_.finish();
  }

 private:
  struct form {
    std::int64_t offset;
    std::uint16_t values_size;
    std::size_t first_slot, slots;  // range in memory_slots_
  };

  [[nodiscard]] error_site site(const char* field) const {
    return {rows_.name(), rows_.size(), size(), field};
  }
  [[noreturn]] void refuse(const char* field, const std::string& why) const {
    throw trace_error(trace_errc::refused, site(field), why);
  }
  void check(const instruction_info& i) const {
    const decoded_instruction& d = i.decoded;
    const std::size_t n = i.slots.size();
    if (n > slot_constant0) refuse("slot_count", std::to_string(n) + " slots: 253 at most");
    if (d.operand_count > d.operands.size())
      refuse("operand_count", std::to_string(d.operand_count) + " explicit operands: 4 at most");
    for (const slot& s : i.slots)
      if (s.end() > d.values_size)
        refuse("slots", "a slot ends at byte " + std::to_string(s.end()) + " of " +
                            std::to_string(d.values_size));
    if (d.first_out_slot > d.first_after_slot)
      refuse("first_out_slot", "lies after the first slot of final values");
    if (d.first_after_slot > n) refuse("first_after_slot", "there are fewer slots");
    for (const std::uint8_t s :
         {d.mem0_segment_slot, d.mem0_base_slot, d.mem0_index_slot, d.mem1_base_slot})
      if (s != slot_none && s >= n)
        refuse("slots", "the memory phrase refers to slot " + std::to_string(s) + " of " +
                            std::to_string(n) + "; none is slot_none");
    for (std::size_t k = 0; k < d.operand_count; ++k) {
      const explicit_operand& o = d.operands[k];
      if (o.before_slot == slot_none) refuse("operands", "an operand has no slot before");
      if ((o.flags & operand_flags::written) != 0 && o.after_slot == slot_none)
        refuse("operands", "an operand is written but has no slot after");
      check_place(i.slots, o.before_slot, o.before_offset, o.size);
      check_place(i.slots, o.after_slot, o.after_offset, o.size);
    }
  }
  void check_place(std::span<const slot> slots, std::uint8_t index, std::uint8_t offset,
                   std::size_t size) const {
    if (index == slot_none) return;
    const auto bounds = bounds_of(slots, index);
    if (!bounds)
      refuse("operands",
             "refers to slot " + std::to_string(index) + " of " + std::to_string(slots.size()));
    if (!bounds->holds(offset, size))
      refuse("operands", std::to_string(size) + " bytes at " + std::to_string(offset) +
                             " of slot " + std::to_string(index) + ", whose value is from " +
                             std::to_string(bounds->first) + " to " + std::to_string(bounds->end));
  }

  // Returns the number of the form of `i`. Stores the form if it is new.
  std::uint32_t form_of(const instruction_info& i) {
    encode(i);
    const std::int64_t offset = extra_.add(piece_);
    const auto [at, added] =
        form_at_.try_emplace(offset, static_cast<std::uint32_t>(forms_.size()));
    if (added) {
      const std::size_t first = memory_slots_.size();
      std::copy_if(i.slots.begin(), i.slots.end(), std::back_inserter(memory_slots_),
                   [](const slot& s) { return s.is_memory(); });
      forms_.push_back({offset, i.decoded.values_size, first, memory_slots_.size() - first});
    }
    return at->second;
  }
  // Encodes a form into piece_. Clears unused operands, so that equal forms have equal bytes.
  void encode(const instruction_info& i) {
    slots_.resize(i.slots.size() * slot_codec::size);
    for (std::size_t k = 0; k < i.slots.size(); ++k)
      slot_codec::store(i.slots[k], slots_.data() + k * slot_codec::size);
    decoded_instruction d = i.decoded;
    std::fill(d.operands.begin() + d.operand_count, d.operands.end(), explicit_operand{});
    d.slot_count = static_cast<std::uint8_t>(i.slots.size());
    d.slots = wire::array_view<slot_codec>(slots_);
    piece_.resize(decoded_codec::extent(d));
    decoded_codec::encode(d, std::as_writable_bytes(std::span(piece_)));
  }

  io::folder_file rows_;
  std::uint32_t version_;
  shared_bytes extra_ = {};
  std::vector<form> forms_ = {};
  // Form numbers, keyed by offset in the extra area.
  std::unordered_map<std::int64_t, std::uint32_t, io::keyed_hash> form_at_ = {};
  std::vector<std::uint32_t> form_of_row_ = {};
  std::vector<slot> memory_slots_ = {};
  std::vector<std::byte> slots_ = {};   // scratch buffer
  std::string piece_ = {}, text_ = {};  // scratch buffer
};

}  // namespace tracecodec::umtracer
