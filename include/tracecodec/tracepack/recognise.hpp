// Detects tracepack files by their first bytes.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::tracepack {

// Magic number at the start of every tracepack file (`front` in layout.hpp).
inline constexpr std::string_view magic = "\x89TPACK\r\n";

constexpr bool begins_like_a_pack(std::span<const std::byte> front) noexcept {
  return front.size() >= magic.size() &&
         std::equal(magic.begin(), magic.end(), front.begin(),
                    [](char c, std::byte b) { return static_cast<std::byte>(c) == b; });
}

}  // namespace tracecodec::tracepack
