// Recognises RapidBin traces and STD text by their first bytes. RapidBin has no magic number, so
// the main criterion is that the number of events in the header matches the file size.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../config.hpp"
#include "../file/match.hpp"

namespace tracecodec::rapidbin {

// Result of probe():
// - certain: the header's number of events matches the size of the file, or the file contains only
//   a header of zeros.
// - possible: the counts and the first events are plausible, but the size is unknown or
//   does not match.
// - none: anything else.
using file::match;

// Maximum number of events that probe() examines.
inline constexpr std::size_t judged_events = 512;

// Returns how well `front` matches a RapidBin trace. `front` contains the first bytes of an input.
// `size` is the size of the input in bytes, or nullopt if the size is unknown.
TRACECODEC_FUNC match probe(std::span<const std::byte> front, std::optional<std::uint64_t> size);

// Returns true if `front` begins with STD text. Blank lines and comments are ignored. The first
// other line must be an event.
TRACECODEC_FUNC bool begins_like_std(std::span<const std::byte> front);

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/recognise.ipp"
#endif
