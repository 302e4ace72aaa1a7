// Whether bytes look like an x64dbg trace: by its magic. Reaches neither simdjson nor Zydis.
#pragma once
#include <cstddef>
#include <span>

#include "../file/begins_like.hpp"
#include "layout.hpp"

namespace tracecodec::x64dbg {

// Whether `head`, the first bytes of an input, begins as a trace does. An input that ends inside
// the magic is one, too: its reader says that it is cut.
inline bool begins_like_a_trace(std::span<const std::byte> head) noexcept {
  return file::begins_like<prefix_codec>(head);
}

}  // namespace tracecodec::x64dbg
