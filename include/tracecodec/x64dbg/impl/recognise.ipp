// The function of recognise.hpp.
#pragma once
#include <cstddef>
#include <span>

#include "../../file/begins_like.hpp"
#include "../layout.hpp"
#include "../recognise.hpp"

namespace tracecodec::x64dbg {

TRACECODEC_FUNC bool begins_like_a_trace(std::span<const std::byte> head) noexcept {
  return file::begins_like<prefix_codec>(head);
}

}  // namespace tracecodec::x64dbg
