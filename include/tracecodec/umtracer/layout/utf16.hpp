// Converts the strings of module.itable to UTF-8.
#pragma once
#include <string>

#include "../../io/text/utf8.hpp"
#include "../../wire/types/scalar.hpp"
#include "../../wire/types/view.hpp"

namespace tracecodec::umtracer {

// Converts UTF-16 code units to UTF-8. Unpaired surrogates become U+FFFD.
inline std::string to_utf8(const wire::array_view<wire::u16le>& units) {
  return io::utf8_of_units(units);
}

}  // namespace tracecodec::umtracer
