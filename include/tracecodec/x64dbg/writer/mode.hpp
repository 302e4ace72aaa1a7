// The forms in which an x64dbg trace is written.
#pragma once
#include <cstdint>

namespace tracecodec::x64dbg {

enum class writer_mode : std::uint8_t {
  // Each block gives cip and the register words that changed since the block before.
  minimal,
  // What x64dbg itself writes: the words that changed since the block before and those that the
  // instruction is going to change, cip too only if it does (or if nothing else does); a thread id
  // also on the last block before a switch. One instruction is held back until the next is known.
  exact_union,
  // Header and blocks as they were read, byte for byte. For a whole trace: nothing is added.
  raw
};

}  // namespace tracecodec::x64dbg
