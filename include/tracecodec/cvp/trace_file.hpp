// Structure of CVP-1 and CBP2025 files: records without a header. Nothing identifies a file, except
// that each instruction leads to the next one.
#pragma once
#include "../file/describe.hpp"
#include "layout.hpp"

namespace tracecodec::cvp {

// A record has at most 18 bytes of numbers, two flags, two counts, 510 registers and 255 vectors.
inline constexpr std::size_t longest_record = 18 + 2 + 2 + 510 + 255 * 16;

template <dialect D> using records_of = file::records<
    codec<D>, file::each<"instruction">, file::longest<longest_record>,
    file::leads_to<&instruction<D>::next_pc, &instruction<D>::pc, &instruction<D>::is_plausible>>;
using cvp1_file = file::of<"CVP-1 trace", records_of<dialect::cvp1>>;
using cbp2025_file = file::of<"CBP2025 trace", records_of<dialect::cbp2025>>;
template <dialect D> using trace_file =
    std::conditional_t<D == dialect::cvp1, cvp1_file, cbp2025_file>;

}  // namespace tracecodec::cvp
