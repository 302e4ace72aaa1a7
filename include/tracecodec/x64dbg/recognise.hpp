// Recognises an x64dbg trace by its magic number. Requires neither simdjson nor Zydis.
#pragma once
#include <cstddef>
#include <span>

#include "../file/begins_like.hpp"
#include "layout.hpp"

namespace tracecodec::x64dbg {

// Returns true if `head` begins with the magic number of a trace. `head` contains the first bytes
// of an input. Also returns true if the input ends inside the magic number, because the reader then
// reports that the trace is truncated.
inline bool begins_like_a_trace(std::span<const std::byte> head) noexcept {
  return file::begins_like<prefix_codec>(head);
}

}  // namespace tracecodec::x64dbg
