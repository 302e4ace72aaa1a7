// The functions of umtracer/layout/utf16.hpp.
#pragma once
#include <cstddef>
#include <string>

#include "../../../io/text/utf8.hpp"
#include "../utf16.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC std::string to_utf8(const wire::array_view<wire::u16le>& units) {
  std::u16string native(units.size(), u'\0');
  for (std::size_t i = 0; i < units.size(); ++i) native[i] = static_cast<char16_t>(units[i]);
  return io::utf8_of(native);
}

}  // namespace tracecodec::umtracer
