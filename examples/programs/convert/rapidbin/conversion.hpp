// Conversions to and from RapidBin and STD text.
#pragma once
#include "../format_conversion.hpp"

namespace convert {

extern const format_conversion rapidbin_conversion, std_conversion;

// Conversion functions. Each one is defined in its own source file.
write_function to_events;
void rapidbin_to_rows(tracecodec::trace::source source, const options& o, io::codec compression);

}  // namespace convert
