// Writes the allowed values of a field as text.
#pragma once
#include <string_view>

#include "../layout_row.hpp"

namespace tracecodec::wire::detail {

// Writes the characters of a constant as a quoted string. Quotes, backslashes, *, | and unprintable
// characters become \xNN. (A * could end a C comment.)
template <class Out> constexpr void put_quoted(Out& out, std::string_view chars) {
  constexpr std::string_view digits = "0123456789abcdef";
  out(std::string_view("\""));
  for (const char& c : chars) {
    const auto u = static_cast<unsigned char>(c);
    if (u >= ' ' && u <= '~' && c != '"' && c != '\\' && c != '*' && c != '|') {
      out(std::string_view(&c, 1));
      continue;
    }
    out(std::string_view("\\x"));
    out(digits.substr(u >> 4, 1));
    out(digits.substr(u & 0xf, 1));
  }
  out(std::string_view("\""));
}

// Writes the allowed values in a form such as `"GIF8"`, `3`, `1 or 2`, or `1 to 9`. Writes
// "restricted" if a function checks the value, "computed" if the value is computed from the record,
// and "relative to last" if the field stores the difference from member `last`.
template <class Out> constexpr void put_values(Out& out, const layout_values& v) {
  const auto numbers = [&](std::string_view between) {
    for (std::size_t i = 0; i < v.numbers.size(); ++i) {
      if (i != 0) out(i + 1 == v.numbers.size() ? between : std::string_view(", "));
      out(v.numbers[i].view());
    }
  };
  if (v.are == values_are::computed)
    out(std::string_view("computed"));
  else if (v.are == values_are::relative)
    out(std::string_view("relative to ")),
        out(v.base.empty() ? std::string_view("computed") : v.base);
  else if (v.are == values_are::constant && v.chars.data() != nullptr)
    put_quoted(out, v.chars);
  else if (!v.texts.empty())
    for (std::size_t i = 0; i < v.texts.size(); ++i) {
      if (i != 0) out(std::string_view(i + 1 == v.texts.size() ? " or " : ", "));
      put_quoted(out, v.texts[i]);
    }
  else if (v.numbers.empty())
    out(std::string_view("restricted"));
  else
    numbers(v.are == values_are::range ? std::string_view(" to ") : std::string_view(" or "));
}

}  // namespace tracecodec::wire::detail
