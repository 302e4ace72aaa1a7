#include "pipeline.hpp"

#include <tracecodec/trace/cursor.hpp>

#include <algorithm>

namespace examples {

void cut_out_shard(std::uint64_t all, pipeline& p) {
  if (!has_shard(p)) return;
  const std::uint64_t left = all - std::min(all, p.skip);
  const auto [from, to] = p.part->range(std::min(left, p.limit.value_or(left)));
  if (p.limit || to != left) p.limit = to - from;
  p.skip += from;
  p.part.reset();
}

void go_to(tracecodec::trace::cursor& trace, const pipeline& p) {
  trace.skip(p.skip);
  if (p.limit) trace.limit(*p.limit);
}

void require_something(const std::string& name, const reading& as, const pipeline& p) {
  const bool chosen = as.thread || has_choices(as);
  if (p.limit == std::uint64_t{0} || has_shard(p) || (p.skip == 0 && !chosen)) return;
  throw tracecodec::trace_error(tracecodec::trace_errc::refused, {name},
                                p.skip != 0
                                    ? "nothing is left after the first " + std::to_string(p.skip)
                                    : "contains nothing that the options select");
}

void add_slice(command_line& line, pipeline& p) {
  line.begin_group("Selection");
  add_count(line, "--skip", p.skip, "Skip the first N instructions");
  add_most(line, "-n,--limit", p.limit, "Stop after N instructions; 0 means none (default all)");
}

namespace {
// Parses "I/N". For example, "1/4" is the second of four parts.
std::optional<feed::shard> shard_of(const std::string& s) {
  const std::size_t slash = s.find('/');
  const auto index = count_of(s.substr(0, slash));
  const auto of = slash == std::string::npos ? std::nullopt : count_of(s.substr(slash + 1));
  if (!index || !of || *index >= *of) return std::nullopt;
  return feed::shard{*index, *of};
}
}  // namespace

void add_shard(command_line& line, pipeline& p) {
  line.begin_group("Selection");
  add_value(
      line, "--shard", "I/N",
      [&p](const std::string& s) { return (p.part = shard_of(s)).has_value(); },
      "Read part I of N equal parts, counted from 0, of what the other options select",
      "I/N with I below N");
}

void add_rest(command_line& line, pipeline& p) {
  line.begin_group("Selection");
  const auto set_repeat = [&p](const std::string& s) {
    p.repeat = s == "endless" ? feed::endless : count_of(s);
    return p.repeat && *p.repeat != 0;
  };
  add_value(
      line, "--repeat", "[TIMES]", set_repeat,
      "Read the trace TIMES times in a row, or endlessly without a number, which needs --limit",
      "a number from 1");
  add_shard(line, p);
  line.add_flag(
      "--champsim-losses", p.champsim_losses,
      "Leave out the records that ChampSim's own reader loses: the last one of most passes");
}

std::vector<std::string> with_repeats_counted(int argc, char** argv) {
  return with_numbers(arguments(argc, argv), "--repeat", "endless");
}

}  // namespace examples
