// The functions of umtracer/layout/utf16.hpp.
#pragma once
#include <cstddef>
#include <cstdint>

#include "../utf16.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC std::string to_utf8(const wire::array_view<wire::u16le>& units) {
  std::string out;
  const auto add = [&out](std::uint32_t byte) { out += static_cast<char>(byte); };
  for (std::size_t i = 0; i < units.size(); ++i) {
    std::uint32_t c = units[i];
    if (c >= 0xD800 && c < 0xE000) {
      const std::uint32_t low = c < 0xDC00 && i + 1 < units.size() ? units[i + 1] : 0U;
      const bool pair = low >= 0xDC00 && low < 0xE000;
      c = pair ? 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00) : 0xFFFD;
      i += pair;
    }
    if (c < 0x80) {
      add(c);
    } else if (c < 0x800) {
      add(0xC0 | c >> 6);
      add(0x80 | (c & 0x3F));
    } else {
      if (c < 0x10000) {
        add(0xE0 | c >> 12);
      } else {
        add(0xF0 | c >> 18);
        add(0x80 | (c >> 12 & 0x3F));
      }
      add(0x80 | (c >> 6 & 0x3F));
      add(0x80 | (c & 0x3F));
    }
  }
  return out;
}

}  // namespace tracecodec::umtracer
