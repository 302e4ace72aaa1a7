// Detects metadata that does not belong to a trace. The functions read only the first bytes of the
// trace, so that programs can warn the user as soon as a trace is opened. check.hpp compares the
// entire trace.
#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "../../config.hpp"
#include "../metadata.hpp"

namespace tracecodec::rapidbin {

// Returns the reason why `names` cannot be the metadata of a trace, or an empty string if no
// contradiction is found. `front` contains the first bytes of the trace. `whole` is true if `front`
// contains the entire trace. `text` is true if the trace is STD text. A contradiction is an id that
// the metadata lacks, or a number of ids that differs from the header. If `whole` is true, the
// number of ids must also match the events.
TRACECODEC_FUNC std::string mismatch(const metadata& names, std::span<const std::byte> front,
                                     bool whole, bool text);

// Returns true if `front`, the first bytes of STD text, contains a name that is not a number.
TRACECODEC_FUNC bool has_names(std::span<const std::byte> front);

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/metadata_match.ipp"
#endif
