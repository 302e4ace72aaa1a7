// The conversions of x64dbg.
#pragma once
#include <tracecodec/x64dbg/opens.hpp>

#include "../format_conversion.hpp"

namespace convert {

extern const format_conversion x64dbg_conversion;

// The parts, each in a file of its own.
write_function copy_x64dbg, x64dbg_to_umtracer;
void x64dbg_to_rows(tracecodec::trace::source source, const options& o, io::codec compression);

}  // namespace convert
