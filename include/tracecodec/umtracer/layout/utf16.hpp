// The strings of module.itable as UTF-8.
#pragma once
#include <string>

#include "../../config.hpp"
#include "../../wire/types/scalar.hpp"
#include "../../wire/types/view.hpp"

namespace tracecodec::umtracer {

// UTF-16 units, of which surrogates may stand alone, as UTF-8: such a one becomes U+FFFD.
std::string to_utf8(const wire::array_view<wire::u16le>& units);

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/utf16.ipp"
#endif
