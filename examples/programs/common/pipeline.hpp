// Command-line options that select a part of a trace. The options are applied in this order:
// --champsim-losses, --skip, --repeat, --limit, --shard. Options that are not set have no effect.
#pragma once
#include <tracecodec/feed/adaptors.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "reading.hpp"

namespace tracecodec::trace {
class cursor;
}

namespace examples {

namespace feed = tracecodec::feed;

struct pipeline {
  bool champsim_losses = false;
  std::uint64_t skip = 0;
  std::optional<std::uint64_t> repeat = {}, limit = {};
  std::optional<feed::shard> part = {};
};

inline bool has_shard(const pipeline& p) { return p.part && p.part->of != 1; }

// Replaces the shard in `p` by an equivalent skip and limit, for callers that need the position of
// the shard. `all` is the number of instructions without any of the options in `p`. The last shard
// is limited only if `p` already has a limit.
void cut_out_shard(std::uint64_t all, pipeline& p);

// Moves `trace` to the first instruction that `p` selects, and limits the range of `trace` to the
// selected instructions. `p` must not contain a shard. Throws trace_error like the cursor.
void go_to(tracecodec::trace::cursor& trace, const pipeline& p);

// Throws trace_error(refused) if --skip or options that select records have excluded the whole
// trace `name`. Call this function if the program received neither a record nor an error. Does
// nothing with --limit 0 or with a shard, because an empty result is then valid.
void require_something(const std::string& name, const reading& as, const pipeline& p);

// Adds --skip and --limit.
void add_slice(command_line& line, pipeline& p);
// Adds --shard.
void add_shard(command_line& line, pipeline& p);
// Adds --repeat, --shard and --champsim-losses.
void add_rest(command_line& line, pipeline& p);
// Returns the command-line arguments. Adds a number to each --repeat without a number, so that it
// repeats the trace endlessly.
std::vector<std::string> with_repeats_counted(int argc, char** argv);

}  // namespace examples
