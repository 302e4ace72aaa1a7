// The conversions of UMTracer.
#pragma once
#include "../format_conversion.hpp"

namespace convert {

extern const format_conversion umtracer_conversion;

// The parts, each in a file of its own.
write_function copy_umtracer;
void umtracer_to_rows(tracecodec::trace::source source, const options& o, io::codec compression);

}  // namespace convert
