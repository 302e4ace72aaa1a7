// A word of a list of words.
#pragma once
#include <algorithm>
#include <cstddef>
#include <string_view>

#include "../../config.hpp"

namespace tracecodec::io {

// Returns word number `n` of `words`, which are separated by spaces, or an empty text if there are not
// so many.
constexpr std::string_view nth_word(std::string_view words, std::size_t n) noexcept {
  for (; n != 0 && !words.empty(); --n)
    words.remove_prefix(std::min(words.find(' '), words.size() - 1) + 1);
  return words.substr(0, words.find(' '));
}

}  // namespace tracecodec::io
