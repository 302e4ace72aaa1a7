// UTF-8 byte order mark, which some editors write at the start of a text file. The library never
// treats the mark as part of the text.
#pragma once
#include <string_view>

#include "../../config.hpp"

namespace tracecodec::io {

inline constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";

// Returns `text` without the byte order mark at its start, if there is one.
constexpr std::string_view without_byte_order_mark(std::string_view text) noexcept {
  if (text.starts_with(byte_order_mark)) text.remove_prefix(byte_order_mark.size());
  return text;
}

}  // namespace tracecodec::io
