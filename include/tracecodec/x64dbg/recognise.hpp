// Recognises an x64dbg trace by its magic. Needs neither simdjson nor Zydis.
#pragma once
#include <cstddef>
#include <span>

#include "../file/begins_like.hpp"
#include "layout.hpp"

namespace tracecodec::x64dbg {

// Returns true if `head`, the first bytes of an input, begins like a trace. An input that ends
// inside the magic counts too: its reader reports that it is truncated.
inline bool begins_like_a_trace(std::span<const std::byte> head) noexcept {
  return file::begins_like<prefix_codec>(head);
}

}  // namespace tracecodec::x64dbg
