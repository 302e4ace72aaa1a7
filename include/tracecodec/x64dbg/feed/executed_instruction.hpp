// Executed instruction of an x64dbg trace, as stored by a feed.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "../../x86/executed_instruction.hpp"
#include "../layout.hpp"

namespace tracecodec::x64dbg {

using x86::outcome;

// Executed instruction for a simulator, with its position in the trace.
struct executed_instruction : x86::executed_instruction {
  std::uint64_t offset = 0;  // byte offset of the block in the trace
  // Bytes of the block, as in the file, except that a missing thread bit is set.
  const std::byte* block = nullptr;
  std::uint16_t block_size = 0;
  std::uint8_t code_at = 0;  // offset of the code in the block
  // True if mxcsr, a vector register or an mm register may have changed since the feed's previous
  // instruction. Valid only if the feed keeps register files.
  bool others_changed = true;
  bool mended = false;  // true if the block had the thread-id defect
  // The following members are valid only if the feed keeps register files.
  bool partial = false;    // true if some registers before the instruction are unknown
  bool open = false;       // true if the feed still waits for the thread's next instruction
  std::uint32_t next = 0;  // distance to the thread's next instruction; 0 if unknown
  // Register file before the thread's next instruction, or nullptr if unknown.
  const void* after = nullptr;
};

// Register file, which contains all words of REGDUMP before an instruction.
template <target T> using register_file = std::array<wire::word_t<T>, register_words<T>>;

}  // namespace tracecodec::x64dbg
