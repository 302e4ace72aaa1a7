// Conversions from and to Tenet's traces.
#pragma once
#include "../format_conversion.hpp"

namespace convert {

extern const format_conversion tenet_conversion;

}  // namespace convert
