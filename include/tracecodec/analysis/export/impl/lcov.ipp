// Implements analysis/export/lcov.hpp.
#pragma once
#include <algorithm>
#include <cstddef>

#include "../../../io/text/utf8.hpp"
#include "../../../rows/numbers.hpp"
#include "../lcov.hpp"

namespace tracecodec::analysis {

TRACECODEC_FUNC void line_coverage::add(const source_lines& lines,
                                        std::span<const executed_instruction> instructions) {
  const auto from = [instructions](std::uint64_t address) {
    return std::lower_bound(
        instructions.begin(), instructions.end(), address,
        [](const executed_instruction& i, std::uint64_t a) { return i.address < a; });
  };
  for (const source_line& l : lines.lines) {
    std::uint64_t& count = files_[lines.files[l.file]].lines[l.line];
    for (auto i = from(l.address); i != instructions.end() && i->address < l.end; ++i)
      count = std::max(count, i->executions);
  }
  for (const source_function& f : lines.functions) {
    std::uint64_t& count = files_[lines.files[f.file]].functions[{f.line, f.name}];
    const auto i = from(f.address);
    if (i != instructions.end() && i->address == f.address) count += i->executions;
  }
}

TRACECODEC_FUNC void line_coverage::write(io::text_output& to) const {
  std::string& text = to.text();
  const auto number = [&text](const char* before, std::uint64_t n) {
    rows::add_number(text += before, n);
  };
  const auto count_of = [&](const char* all, const char* executed, const auto& counts) {
    std::size_t more = 0;
    for (const auto& [what, count] : counts) more += count != 0;
    number(all, counts.size());
    number(executed, more);
    text += '\n';
  };
  for (const auto& [path, f] : files_) {
    io::add_shown(text += "TN:\nSF:", path);
    text += '\n';
    for (const auto& [where, count] : f.functions) {
      number("FN:", where.first);
      io::add_shown(text += ',', where.second);
      text += '\n';
      to.end_record();
    }
    for (const auto& [where, count] : f.functions) {
      number("FNDA:", count);
      io::add_shown(text += ',', where.second);
      text += '\n';
      to.end_record();
    }
    count_of("FNF:", "\nFNH:", f.functions);
    for (const auto& [line, count] : f.lines) {
      number("DA:", line);
      number(",", count);
      text += '\n';
      to.end_record();
    }
    count_of("LF:", "\nLH:", f.lines);
    text += "end_of_record\n";
    to.end_record();
  }
}

}  // namespace tracecodec::analysis
