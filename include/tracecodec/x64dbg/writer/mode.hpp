// Modes for writing an x64dbg trace.
#pragma once
#include <cstdint>

#include "../../config.hpp"

namespace tracecodec::x64dbg {

enum class writer_mode : std::uint8_t {
  // Each block stores cip and the register words that changed since the previous block.
  minimal,
  // The blocks have the same form as in x64dbg's own traces. A block stores the words that have
  // changed since the previous block, and the words that its instruction changes. cip is stored
  // only if it changes, or if no other word is stored. The last block before a thread switch also
  // has a thread id. Each instruction is held back until the next instruction is known.
  exact_union,
  // The header and the blocks are written exactly as they were read. Suitable only for entire
  // traces, because the writer does not add snapshots or thread ids.
  raw
};

}  // namespace tracecodec::x64dbg
