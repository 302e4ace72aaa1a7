// Conversions of any trace to the text formats of cache simulators.
#pragma once
#include "../format_conversion.hpp"

namespace convert {

extern const format_conversion lackey_conversion, dinero_conversion;

}  // namespace convert
