// The rows of a trace, whatever its format is, behind what the command line asks for.
#pragma once
#include <tracecodec/feed/column_row.hpp>

#include "any_feed.hpp"
#include "pipeline.hpp"

namespace examples {

using any_rows = any_feed<feed::column_batch>;

// The rows of `from`, which must stay, with what `p` asks for. Throws trace_error(refused) if a shard
// cannot be counted (a pipe).
any_rows piped(feed::column_source& from, const pipeline& p);

}  // namespace examples
