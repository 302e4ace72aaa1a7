// Report sections on instructions: instruction kinds, branches, branch prediction and the hottest
// blocks.
#pragma once
#include <tracecodec/rows/numbers.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "../common/places.hpp"
#include "../view/shown.hpp"
#include "sections.hpp"

namespace analysis = tracecodec::analysis;

namespace report {

inline void add_instruction_mix(document& page, const measured& m, const time_axis& t) {
  std::string& s = page.html;
  page.begin_section("mix", "Instruction mix");
  add_mix(s, m, t, {instruction_kinds.begin(), instruction_kinds.end()},
          instruction_kinds.size() - 1);
  s += "<p class=\"soft\">Each instruction counts once: a branch that reads or writes memory, as "
       "calls and returns do, is a branch here, while Reading and Writing of the summary count it, "
       "too.</p>\n";
  page.end_section();
}

inline void add_branches(document& page, const measured& m, const time_axis& t) {
  std::string& s = page.html;
  page.begin_section("branches", "Branches");
  std::vector<part> parts;
  branch_totals all;
  std::uint64_t total = 0;
  for (const branch_totals& b : m.flow->branches) total += b.count;
  std::vector<std::vector<std::string>> cells;
  const auto row = [&](std::string text, const branch_totals& b) {
    std::vector<std::string> line{std::move(text), grouped(b.count), share_of(b.count, total),
                                  grouped(b.taken)};
    for (const std::uint64_t n : b.mispredicted) {
      line.push_back(grouped(n));
      line.push_back(mpki_of(n, m.instructions()));
    }
    cells.push_back(std::move(line));
  };
  for (std::size_t c = 0; c < feed::branch_class_count; ++c) {
    const branch_totals& b = m.flow->branches[c];
    if (b.count == 0) continue;
    const auto kind = static_cast<feed::branch_class>(c);
    // "Flag only" denotes instructions that are marked as branches only by the trace's own flag.
    std::string text(kind == feed::branch_class::not_branch ? "flag only" : name(kind));
    std::replace(text.begin(), text.end(), '_', ' ');
    parts.push_back({text, c, b.count});
    row(text, b);
    all.taken += b.taken;
    for (std::size_t k = 0; k < predictors; ++k) all.mispredicted[k] += b.mispredicted[k];
  }
  all.count = total;
  if (total == 0) {
    s += "<p>There are no branches.</p>\n";
    page.end_section();
    return;
  }
  row("all", all);
  add_bar(s, "All branches", parts);
  {
    side_by_side beside(s);
    beside.add([&] {
      std::vector<series> lines;
      for (std::size_t k = 0; k < predictors; ++k)
        lines.push_back({std::string(predictor_names[k]), k,
                         values_of(m, [k](const auto& b) { return 1000 * b.mispredicted[k]; })});
      add_lines(s, "Mispredictions", t, lines, "MPKI");
    });
    beside.add([&] {
      std::vector<std::string> heads{"class", "#count", "%share", "#taken"};
      for (const std::string_view p : predictor_names) {
        heads.push_back("#missed by " + std::string(p));
        heads.push_back("#MPKI of " + std::string(p));
      }
      table rows(s, {heads.begin(), heads.end()});
      for (const auto& line : cells) rows.row(line);
    });
  }
  s += "<p class=\"soft\">Direction predictors and target tables are ChampSim's; they begin empty. "
       "A branch is mispredicted if its direction or its target is. MPKI is the number of "
       "mispredictions per 1,000 instructions.</p>\n";
  page.end_section();
}

// Adds the first instructions of a hot block. `b.code` contains the instructions that were saved
// during the measurement.
inline void add_code(std::string& s, const analysis::hot_block& b,
                     const feed::column_source& trace) {
  constexpr std::size_t longest_line = 120;
  std::size_t ips = 0, codes = 0;  // column widths
  for (const auto& i : b.code) {
    ips = std::max(ips, hex(i.ip).size());
    codes = std::max(codes, 2 * i.code().size());
  }
  s += "<pre tabindex=\"0\">";
  const bool holds_text = trace.has().has(feed::column::text);
  for (const auto& i : b.code) {
    std::string bytes, column;
    tracecodec::rows::add_bytes(bytes, i.code());
    examples::add_left(column, hex(i.ip), ips + 2);
    s += "<i>" + column + "</i><i>";
    examples::add_left(s, bytes, codes + 2);
    s += "</i>";
    add_text(s, holds_text ? i.text : trace.assembly_of(i.code(), i.ip), longest_line);
    s += '\n';
  }
  if (b.more) s += "<i>and more</i>\n";
  s += "</pre>";
}

inline void add_blocks(document& page, const measured& m, const view::shown_trace& trace) {
  constexpr std::size_t shown = 20;
  std::string& s = page.html;
  page.begin_section("blocks", "Hottest blocks");
  const auto& blocks = m.flow->blocks.result();
  const auto top = blocks.top(shown);
  const bool has_code = trace.columns.has(feed::column::code);
  std::vector<std::string> modules, symbols;
  bool any_module = false, any_symbol = false;
  for (const auto* b : top) {
    const std::uint64_t index = has_code ? b->data.index : ~std::uint64_t{0};
    const auto place = trace.places.at(b->key, index);
    modules.push_back(trace.rows->module_at(b->key, index));
    if (modules.back().empty()) modules.back() = examples::module_text(place);
    any_module |= !modules.back().empty();
    symbols.push_back(examples::symbol_text(place));
    any_symbol |= !symbols.back().empty();
  }
  // The column "block" is the last one, so that a block's code can unfold without moving the
  // columns of numbers.
  std::vector<std::string_view> heads{"#no.",      "#instructions", "%share",
                                      "#executed", "#length",       "block"};
  if (any_symbol) heads.push_back("symbol");
  if (any_module) heads.push_back("module");
  const auto add_rows = [&](std::size_t from, std::size_t to) {
    table rows(s, heads);
    for (std::size_t k = from; k < to; ++k) {
      const auto& b = *top[k];
      std::string where = code(hex(b.key));
      if (has_code) {
        where = "<details><summary>" + where + "</summary>\n";
        add_code(where, b.data, trace.columns.columns());
        where += "</details>";
      }
      std::vector<std::string> line{
          std::to_string(k + 1),      grouped(b.count),       share_of(b.count, m.instructions()),
          grouped(b.data.executions), grouped(b.data.length), std::move(where)};
      if (any_symbol) line.push_back(symbols[k].empty() ? "" : code(symbols[k]));
      if (any_module) line.push_back(modules[k].empty() ? "" : code(modules[k]));
      rows.row(line);
    }
  };
  if (any_symbol) {
    // With symbols, the table is so wide that no second table fits beside it.
    add_rows(0, top.size());
  } else {
    side_by_side beside(s);
    const std::size_t half = std::min(top.size(), shown / 2);
    beside.add([&] { add_rows(0, half); });
    if (half != top.size()) beside.add([&] { add_rows(half, top.size()); });
  }
  add_error(s, blocks.error());
  s += "<p class=\"soft\">A block is the instructions after a branch, up to and including the next "
       "one. Its address is that of its first instruction, its length that of its longest "
       "execution. ";
  s += has_code ? "Its address opens its code." : "Traces of this format have no code.";
  s += "</p>\n";
  page.end_section();
}

}  // namespace report
