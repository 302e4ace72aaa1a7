// Whether bytes look like an x64dbg trace: by its magic. Reaches neither simdjson nor Zydis.
#pragma once
#include <cstddef>
#include <span>

#include "../config.hpp"

namespace tracecodec::x64dbg {

// Whether `head`, the first bytes of an input, begins as a trace does. An input that ends inside
// the magic is one, too: its reader says that it is cut.
TRACECODEC_FUNC bool begins_like_a_trace(std::span<const std::byte> head) noexcept;

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/recognise.ipp"
#endif
