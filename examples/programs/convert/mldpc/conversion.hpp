// Conversions of ML-DPC traces, and to them.
#pragma once
#include "../format_conversion.hpp"

namespace convert {

extern const format_conversion mldpc_conversion;

}  // namespace convert
