// Readers of BT9 traces. trace_reader returns the edges of the sequence, and instruction_reader the
// instructions along these edges.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "../config.hpp"
#include "../file/made_records.hpp"
#include "../io/open.hpp"
#include "../io/text/words.hpp"
#include "graph.hpp"

namespace tracecodec::bt9 {

// Reader of the sequence of edges. Each edge of the sequence is one execution of the edge's source.
class trace_reader : public file::made_records<trace_reader, const edge*> {
  friend file::made_records<trace_reader, const edge*>;

 public:
  // Reads the header and the graph. Memory use is proportional to the size of this text. Throws
  // trace_error:
  // - not_a_trace if the first word is not that of a BT9 trace.
  // - bad_value, with the offset, the number and the field of the line, for a malformed line, an
  //   unknown or repeated node or edge, and an edge with more than most_instructions instructions.
  // - truncated if the text ends before the sequence.
  // next() throws bad_value for a malformed line or an unknown edge, and truncated for a text without
  // the line EOF.
  TRACECODEC_FUNC explicit trace_reader(io::input in);

  [[nodiscard]] const bt9::graph& graph() const noexcept { return *graph_; }
  [[nodiscard]] std::optional<double> progress() const { return lines_.progress(); }
  [[nodiscard]] const std::string& name() const { return lines_.name(); }

 private:
  using ids = std::unordered_map<std::uint64_t, std::uint32_t>;

  TRACECODEC_FUNC io::line_words line_before(std::string_view mark);
  TRACECODEC_FUNC void read_nodes();
  TRACECODEC_FUNC void read_edges(const ids& nodes);
  TRACECODEC_FUNC bool make(std::vector<const edge*>& to);
  void restart() { lines_.seek(start_, start_line_); }

  io::lines lines_;
  // Graph on the heap, because records point to its edges.
  std::unique_ptr<bt9::graph> graph_ = std::make_unique<bt9::graph>();
  ids edges_ = {};                            // indices of edges by their ids
  std::uint64_t start_ = 0, start_line_ = 0;  // place of the first line of the sequence
};

// Branch of the sequence, or one of the instructions that follow it on its edge.
struct instruction {
  const bt9::edge* edge = nullptr;
  const bt9::node* node = nullptr;  // the branch, or null for another instruction
  std::uint64_t step = 0;           // index of the edge in the sequence
  std::uint64_t ip = 0;             // estimated if node is null (spacing_of())

  [[nodiscard]] constexpr feed::branch_class branch() const noexcept {
    return node != nullptr ? node->branch : feed::branch_class::not_branch;
  }
  [[nodiscard]] constexpr bool taken() const noexcept { return node != nullptr && edge->taken; }
  [[nodiscard]] constexpr std::uint64_t target() const noexcept {
    return taken() ? edge->target : 0;
  }
};

// Reader of instructions. The first node, which is a dummy, is not an instruction.
class instruction_reader : public file::made_records<instruction_reader, instruction> {
  friend file::made_records<instruction_reader, instruction>;

 public:
  explicit instruction_reader(io::input in) : from_(std::move(in)) {}
  [[nodiscard]] const bt9::graph& graph() const noexcept { return from_.graph(); }
  [[nodiscard]] std::optional<double> progress() const { return from_.progress(); }
  [[nodiscard]] const std::string& name() const { return from_.name(); }

 private:
  TRACECODEC_FUNC bool make(std::vector<instruction>& to);
  void restart() {
    from_.rewind();
    steps_ = {};
    done_ = 0;
  }

  trace_reader from_;
  trace_reader::batch_type steps_ = {};  // edges whose instructions were not all made
  std::uint32_t done_ = 0;               // number of instructions of this edge that were made
};

}  // namespace tracecodec::bt9

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/reader.ipp"
#endif
