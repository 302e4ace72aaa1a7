// The conversions of ChampSim and CloudSuite.
#pragma once
#include "../format_conversion.hpp"

namespace convert {

extern const format_conversion champsim_conversion, cloudsuite_conversion;

// The parts, each in a file of its own.
write_function copy_records, records_from_any, described_to_records;
void champsim_to_rows(tracecodec::trace::source in, const options& o, io::codec compression);
// Returns whether a ChampSim trace is packed together with the code of its instructions.
bool has_code(const tracecodec::trace::source& in);

}  // namespace convert
