// Ends and parts that say a range of bytes of a record, for sizes and checksums (computations.hpp).
#pragma once
#include <cstdint>

#include "../types/engine/scan.hpp"

namespace tracecodec::wire {

// Places at which a range of bytes can begin or end, besides members: the start and the end of the
// record, and the computed member itself. A range that ends `here` ends before the computed member,
// and a range that begins `here` begins after it.
enum class range_end : std::uint8_t { record_start, record_end, here };
inline constexpr range_end record_start = range_end::record_start;
inline constexpr range_end record_end = range_end::record_end;
inline constexpr range_end here = range_end::here;
// Range of the part sized<Size, ...>.
template <auto Size> struct sized_by_t { static constexpr auto size_of_part = Size; };
template <auto Size> inline constexpr sized_by_t<Size> sized_by{};

}  // namespace tracecodec::wire
