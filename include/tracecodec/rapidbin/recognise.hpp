// Whether bytes look like a RapidBin trace, or like its text. The format has no magic: what tells
// it is that the header's number of events is the file's size.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../config.hpp"
#include "../file/likeness.hpp"

namespace tracecodec::rapidbin {

// none, possible (the counts make sense and so do the first events, but the size is another, or unknown)
// or certain (and the header's number of events is the size).
using file::likeness;

// How many events decide.
inline constexpr std::size_t judged_events = 512;

// Judges the front of a content of `size` bytes, if that is known.
TRACECODEC_FUNC likeness judge(std::span<const std::byte> front, std::optional<std::uint64_t> size);

// Whether the first line that is neither empty nor a comment is one of STD text.
TRACECODEC_FUNC bool begins_like_std(std::span<const std::byte> front);

}  // namespace tracecodec::rapidbin

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/recognise.ipp"
#endif
