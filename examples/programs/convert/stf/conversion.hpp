// Conversions from STF traces.
#pragma once
#include "../format_conversion.hpp"

namespace convert {

extern const format_conversion stf_conversion;

// Conversion functions. Each one is defined in its own source file.
write_function copy_stf;
void stf_to_rows(tracecodec::trace::source source, const options& o, io::codec compression);

}  // namespace convert
