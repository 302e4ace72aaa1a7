// Whether bytes look like an x64dbg trace: by its magic. Reaches neither simdjson nor Zydis.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "layout.hpp"

namespace tracecodec::x64dbg {

// Whether `head`, the first bytes of an input, begins as a trace does. An input that ends inside
// the magic is one, too: its reader says that it is cut.
constexpr bool begins_like_a_trace(std::span<const std::byte> head) noexcept {
  for (std::size_t i = 0; i < std::min(head.size(), magic.size()); ++i)
    if (head[i] != static_cast<std::byte>(magic[i])) return false;
  return !head.empty();
}

}  // namespace tracecodec::x64dbg
