#pragma once
#include "../reader.hpp"

#include <algorithm>
#include <utility>

namespace tracecodec::bt9 {

// Returns the words of the next line that is not empty. Returns no words for the line `mark`.
TRACECODEC_FUNC io::line_words trace_reader::line_before(std::string_view mark) {
  for (;;) {
    const auto line = lines_.next();
    if (!line || (!lines_.is_whole() && mark != end_mark))
      throw trace_error(
          trace_errc::truncated, {name(), lines_.next_offset()},
          "the trace ends before the line " + std::string(mark) + lines_.offset_note());
    const std::string_view first = io::words(*line).next();
    if (first == mark) return {lines_, {}};
    if (!first.empty() && !lines_.is_whole()) continue;  // the line can be incomplete
    if (!first.empty()) return {lines_, *line};
  }
}

TRACECODEC_FUNC trace_reader::trace_reader(io::input in) : lines_(std::move(in)) {
  const auto first = lines_.next();
  if (!first || io::words(*first).next() != signature)
    throw trace_error(trace_errc::not_a_trace, {name(), 0},
                      "expected a BT9 trace, whose first word is " + std::string(signature) +
                          lines_.offset_note());
  constexpr std::string_view end = "BT9_NODES";
  for (auto line = line_before(end); !line.rest().empty(); line = line_before(end)) {
    std::string_view key = line.next();
    if (key.ends_with(':')) key.remove_suffix(1);
    graph_->header.emplace_back(key, line.rest());
  }
  read_nodes();
  start_ = lines_.next_offset();
  start_line_ = lines_.number() + 1;
}

TRACECODEC_FUNC void trace_reader::read_nodes() {
  constexpr std::string_view end = "BT9_EDGES";
  ids known;
  for (auto line = line_before(end); !line.rest().empty(); line = line_before(end)) {
    if (line.next() != "NODE") line.refuse("", "expected a node, which begins with NODE");
    node n;
    n.id = line.number("id");
    n.address = line.number("virtual_address");
    if (const auto at = line.next(); at != "-") line.number_in(at, "physical_address");
    n.opcode = line.number("opcode");
    const std::uint64_t size = line.number("size");
    if (size > most_bytes) line.refuse("size", "an instruction has at most 16 bytes");
    n.size = static_cast<std::uint8_t>(size);
    for (auto key = line.next(); !key.empty(); key = line.next()) {
      const auto value = line.next();
      if (key == "class:") n.branch = class_of(value).value_or(feed::branch_class::not_branch);
      if (key == "taken_cnt:") n.taken = line.number_in(value, "taken_cnt");
      if (key == "not_taken_cnt:") n.not_taken = line.number_in(value, "not_taken_cnt");
    }
    if (!n.is_dummy() && n.branch == feed::branch_class::not_branch)
      line.refuse("class", "expected three parts such as JMP+DIR+CND");
    if (!known.emplace(n.id, static_cast<std::uint32_t>(graph_->nodes.size())).second)
      line.refuse("id", "a previous node has the same id");
    graph_->nodes.push_back(n);
  }
  read_edges(known);
}

TRACECODEC_FUNC void trace_reader::read_edges(const ids& nodes) {
  constexpr std::string_view end = "BT9_EDGE_SEQUENCE";
  for (auto line = line_before(end); !line.rest().empty(); line = line_before(end)) {
    const auto node_index = [&](const char* field) {
      const auto found = nodes.find(line.number(field));
      if (found == nodes.end()) line.refuse(field, "no node has this id");
      return found->second;
    };
    if (line.next() != "EDGE") line.refuse("", "expected an edge, which begins with EDGE");
    edge e;
    e.id = line.number("id");
    e.source = node_index("src_id");
    e.destination = node_index("dest_id");
    const auto outcome = line.next();
    e.taken = outcome == "T";
    if (!e.taken && outcome != "N") line.refuse("taken", "expected T or N");
    e.target = line.number("br_virt_target");
    if (const auto at = line.next(); at != "-") line.number_in(at, "br_phy_target");
    const auto count = line.next();
    if (count.ends_with(':'))
      line.refuse("inst_cnt",
                  "the edge has no physical target, as in the output of stf_bt9, whose edges do "
                  "not store the outcomes of their branches: convert the STF trace instead");
    const std::uint64_t n = line.number_in(count, "inst_cnt");
    if (n > most_instructions)
      line.refuse("inst_cnt", "at most 65536 instructions can lie between two branches");
    e.instructions = static_cast<std::uint32_t>(n);
    for (auto key = line.next(); !key.empty(); key = line.next())
      if (const auto value = line.next(); key == "traverse_cnt:")
        e.uses = line.number_in(value, "traverse_cnt");
    if (!edges_.emplace(e.id, static_cast<std::uint32_t>(graph_->edges.size())).second)
      line.refuse("id", "a previous edge has the same id");
    graph_->edges.push_back(e);
  }
}

TRACECODEC_FUNC bool trace_reader::make(std::vector<const edge*>& to) {
  for (std::size_t n = 0; n != batch_size; ++n) {
    auto line = line_before(end_mark);
    if (line.rest().empty()) return false;
    const auto found = edges_.find(line.number("edge"));
    if (found == edges_.end() || !line.rest().empty())
      line.refuse("edge", "expected the id of one edge");
    to.push_back(&graph_->edges[found->second]);
  }
  return true;
}

TRACECODEC_FUNC bool instruction_reader::make(std::vector<instruction>& to) {
  for (const std::size_t before = to.size(); to.size() - before < batch_size;) {
    if (steps_.size() == 0) steps_ = from_.next();
    if (steps_.size() == 0) return false;
    const edge& e = *steps_[0];
    const node& n = graph().source(e);
    const std::uint64_t start = graph().start_of(e), step = steps_.first;
    const spacing where = spacing_of(graph(), e);
    if (done_ == 0 && !n.is_dummy()) to.push_back({&e, &n, step, n.address});
    const auto room = static_cast<std::uint32_t>(batch_size);
    const std::uint32_t end = done_ + std::min(e.instructions - done_, room);
    for (; done_ != end; ++done_) to.push_back({&e, nullptr, step, start + where.offset_of(done_)});
    if (done_ != e.instructions) return true;
    done_ = 0;
    steps_ = steps_.part(1, steps_.size() - 1);
  }
  return true;
}

}  // namespace tracecodec::bt9
