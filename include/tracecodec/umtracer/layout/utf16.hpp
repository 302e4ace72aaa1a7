// Converts the strings of module.itable to UTF-8.
#pragma once
#include <cstddef>
#include <string>

#include "../../io/text/utf8.hpp"
#include "../../wire/types/scalar.hpp"
#include "../../wire/types/view.hpp"

namespace tracecodec::umtracer {

// Converts UTF-16 code units to UTF-8. Unpaired surrogates become U+FFFD.
std::string to_utf8(const wire::array_view<wire::u16le>& units);

inline std::string to_utf8(const wire::array_view<wire::u16le>& units) {
  std::u16string native(units.size(), u'\0');
  for (std::size_t i = 0; i < units.size(); ++i) native[i] = static_cast<char16_t>(units[i]);
  return io::utf8_of(native);
}

}  // namespace tracecodec::umtracer
