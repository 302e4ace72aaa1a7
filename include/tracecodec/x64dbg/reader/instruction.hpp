// One executed instruction, as readers deliver it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "access.hpp"
#include "state.hpp"

namespace tracecodec::x64dbg {

// Everything in it is valid until the reader goes on.
template <target T> struct instruction {
  std::uint64_t index = 0;                    // from 0, user blocks not counted
  std::uint64_t offset = 0;                   // of its block in the trace
  std::optional<std::uint32_t> thread = {};   // unknown until a block has given one
  x64dbg::block<T> block = {};                // views into the file or the reader's buffer
  const register_state<T>* before = nullptr;  // the registers before it

  [[nodiscard]] wire::word_t<T> ip() const noexcept { return before->cip(); }
  [[nodiscard]] std::span<const std::byte> opcode() const noexcept { return block.opcode.bytes(); }
  [[nodiscard]] access_range<T> accesses() const noexcept { return access_range<T>(block); }
};

}  // namespace tracecodec::x64dbg
