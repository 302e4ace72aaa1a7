// What is written: rows of the tables.
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

// A thread to be written.
struct thread_info {
  std::optional<std::uint32_t> id = {};  // nullopt: the row's number
  std::uint32_t win_tid = 0;
  std::uint64_t tib_address = 0;
};

// A module to be written. Names are UTF-16, 32,767 units at most.
struct module_info {
  std::uint64_t start_address = 0;
  std::uint64_t end_address = 0;  // of the last byte
  std::u16string_view win_name = {};
  std::u16string_view device_name = {};
  module_version version = {};                // only rows of 64 bytes have it
  std::optional<std::int64_t> load_eid = {};  // nullopt: that of the record written next
  std::int64_t unload_eid = no_eid;           // no_eid: until it is unloaded, or to the end
};

// An instruction to be written. What decoded.operands has behind operand_count is not kept;
// decoded.slots and decoded.slot_count are not looked at: `slots` says it.
struct instruction_info {
  instruction_type type = instruction_type::normal;
  bool code64 = false;
  std::int32_t module_id = -1;  // -1: of no module
  std::uint64_t address = 0;
  std::span<const std::byte> code = {};  // 1 to 15 bytes
  std::string_view text = {};            // Intel syntax, 32,767 characters at most
  decoded_instruction decoded = {};
  std::span<const slot> slots = {};  // 253 at most
};

// A system call to be written.
struct syscall_info {
  std::uint16_t raw_id = 0;
  std::uint16_t uniform_id = 0;
  syscall_convention convention = syscall_convention::unknown;
  std::uint64_t stack_pointer = 0;                // before the call
  std::span<const std::uint64_t> arguments = {};  // from left to right, 255 at most
  std::uint8_t extra_count = 0;                   // things in `extras`
  std::span<const std::byte> extras = {};         // of unknown form
};

// How a system call of a finished trace began and ended.
struct syscall_outcome {
  std::int64_t begin_eid = no_eid;
  std::int64_t end_eid = no_eid;  // no_eid: it never ended
  bool completed = false;         // whether it returned as a function does
  std::uint64_t result = 0;       // 0 unless completed
};

}  // namespace tracecodec::umtracer
