// Messages, of parts. (A chain of + is a function for each of its steps wherever it stands, which costs a compiler
// more than the rest of an error.)
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <string>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::io {

// One behind the other.
TRACECODEC_FUNC std::string text_of(std::initializer_list<std::string_view> parts);

// A number as a part of a text. Its digits last as long as it does: as an argument of text_of(), long enough.
class decimal {
 public:
  explicit decimal(std::uint64_t n) noexcept {
    do digits_[--begin_] = static_cast<char>('0' + n % 10);
    while ((n /= 10) != 0);
  }
  operator std::string_view() const noexcept {
    return {digits_.data() + begin_, digits_.size() - begin_};
  }

 private:
  std::array<char, 20> digits_;
  std::size_t begin_ = 20;
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/text.ipp"
#endif
