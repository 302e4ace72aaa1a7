// The conversions of RapidBin and STD text.
#pragma once
#include "../format_conversion.hpp"

namespace convert {

extern const format_conversion rapidbin_conversion, std_conversion;

// The parts, each in a file of its own.
write_function to_events;
void rapidbin_to_rows(tracecodec::trace::source source, const options& o, io::codec compression);

}  // namespace convert
