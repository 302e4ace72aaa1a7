// Rules for valid BT9 traces. A check does not stop at the first violation.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../file/text_checker.hpp"
#include "reader.hpp"

namespace tracecodec::bt9 {

// Rules of a check, in the order of `check_rules`.
enum class rule : std::uint8_t { damaged, cut, refused, flow, not_taken, space, uses, total };
inline constexpr std::array<check_rule, 8> check_rules{{
    {"damaged", severity::error, "the input cannot be read to its end"},
    {"cut", severity::error, "the text ends before the line EOF"},
    {"refused", severity::error, "a line is malformed"},
    {"flow", severity::error, "an edge does not begin where the previous one ends"},
    {"not-taken", severity::warning, "an unconditional branch that is not taken"},
    {"space", severity::warning, "the instructions of an edge do not fit between its branches"},
    {"uses", severity::warning, "the sequence does not use an edge or a node as often as stated"},
    {"total", severity::warning, "a total of the header differs from the graph"},
}};
struct check_summary : rule_counts<check_rules> {
  std::uint64_t records = 0;  // number of edges in the sequence
};

template <class Report> class checker
    : public file::text_checker<checker<Report>, trace_reader, check_rules, rule, check_summary,
                                Report> {
  using base = file::text_checker<checker, trace_reader, check_rules, rule, check_summary, Report>;
  friend base;

 public:
  using base::base;

 private:
  void check_begin(const trace_reader& from) {
    graph_ = &from.graph();
    uses_.assign(graph_->edges.size(), 0);
    for (const edge& e : graph_->edges) check_edge(e);
  }
  void check_edge(const edge& e) {
    const node& n = graph_->source(e);
    if (!e.taken && !n.is_dummy() && n.branch != feed::branch_class::conditional)
      this->found_in_text(rule::not_taken, "edge " + std::to_string(e.id));
    if (!spacing_of(*graph_, e).fits)
      this->found_in_text(rule::space,
                          "edge " + std::to_string(e.id) + ": " + std::to_string(e.instructions) +
                              " instructions cannot lie between its target and the next branch");
  }
  void check_one(const edge* e) {
    if (last_ != nullptr && last_->destination != e->source)
      this->found(rule::flow, "edge " + std::to_string(e->id) + " begins at node " +
                                  std::to_string(graph_->source(*e).id) + ", but edge " +
                                  std::to_string(last_->id) + " ends at node " +
                                  std::to_string(graph_->destination(*last_).id));
    ++uses_[static_cast<std::size_t>(e - graph_->edges.data())];
    last_ = e;
  }
  // The edge to the last node, which is a dummy, belongs to the graph but not to the sequence.
  void check_end(const trace_reader&) {
    std::vector<std::pair<std::uint64_t, std::uint64_t>> outcomes(graph_->nodes.size());
    std::uint64_t branches = 0, others = 0;
    for (std::size_t i = 0; i != uses_.size(); ++i) {
      const edge& e = graph_->edges[i];
      const bool last = uses_[i] == 0 && last_ != nullptr && e.source == last_->destination &&
                        graph_->destination(e).is_dummy();
      const std::uint64_t n = last ? 1 : uses_[i];
      compare(rule::uses, "edge " + std::to_string(e.id) + ": traverse_cnt", e.uses, n);
      others += n * e.instructions;
      (e.taken ? outcomes[e.source].first : outcomes[e.source].second) += n;
    }
    for (std::size_t i = 0; i != outcomes.size(); ++i) {
      const node& n = graph_->nodes[i];
      if (n.is_dummy()) continue;
      branches += outcomes[i].first + outcomes[i].second;
      const std::string name = "node " + std::to_string(n.id);
      compare(rule::uses, name + ": taken_cnt", n.taken, outcomes[i].first);
      compare(rule::uses, name + ": not_taken_cnt", n.not_taken, outcomes[i].second);
    }
    for (const auto& [name, there] : {std::pair("branch_instruction_count", branches),
                                      std::pair("total_instruction_count", branches + others)})
      compare(rule::total, name, graph_->stated(name), there);
  }
  void compare(rule r, const std::string& what, std::optional<std::uint64_t> stated,
               std::uint64_t there) {
    if (stated && *stated != there)
      this->found_in_text(r, what + " is " + std::to_string(*stated) + ", but the trace has " +
                                 std::to_string(there));
  }

  const bt9::graph* graph_ = nullptr;
  const edge* last_ = nullptr;            // last edge of the sequence so far
  std::vector<std::uint64_t> uses_ = {};  // number of uses of each edge
};

}  // namespace tracecodec::bt9
