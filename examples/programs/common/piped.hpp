// Rows of a trace of any format, restricted to the part that the command line selects.
#pragma once
#include <tracecodec/feed/column_row.hpp>

#include "any_feed.hpp"
#include "pipeline.hpp"

namespace examples {

using any_rows = any_feed<feed::column_batch>;

// Returns the rows of `from` that `p` selects. `from` must outlive the result. Throws
// trace_error(refused) if a shard is selected and the trace is a pipe, because the rows of a pipe
// cannot be counted in advance.
any_rows piped(feed::column_source& from, const pipeline& p);

}  // namespace examples
