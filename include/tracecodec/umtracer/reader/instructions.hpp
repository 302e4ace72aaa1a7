// Instruction table, including the disassembly and the decoded operands of each row.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "../layout/instruction.hpp"
#include "table.hpp"

namespace tracecodec::umtracer {

// Value of a slot in an execution record. `address` is not a std::optional, because g++ would
// then keep the value in memory instead of registers.
struct slot_value {
  std::uint64_t address = 0;  // address of a memory slot, truncated to its valid bytes
  bool has_address = false;   // true if the slot is a memory slot inside the values
  std::span<const std::byte> bytes = {};
};

// Returns the value of slot `s` in `values`. The value has no bytes if the slot is outside
// `values`.
TRACECODEC_INLINE slot_value value_of(const slot& s, std::span<const std::byte> values) noexcept {
  if (s.end() > values.size()) [[unlikely]]
    return {};
  const auto bytes = values.subspan(s.value_offset(), s.value_size);
  if (!s.is_memory()) return {0, false, bytes};
  const std::uint64_t all = wire::u64le::load(values.data() + s.offset);
  const std::uint64_t counts =
      s.address_width >= 8 ? all : all & ((std::uint64_t{1} << 8 * s.address_width) - 1);
  return {counts, true, bytes};
}

// Range of offsets that an explicit operand may occupy in a slot or a constant, relative to the
// start of the slot or constant. In a memory slot, the range excludes the address.
struct operand_bounds {
  std::size_t first, end;
  [[nodiscard]] constexpr bool holds(std::size_t offset, std::size_t size) const noexcept {
    return first <= offset && offset + size <= end;
  }
};
constexpr operand_bounds bounds_in(const slot& s) noexcept {
  return {s.value_offset() - s.offset, s.end() - s.offset};
}
// Returns the bounds in slot or constant `index`, or nullopt if that slot does not exist.
template <class Slots>
constexpr std::optional<operand_bounds> bounds_of(const Slots& slots, std::uint8_t index) noexcept {
  if (is_constant(index)) return operand_bounds{0, sizeof decoded_instruction{}.constants[0]};
  if (index >= slots.size()) return std::nullopt;
  return bounds_in(slots[index]);
}

// Slots of an instruction, and the boundaries of the groups of slots. Both are required to read
// operand values. first_out <= first_after <= slots.size() is always true, even if the file is
// inconsistent.
struct slot_list {
  wire::array_view<slot_codec> slots = {};
  std::uint16_t values_size = 0;  // size of an execution record's values, in bytes
  // End of the first group, which contains the values of read operands before execution.
  std::uint8_t first_out = 0;
  // Start of the last group, which contains the values of written operands after execution.
  std::uint8_t first_after = 0;
};

// View of ins.itable. decoded(), slots() and text() throw trace_error if a row points to invalid
// data.
class instruction_table {
 public:
  instruction_table() = default;
  // Opens the table. Throws the errors of row_table and extra_area_of().
  instruction_table(const trace_files& files, bool lenient);

  [[nodiscard]] std::size_t size() const noexcept { return rows_.size(); }
  // Returns the record version. In version 0, slot::common_name is the largest register. In version
  // 1, slot::common_name is the common name.
  [[nodiscard]] std::uint32_t version() const noexcept { return rows_.header().record_version; }
  [[nodiscard]] const row_table<instruction_codec>& rows() const noexcept { return rows_; }

  // Returns row `i`, which must be less than size().
  [[nodiscard]] instruction_record operator[](std::size_t i) const noexcept;
  // Returns the valid bytes of the code of row `i`.
  [[nodiscard]] std::span<const std::byte> code(std::size_t i) const noexcept;

  // Returns the decoded instruction of row `i`. Throws trace_error(bad_value) if the decoded
  // instruction is not entirely inside the extra area.
  [[nodiscard]] decoded_instruction decoded(std::size_t i) const;
  // Returns only the slots of row `i`. Throws the errors of decoded().
  [[nodiscard]] TRACECODEC_INLINE slot_list slots(std::size_t i) const {
    const auto at = rows_.get<&instruction_record::decoded>(i).locate_rest(extra_);
    constexpr std::size_t front = decoded_codec::front_size;
    if (!at || at.bytes.size() < front) [[unlikely]]
      outside(i);
    const wire::record_view<decoded_codec> d(at.bytes.first<front>());
    const std::size_t n = d.get<&decoded_instruction::slot_count>();
    if (at.bytes.size() - front < n * slot_codec::size) [[unlikely]]
      outside(i);
    const auto after = std::min<std::size_t>(d.get<&decoded_instruction::first_after_slot>(), n);
    const auto out = std::min<std::size_t>(d.get<&decoded_instruction::first_out_slot>(), after);
    return {wire::array_view<slot_codec>(at.bytes.data() + front, n),
            d.get<&decoded_instruction::values_size>(), static_cast<std::uint8_t>(out),
            static_cast<std::uint8_t>(after)};
  }
  // Returns the text of row `i`, such as "mov eax, [rbx]". The text is valid as long as the file is
  // mapped. Throws trace_error(bad_value) if the text is not entirely inside the extra area.
  [[nodiscard]] std::string_view text(std::size_t i) const;

 private:
  [[noreturn, gnu::cold]] void outside(std::size_t i) const;

  row_table<instruction_codec> rows_ = {};
  wire::region<extra_area> extra_ = {};
};

inline instruction_table::instruction_table(const trace_files& files, bool lenient)
    : rows_(files, file::instructions, lenient),
      extra_{extra_area_of(files, file::instructions, lenient)} {}
inline instruction_record instruction_table::operator[](std::size_t i) const noexcept {
  return rows_[i];
}
inline std::span<const std::byte> instruction_table::code(std::size_t i) const noexcept {
  constexpr std::size_t most = sizeof instruction_record{}.code;
  const std::size_t n = rows_.get<&instruction_record::code_size>(i);
  return rows_.bytes(i).subspan(instruction_codec::offset_of<&instruction_record::code>,
                                std::min(n, most));
}
inline decoded_instruction instruction_table::decoded(std::size_t i) const {
  const auto at = rows_[i].decoded.locate_rest(extra_);
  decoded_instruction d;
  if (!at || !decoded_codec::decode(at.bytes, d)) outside(i);
  return d;
}
inline std::string_view instruction_table::text(std::size_t i) const {
  const auto at = rows_[i].disassembly.locate_rest(extra_);
  c_string s;
  if (!at || !c_string_codec::decode(at.bytes, s))
    rows_.fail(i, instruction_codec::offset_of<&instruction_record::disassembly>, "disassembly",
               "points outside the extra area");
  return wire::as_text(s.characters);
}
inline void instruction_table::outside(std::size_t i) const {
  rows_.fail(i, instruction_codec::offset_of<&instruction_record::decoded>, "decoded",
             "points outside the extra area, or its slots end there");
}

}  // namespace tracecodec::umtracer
