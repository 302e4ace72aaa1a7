// Layout of the decoded instructions in ins.itable (UMTracer specification, 7): operands, and the
// slots that contain their values.
#pragma once
#include <array>
#include <cstdint>

#include "../../wire/layout/laid_out_as.hpp"
#include "common.hpp"

namespace tracecodec::umtracer {

// Slot numbers with a special meaning, which are not indices in the list of slots.
inline constexpr std::uint8_t slot_constant0 = 0xFD;
inline constexpr std::uint8_t slot_constant1 = 0xFE;
inline constexpr std::uint8_t slot_none = 0xFF;
constexpr bool is_constant(std::uint8_t slot) noexcept {
  return slot == slot_constant0 || slot == slot_constant1;
}
// Operand names that do not refer to registers.
inline constexpr std::uint16_t name_mem0 = 0xFFFF;
inline constexpr std::uint16_t name_mem1 = 0xFFFE;
inline constexpr std::uint16_t name_agen = 0xFFFD;

// Values of explicit_operand::flags, which may be combined.
namespace operand_flags {
inline constexpr std::uint8_t read = 1, written = 2;
}

// expOper: explicit operand of an instruction (specification, 7.3.4).
struct explicit_operand {
  std::uint16_t name;  // a register, or name_mem0, name_mem1, name_agen
  std::uint16_t size;  // in bytes
  std::uint8_t flags;  // combination of operand_flags
  std::uint8_t before_slot;
  std::uint8_t after_slot;     // slot_none if the operand is read-only
  std::uint8_t before_offset;  // offset of the value in the slot: 1 for ah to dh, 8 for memory
  std::uint8_t after_offset;
  friend constexpr bool operator==(const explicit_operand&, const explicit_operand&) = default;
};
using explicit_operand_codec = wire::record<wire::in_struct_order<
    explicit_operand, wire::at<wire::field<&explicit_operand::after_offset>, wire::padding<3>>>>;
static_assert(wire::is_laid_out_as<explicit_operand_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       2     name
2       2     size
4       1     flags
5       1     before_slot
6       1     after_slot
7       1     before_offset
8       1     after_offset
9       3     (padding)
)">);

// lcSlot: location of one operand value in an execution record.
struct slot {
  std::uint16_t name;
  // Common name of all registers that overlap this register, or, in record version 0, the largest
  // register that overlaps this register.
  std::uint16_t common_name;
  std::uint16_t value_size;  // size in bytes, without the address
  std::uint16_t offset;  // offset in a record's values; a memory slot begins with an 8-byte address
  std::uint8_t address_width;  // number of valid bytes in the address; 0 if the slot is not memory

  [[nodiscard]] constexpr bool is_memory() const noexcept { return address_width != 0; }
  // Functions that return the offsets of the value's start and end in the record's values.
  [[nodiscard]] constexpr std::uint32_t value_offset() const noexcept {
    return offset + (is_memory() ? 8U : 0U);
  }
  [[nodiscard]] constexpr std::uint32_t end() const noexcept { return value_offset() + value_size; }
  friend constexpr bool operator==(const slot&, const slot&) = default;
};
using slot_codec = wire::record<
    wire::in_struct_order<slot, wire::at<wire::field<&slot::address_width>, wire::padding<3>>>>;
static_assert(wire::is_laid_out_as<slot_codec, R"(
Offset  Size  Field
------  ----  ----------------------
0       2     name
2       2     common_name
4       2     value_size
6       2     offset
8       1     address_width
9       3     (padding)
)">);

// Values of decoded_instruction::flags, which may be combined.
namespace decoded_flags {
inline constexpr std::uint8_t rep = 0x01, repne = 0x02, lock = 0x04;
// Set if an instruction that writes the lower 32 bits of a register also clears the upper half.
inline constexpr std::uint8_t zeroes_high_half = 0x08;
inline constexpr std::uint8_t reads_memory = 0x10, writes_memory = 0x20;
}  // namespace decoded_flags

// decodedIns: decoded form of an instruction. Category, mnemonic and form are numbers that the
// trace's version of XED defines.
struct decoded_instruction {
  std::uint16_t category{};
  std::uint16_t mnemonic{};
  std::uint16_t form{};
  std::uint8_t flags{};
  std::uint8_t operand_count{};  // number of valid elements in `operands`
  std::array<explicit_operand, 4> operands{};
  std::uint8_t operand_size{};  // effective size, in bytes
  std::uint8_t address_size{};  // effective size, in bytes
  // LCSize: size of the operand values in an execution record, in bytes.
  std::uint16_t values_size{};
  // First slot that contains the value of a write-only operand before execution.
  std::uint8_t first_out_slot{};
  // First slot that contains a value after execution.
  std::uint8_t first_after_slot{};
  std::uint8_t slot_count{};  // at most 253
  std::uint8_t mem0_segment_slot = slot_none;
  std::uint8_t mem0_base_slot = slot_none;
  std::uint8_t mem0_scale{};  // scale of the index; 0 if there is no index
  std::uint8_t mem0_index_slot = slot_none;
  // This field is at offset 67. The specification's table lists offset 65, which belongs to
  // mem0_scale.
  std::uint8_t mem1_base_slot = slot_none;
  // Values of constant operands. If the instruction has a MEM0 or AGEN operand, the first constant
  // is the displacement of that operand.
  std::array<std::uint64_t, 2> constants{};
  wire::array_view<slot_codec> slots;
};
using decoded_codec = wire::record<wire::in_struct_order<
    decoded_instruction,
    wire::field<&decoded_instruction::operands, wire::array_of<explicit_operand_codec, 4>>,
    wire::at<wire::field<&decoded_instruction::mem1_base_slot>, wire::padding<4>>,
    wire::counted<&decoded_instruction::slots, &decoded_instruction::slot_count>>>;
static_assert(wire::is_laid_out_as<decoded_codec, R"(
Offset  Size             Field
------  ---------------  ----------------------
0       2                category
2       2                mnemonic
4       2                form
6       1                flags
7       1                operand_count
8       48               operands
56      1                operand_size
57      1                address_size
58      2                values_size
60      1                first_out_slot
61      1                first_after_slot
62      1                slot_count
63      1                mem0_segment_slot
64      1                mem0_base_slot
65      1                mem0_scale
66      1                mem0_index_slot
67      1                mem1_base_slot
68      4                (padding)
72      16               constants
88      12 x slot_count  slots
)">);

}  // namespace tracecodec::umtracer
