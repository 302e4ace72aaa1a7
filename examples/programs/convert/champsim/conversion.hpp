// Conversions from and to ChampSim and CloudSuite traces.
#pragma once
#include "../format_conversion.hpp"

namespace convert {

extern const format_conversion champsim_conversion, cloudsuite_conversion;

// Conversion functions. Each one is defined in its own source file.
write_function copy_records, records_from_any, described_to_records;
void champsim_to_rows(tracecodec::trace::source in, const options& o, io::codec compression);
// Returns true if `in` is a tracepack that stores the code of its ChampSim instructions.
bool has_code(const tracecodec::trace::source& in);

}  // namespace convert
