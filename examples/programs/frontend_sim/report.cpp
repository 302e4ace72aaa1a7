#include "report.hpp"

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../common/json.hpp"
#include "../common/text.hpp"

namespace frontend {

namespace {

void add_figure(std::string& s, std::string_view name, const std::string& value) {
  examples::add_left(s, name, 27);
  examples::add_right(s, value, 13);
  s += '\n';
}

void write_branches(std::string& s, const result& r) {
  const counts& c = *r.counted;
  const auto row = [&](std::string_view name, const branch_counts& b) {
    examples::add_left(s, name, 16);
    for (const std::uint64_t n : {b.count, b.taken, b.mispredicted})
      examples::add_right(s, examples::grouped(n), 14);
    examples::add_right(s, examples::fixed(r.for_each_thousand(b.mispredicted), 4), 10);
    s += '\n';
  };
  s += "Branches                 count         taken  mispredicted      MPKI\n";
  for (std::size_t i = 0; i < c.branches.size(); ++i) {
    const auto kind = static_cast<branch_class>(i);
    if (kind != branch_class::not_branch)
      row(name(kind), c.branches[i]);
    else if (c.branches[i].count != 0)
      row("(flag only)", c.branches[i]);
  }
  row("all but other", c.known_branches());
}

// Appends the results for instruction fetching.
void write_front_end(std::string& s, const result& r) {
  using examples::fixed, examples::grouped;
  const counts& c = *r.counted;
  const auto ratio = [](double v) { return std::isnan(v) ? std::string("-") : fixed(v, 4); };
  if (c.has_branches()) {
    add_figure(s, "Accuracy, %", ratio(r.accuracy()));
    add_figure(s, "MPKI (mispredictions)", ratio(r.mpki()));
  }
  add_figure(s, "Fetch blocks", grouped(c.fetch_blocks));
  add_figure(s, "Instruction cache accesses", grouped(c.fetch_blocks));
  add_figure(s, "Instruction cache misses", grouped(c.cache_misses));
  add_figure(s, "MPKI (cache misses)", ratio(r.for_each_thousand(c.cache_misses)));
  add_figure(s, "Unique ips", grouped(c.ips.size()));
}

}  // namespace

void write_text(std::string& s, const result& r) {
  using examples::grouped;
  const counts& c = *r.counted;
  s += examples::printable(r.trace) + ": " + std::string(r.format);
  if (r.has_branches) s += ", predictor " + std::string(r.predictor);
  s += "\n\n";
  if (!r.has_branches)
    s += "No branches: the format has no control flow, so only its memory accesses follow\n";
  else if (!c.has_branches())
    s += "No branches\n";
  else
    write_branches(s, r);
  s += '\n';
  add_figure(s, "Instructions", grouped(c.instructions));
  if (r.has_branches) write_front_end(s, r);
  add_figure(s, "Instructions reading", grouped(c.memory_reads));
  add_figure(s, "Instructions writing", grouped(c.memory_writes));
  add_figure(s, "Data lines of 64 bytes", grouped(c.data_lines.size()));
  add_figure(s, "Data pages of 4 KiB", grouped(c.data_pages.size()));
  add_figure(s, "Million instructions/s", examples::fixed(r.millions_a_second(), 1));
}

void write_json(std::string& s, const result& r) {
  const counts& c = *r.counted;
  examples::json j(s);
  const auto branch = [&j](std::string_view key, const branch_counts& b) {
    j.key(key).object().key("count").number(b.count).key("taken").number(b.taken);
    j.key("mispredicted").number(b.mispredicted).end_object();
  };
  j.object().key("trace").string(r.trace).key("format").string(r.format);
  j.key("instructions").number(c.instructions);
  j.key("has_branches").boolean(r.has_branches);
  j.key("branches").object();
  for (std::size_t i = 0; i < static_cast<std::size_t>(branch_class::not_branch); ++i)
    branch(name(static_cast<branch_class>(i)), c.branches[i]);
  j.end_object();
  branch("flag_only", c.branches[static_cast<std::size_t>(branch_class::not_branch)]);
  j.key("direction").object().key("predictor").string(r.predictor);
  if (r.of_tables.table) j.key("table_size").number(*r.of_tables.table);
  j.key("accuracy").number(r.accuracy()).key("mpki").number(r.mpki()).end_object();
  j.key("btb").object().key("sets").number(r.of_tables.btb_sets);
  j.key("ways").number(r.of_tables.btb_ways).end_object();
  j.key("ras_size").number(r.of_tables.ras).key("indirect_size").number(r.of_tables.indirect);
  j.key("fetch_blocks").number(c.fetch_blocks);
  j.key("instruction_cache").object().key("accesses").number(c.fetch_blocks);
  j.key("misses").number(c.cache_misses);
  j.key("mpki").number(r.for_each_thousand(c.cache_misses)).end_object();
  j.key("unique_ips").number(c.ips.size());
  j.key("memory_reads").number(c.memory_reads).key("memory_writes").number(c.memory_writes);
  j.key("data_footprint").object().key("lines").number(c.data_lines.size());
  j.key("pages").number(c.data_pages.size()).end_object();
  j.key("seconds").number(r.seconds);
  j.key("million_instructions_per_second").number(r.millions_a_second()).end_object();
  s += '\n';
}

}  // namespace frontend
