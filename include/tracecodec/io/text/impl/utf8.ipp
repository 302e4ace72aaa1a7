// Boost.Nowide converts; where it finds no character, it may have gone over the first byte of the next, and
// is not followed.
#pragma once
#include "../utf8.hpp"

#include <boost/nowide/utf/utf.hpp>
#include <iterator>

namespace tracecodec::io {

namespace detail {
using utf8_traits = boost::nowide::utf::utf_traits<char>;
using utf16_traits = boost::nowide::utf::utf_traits<char16_t>;

constexpr bool is_character(boost::nowide::utf::code_point c) noexcept {
  return c != boost::nowide::utf::illegal && c != boost::nowide::utf::incomplete;
}

TRACECODEC_FUNC character wide_character(std::string_view s) noexcept {
  const char* p = s.data();
  const auto c = utf8_traits::decode(p, s.data() + s.size());
  if (!is_character(c)) return {0, 0};
  return {c, static_cast<std::size_t>(p - s.data())};
}
}  // namespace detail

TRACECODEC_FUNC std::optional<std::u16string> utf16_of(std::string_view s) {
  std::u16string out;
  while (!s.empty()) {
    const auto [number, size] = front_character(s);
    if (size == 0) return std::nullopt;
    detail::utf16_traits::encode(number, std::back_inserter(out));
    s.remove_prefix(size);
  }
  return out;
}

TRACECODEC_FUNC std::string utf8_of(std::u16string_view s) {
  std::string out;
  out.reserve(s.size());
  for (const char16_t *p = s.data(), *const end = p + s.size(); p != end;) {
    const char16_t* behind = p;
    const auto c = detail::utf16_traits::decode(behind, end);
    if (detail::is_character(c)) {
      detail::utf8_traits::encode(c, std::back_inserter(out));
      p = behind;
    } else {
      out += no_character;
      ++p;
    }
  }
  return out;
}

TRACECODEC_FUNC std::string as_utf8(std::string_view s) {
  std::string out;
  add_utf8(
      out, s, [](char) { return false; }, [](char) {});
  return out;
}

}  // namespace tracecodec::io
