// Conversions from drmemtrace traces.
#pragma once
#include "../format_conversion.hpp"

namespace convert {

extern const format_conversion drmemtrace_conversion;

// Conversion functions. Each one is defined in its own source file.
write_function drmemtrace_to_champsim, copy_drmemtrace, any_to_drmemtrace;
void drmemtrace_to_rows(tracecodec::trace::source source, const options& o, io::codec compression);

// Throws usage_error for options and outputs that do not apply to records of drmemtrace.
void refuse_for_drmemtrace(const options& o);

}  // namespace convert
