// Instruction that is about to be written. It owns its bytes, so it can be held back until the next
// instruction is known.
#pragma once
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../reader/access.hpp"
#include "../reader/state.hpp"

namespace tracecodec::x64dbg {

// Builder of a block from a register state and copied bytes. It does not allocate memory. Its size
// is about 9 KiB for x64.
template <target T> class block_builder {
  using word = typename block<T>::word;
  static constexpr std::size_t most = 255;

 public:
  std::optional<std::uint32_t> thread = {};
  register_state<T> state = {};  // registers before the instruction
  // Register words that the instruction's block in the read trace lists. Empty if the instruction
  // was not read from a trace.
  std::bitset<register_words<T>> listed = {};

  // Copies opcode and accesses. Calls refuse(field, why), which must throw, if they do not fit in a
  // block.
  template <class Refuse> void take(std::span<const std::byte> opcode,
                                    std::span<const memory_access> accesses, Refuse&& refuse);
  // Copies opcode and accesses of a block that was read.
  void take(const block<T>& b);

  // Returns the block that stores the register words selected by `give`, and the thread id if
  // `with_id` is true. The block's views refer to this object, and are valid until it changes.
  block<T> build(const std::bitset<register_words<T>>& give, bool with_id);

 private:
  std::array<std::byte, 16> opcode_ = {};
  std::array<std::byte, register_words<T>> positions_ = {};
  std::array<std::byte, register_words<T>* word::size> values_ = {};
  std::array<std::byte, most> flags_ = {};
  std::array<std::byte, most*word::size> addresses_ = {}, old_ = {}, new_ = {};
  std::size_t opcode_size_ = 0, accesses_ = 0, changed_ = 0;
};

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/block_builder.ipp"
#endif
