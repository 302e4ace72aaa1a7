// UTF-8 byte order mark, which some editors write before a text. The library never treats it as
// part of a text.
#pragma once
#include <string_view>

namespace tracecodec::io {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// Returns `text` without its byte order mark, if it begins with one.
constexpr std::string_view without_byte_order_mark(std::string_view text) noexcept {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return text;
}

}  // namespace tracecodec::io
