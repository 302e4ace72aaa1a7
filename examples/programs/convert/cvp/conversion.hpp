// Conversions from CVP-1 and CBP2025 traces.
#pragma once
#include "../format_conversion.hpp"

namespace convert {

extern const format_conversion cvp1_conversion, cbp2025_conversion;

// Conversion functions. Each one is defined in its own source file.
write_function copy_cvp, cvp_to_champsim;
void cvp_to_rows(tracecodec::trace::source source, const options& o, io::codec compression);

}  // namespace convert
