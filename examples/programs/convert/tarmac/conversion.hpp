// Conversions from and to Tarmac text.
#pragma once
#include "../format_conversion.hpp"

namespace convert {

extern const format_conversion tarmac_conversion;

}  // namespace convert
