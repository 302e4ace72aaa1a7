// Executed instruction that readers return.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "access.hpp"
#include "state.hpp"

namespace tracecodec::x64dbg {

// Executed instruction with its block and registers. The object is valid until the reader moves to
// another instruction.
template <target T> struct instruction {
  std::uint64_t index = 0;                    // index in the trace; user blocks have no index
  std::uint64_t offset = 0;                   // byte offset of the block in the trace
  std::optional<std::uint32_t> thread = {};   // nullopt before the first thread id
  x64dbg::block<T> block = {};                // views into the file or a buffer
  const register_state<T>* before = nullptr;  // registers before the instruction

  [[nodiscard]] wire::word_t<T> ip() const noexcept { return before->cip(); }
  [[nodiscard]] std::span<const std::byte> opcode() const noexcept { return block.opcode.bytes(); }
  [[nodiscard]] access_range<T> accesses() const noexcept { return access_range<T>(block); }
};

}  // namespace tracecodec::x64dbg
