// Which part of a trace is used: trace | as ChampSim reads | skip | repeat | limit | shard, each
// only if the command line asks for it.
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

// The shard of `p` as --skip and --limit, for what needs to know where a part begins. The last part
// ends where the trace does. `all`: how many there are without `p`.
void cut_out_shard(std::uint64_t all, pipeline& p);

// Goes to where the part `p` begins, of what has no shard any more, and ends it there. Throws trace_error
// as the cursor.
void go_to(tracecodec::trace::cursor& trace, const pipeline& p);

// For a program that was given nothing of the trace `name`, without an error: throws
// trace_error(refused) if the options chose what is not there. The end of the trace, or one part of
// many, may be empty.
void require_something(const std::string& name, const reading& as, const pipeline& p);

// --skip and --limit.
void add_slice(command_line& line, pipeline& p);
// --shard.
void add_shard(command_line& line, pipeline& p);
// --repeat, --shard and --champsim-losses.
void add_rest(command_line& line, pipeline& p);
// The command line for --repeat, which is endless if no number follows.
std::vector<std::string> with_repeats_counted(int argc, char** argv);

}  // namespace examples
