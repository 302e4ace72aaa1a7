// Structure of CVP-1 and CBP2025 files: records without a header. Files have no signature; they are
// recognised because each instruction leads to the next one.
#pragma once
#include "../file/describe.hpp"
#include "layout.hpp"

namespace tracecodec::cvp {

template <dialect D> using records_of = file::records<
    codec<D>, file::each<"instruction">,
    file::leads_to<&instruction<D>::next_pc, &instruction<D>::pc, &instruction<D>::is_plausible>>;
using cvp1_file = file::of<"CVP-1 trace", records_of<dialect::cvp1>>;
using cbp2025_file = file::of<"CBP2025 trace", records_of<dialect::cbp2025>>;
template <dialect D> using trace_file =
    std::conditional_t<D == dialect::cvp1, cvp1_file, cbp2025_file>;

}  // namespace tracecodec::cvp
