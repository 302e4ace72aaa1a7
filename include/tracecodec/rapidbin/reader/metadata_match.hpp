// Detects metadata that does not belong to a trace, by the first bytes of the trace. Programs warn
// about such metadata when they open the trace. check.hpp compares the whole trace.
#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "../../config.hpp"
#include "../metadata.hpp"

namespace tracecodec::rapidbin {

// Returns the reason why `names` cannot be the metadata of a trace, or an empty string if no
// contradiction is found. `front` contains the first bytes of the trace, which is STD text if
// `text` is true. `whole` is true if `front` is the entire trace.
// One contradiction is an event with an id that the metadata lacks. Another is a number of ids
// that differs from the header or, if `whole` is true, from the events.
TRACECODEC_FUNC std::string mismatch(const metadata& names, std::span<const std::byte> front,
                                     bool whole, bool text);

// Returns true if `front`, the first bytes of STD text, contains a name that is not a number.
TRACECODEC_FUNC bool has_names(std::span<const std::byte> front);

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/metadata_match.ipp"
#endif
