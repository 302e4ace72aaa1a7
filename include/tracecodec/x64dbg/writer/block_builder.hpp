// Instruction that is about to be written. The object owns its bytes, so the writer can hold back
// the instruction until the next instruction is known.
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

// Builder of a block from a register state and copied bytes. The builder does not allocate memory.
// For x64, its size is about 9 KiB.
template <target T> class block_builder {
  using word = typename block<T>::word;
  static constexpr std::size_t most = 255;

 public:
  std::optional<std::uint32_t> thread = {};
  register_state<T> state = {};  // registers before the instruction
  // Register words that the instruction's original block contains. The set is empty if the
  // instruction was not read from a trace.
  std::bitset<register_words<T>> listed = {};

  // Copies the opcode and the accesses. If they do not fit in a block, calls refuse(field, why),
  // which must throw.
  template <class Refuse> void take(std::span<const std::byte> opcode,
                                    std::span<const memory_access> accesses, Refuse&& refuse);
  // Copies the opcode and the accesses of a block that was read from a trace.
  void take(const block<T>& b);

  // Returns a block with the register words selected by `give`. Includes the thread id if `with_id`
  // is true. The block's views refer to this builder, and are valid until the builder changes.
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
