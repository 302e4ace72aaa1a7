// An executed instruction of an x64dbg trace as a feed keeps it: what a simulator sees, and where it lies.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "../../x86/lifted.hpp"
#include "../layout.hpp"

namespace tracecodec::x64dbg {

using x86::outcome;

// An instruction, and where it lies in the trace.
struct lifted : x86::lifted {
  std::uint64_t offset = 0;          // of the block in the trace
  const std::byte* block = nullptr;  // as in the file, a missing bit mended
  std::uint16_t block_size = 0;
  std::uint8_t code_at = 0;  // where in the block the code is
  // Whether mxcsr, a vector or an mm register may differ from what it was before the feed's previous instruction. Only
  // if files are kept.
  bool others_changed = true;
  bool mended = false;  // a block with the thread-id defect
  // Only if files are kept:
  bool partial = false;         // not all registers before it are known
  bool open = false;            // its thread's next instruction is awaited
  std::uint32_t next = 0;       // that one, by its distance among those held; 0: unknown
  const void* after = nullptr;  // the register file before that one; nullptr: unknown
};

// The whole register file before an instruction.
template <target T> using register_file = std::array<wire::word_t<T>, register_words<T>>;

}  // namespace tracecodec::x64dbg
