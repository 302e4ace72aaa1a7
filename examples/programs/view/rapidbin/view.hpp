// trace_view's functions for RapidBin and STD text.
#pragma once
#include "../format_view.hpp"

namespace tracecodec::rapidbin {
struct metadata;
}

namespace view {

extern const format_view rapidbin_view, std_view;

// Returns the metadata of the trace to which `rows` belongs, or null if the trace has no metadata.
const tracecodec::rapidbin::metadata* metadata_of(const shown_rows& rows) noexcept;

}  // namespace view
