// Conversions from x64dbg traces.
#pragma once
#include <tracecodec/x64dbg/opens.hpp>

#include "../format_conversion.hpp"

namespace convert {

extern const format_conversion x64dbg_conversion;

// Conversion functions. Each one is defined in its own source file.
write_function copy_x64dbg, x64dbg_to_umtracer;
void x64dbg_to_rows(tracecodec::trace::source source, const options& o, io::codec compression);

}  // namespace convert
