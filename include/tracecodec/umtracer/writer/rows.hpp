// Rows of tables, as input for a writer.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "../layout/common.hpp"
#include "../layout/instruction.hpp"
#include "../layout/syscall.hpp"

namespace tracecodec::umtracer {

// Thread to write.
struct thread_info {
  std::optional<std::uint32_t> id = {};  // default: the row's number
  std::uint32_t win_tid = 0;
  std::uint64_t tib_address = 0;
};

// Module to write. Names are UTF-16 and have up to 32,767 units.
struct module_info {
  std::uint64_t start_address = 0;
  std::uint64_t end_address = 0;  // address of the last byte
  std::u16string_view win_name = {};
  std::u16string_view device_name = {};
  module_version version = {};                // stored only in rows of 64 bytes
  std::optional<std::int64_t> load_eid = {};  // default: id of the next record
  std::int64_t unload_eid = no_eid;           // no_eid if loaded until unload_module() or the end
};

// Instruction to write. Operands after the first decoded.operand_count are not stored.
// decoded.slots and decoded.slot_count are ignored, because `slots` replaces both.
struct instruction_info {
  instruction_type type = instruction_type::normal;
  bool code64 = false;
  std::int32_t module_id = -1;  // -1 if outside all modules
  std::uint64_t address = 0;
  std::span<const std::byte> code = {};  // 1 to 15 bytes
  std::string_view text = {};            // Intel syntax, up to 32,767 characters
  decoded_instruction decoded = {};
  std::span<const slot> slots = {};  // up to 253 slots
};

// System call to write.
struct syscall_info {
  std::uint16_t raw_id = 0;
  std::uint16_t uniform_id = 0;
  syscall_convention convention = syscall_convention::unknown;
  std::uint64_t stack_pointer = 0;                // before the call
  std::span<const std::uint64_t> arguments = {};  // from left to right, up to 255
  std::uint8_t extra_count = 0;                   // number of elements in `extras`
  std::span<const std::byte> extras = {};         // in an unknown format
};

// Beginning and end of a system call in a finished trace.
struct syscall_outcome {
  std::int64_t begin_eid = no_eid;
  std::int64_t end_eid = no_eid;  // no_eid if the call never ended
  bool completed = false;         // true if the call returned
  std::uint64_t result = 0;       // 0 unless `completed` is true
};

}  // namespace tracecodec::umtracer
