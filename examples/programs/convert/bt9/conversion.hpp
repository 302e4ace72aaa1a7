// Conversions from BT9 traces.
#pragma once
#include "../format_conversion.hpp"

namespace convert {

extern const format_conversion bt9_conversion;

}  // namespace convert
