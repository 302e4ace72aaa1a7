// Which part of a trace is used: trace | as ChampSim reads | skip | repeat | limit | shard, each
// only if the command line asks for it.
#pragma once
#include <tracecodec/feed/adaptors.hpp>
#include <tracecodec/trace/reader.hpp>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "any_feed.hpp"
#include "command_line.hpp"

namespace examples {

struct pipeline {
  bool champsim_losses = false;
  std::uint64_t skip = 0;
  std::optional<std::uint64_t> repeat = {}, limit = {};
  std::optional<feed::shard> part = {};
};

inline bool has_shard(const pipeline& p) { return p.part && p.part->of != 1; }

// `f` with what `p` asks for. Throws trace_error(refused) if a shard cannot be counted (a pipe).
template <feed::stream Feed> any_feed<typename Feed::batch_type> piped(Feed f, const pipeline& p) {
  any_feed<typename Feed::batch_type> all(std::move(f));
  if (p.champsim_losses) all = {std::move(all) | feed::as_champsim_reads{}};
  if (p.skip != 0) all = {std::move(all) | feed::skip{p.skip}};
  if (p.repeat) all = {std::move(all) | feed::repeat{*p.repeat}};
  if (p.limit) all = {std::move(all) | feed::limit{*p.limit}};
  if (has_shard(p)) all = {std::move(all) | *p.part};
  return all;
}

// The shard of `p` as --skip and --limit, for what needs to know where a part begins. The last part
// ends where the trace does. `all`: how many there are without `p`.
inline void cut_out_shard(std::uint64_t all, pipeline& p) {
  if (!has_shard(p)) return;
  const std::uint64_t behind = all - std::min(all, p.skip);
  const auto [from, to] = p.part->range(std::min(behind, p.limit.value_or(behind)));
  if (p.limit || to != behind) p.limit = to - from;
  p.skip += from;
  p.part.reset();
}
// `whole` is the trace, without `p`. Throws as piped().
template <feed::stream Feed> void cut_out_shard(Feed& whole, pipeline& p) {
  if (has_shard(p)) cut_out_shard(whole.count().value_or(0), p);
}

// Goes to where the part `p` begins, of what has no shard any more, and ends it there. Throws trace_error
// as the reader.
inline void go_to(tracecodec::trace::reader& trace, const pipeline& p) {
  trace.skip(p.skip);
  if (p.limit) trace.limit(*p.limit);
}

// For a program that was given nothing of the trace `name`, without an error: throws
// trace_error(refused) if the options chose what is not there. The end of the trace, or one part of
// many, may be empty.
inline void require_something(const std::string& name, const reading& as, const pipeline& p) {
  const bool chosen = as.thread || !as.wanted.everything();
  if (p.limit == std::uint64_t{0} || has_shard(p) || (p.skip == 0 && !chosen)) return;
  throw tracecodec::trace_error(tracecodec::trace_errc::refused, {name},
                                p.skip != 0
                                    ? "nothing is left behind the first " + std::to_string(p.skip)
                                    : "has nothing of what the options choose");
}

inline void add_slice(CLI::App& app, pipeline& p) {
  add_count(app, "--skip", p.skip, "Leave out the first N instructions");
  add_most(app, "-n,--limit", p.limit, "End after N instructions; 0 is none (default all)");
}

// "1/4": the second of four parts.
inline std::optional<feed::shard> shard_of(const std::string& s) {
  const std::size_t slash = s.find('/');
  const auto index = count_of(s.substr(0, slash));
  const auto of = slash == std::string::npos ? std::nullopt : count_of(s.substr(slash + 1));
  if (!index || !of || *index >= *of) return std::nullopt;
  return feed::shard{*index, *of};
}

inline void add_shard(CLI::App& app, pipeline& p) {
  add_value(
      app, "--shard", "I/N",
      [&p](const std::string& s) { return (p.part = shard_of(s)).has_value(); },
      "Only part I, from 0, of N equal parts of what the other options leave",
      "I/N with I below N");
}

inline void add_rest(CLI::App& app, pipeline& p) {
  const auto set_repeat = [&p](const std::string& s) {
    p.repeat = s == "endless" ? feed::endless : count_of(s);
    return p.repeat && *p.repeat != 0;
  };
  add_value(app, "--repeat", "[TIMES]", set_repeat,
            "Read the trace again at its end, in all TIMES times; without a number "
            "endlessly, which needs --limit",
            "a number from 1");
  add_shard(app, p);
  app.add_flag("--champsim-losses", p.champsim_losses,
               "Leave out what ChampSim's own reader loses: the last record of most passes");
}

// The command line with each `option` that no number follows made `option=value`: what follows may
// be the trace.
inline std::vector<std::string> with_numbers(std::vector<std::string> args,
                                             const std::string& option, const std::string& value) {
  for (std::size_t i = 0; i < args.size() && args[i] != "--"; ++i)
    if (args[i] == option && (i + 1 == args.size() || !count_of(args[i + 1])))
      args[i] += '=' + value;
  return args;
}

// So with --repeat, which is endless then.
inline std::vector<std::string> with_repeats_counted(int argc, char** argv) {
  return with_numbers(arguments(argc, argv), "--repeat", "endless");
}

}  // namespace examples
