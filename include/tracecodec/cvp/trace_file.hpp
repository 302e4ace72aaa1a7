// Structure of CVP-1 and CBP2025 files: records without a header.
#pragma once
#include "../file/describe.hpp"
#include "layout.hpp"

namespace tracecodec::cvp {

// A record has at most 18 bytes of numbers, two flags, two counts, 510 registers and 255 vectors.
inline constexpr std::size_t longest_record = 18 + 2 + 2 + 510 + 255 * 16;

using cvp1_file = file::of<"CVP-1 trace", file::records<codec<dialect::cvp1>,
                                                        file::each<"instruction">,
                                                        file::longest<longest_record>>>;
using cbp2025_file = file::of<"CBP2025 trace", file::records<codec<dialect::cbp2025>,
                                                             file::each<"instruction">,
                                                             file::longest<longest_record>>>;
template <dialect D> using trace_file =
    std::conditional_t<D == dialect::cvp1, cvp1_file, cbp2025_file>;

}  // namespace tracecodec::cvp
