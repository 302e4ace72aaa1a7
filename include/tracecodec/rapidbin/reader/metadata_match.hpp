// Whether metadata can be those of a trace, by the front of it: what programs warn of when they
// open both. check.hpp compares all of it.
#pragma once
#include <cstddef>
#include <span>
#include <string>

#include "../../config.hpp"
#include "../metadata.hpp"

namespace tracecodec::rapidbin {

// Why `names` cannot be the metadata of the trace (or STD `text`) whose first bytes are `front`,
// which are the `whole` of it or not: other numbers of ids than the header declares or, of a whole
// trace, occur; an event with an id that they do not have. Empty if nothing speaks against it.
TRACECODEC_FUNC std::string mismatch(const metadata& names, std::span<const std::byte> front,
                                     bool whole, bool text);

// Whether the first bytes of STD text, `front`, have a name that is no number.
TRACECODEC_FUNC bool has_names(std::span<const std::byte> front);

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/metadata_match.ipp"
#endif
