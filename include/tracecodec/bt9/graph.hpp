// Graph of a BT9 trace: the branch instructions of a program, and the paths between them. BT9 is the
// text format of the branch traces of CBP-2016, a Championship Branch Prediction.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../feed/instruction.hpp"
#include "../io/text/words.hpp"

namespace tracecodec::bt9 {

inline constexpr std::string_view signature = "BT9_SPA_TRACE_FORMAT", end_mark = "EOF";
inline constexpr std::uint64_t most_bytes = 16;  // maximum of node::size

// Branch instruction. The first node of a trace is a dummy that leads to the first branch, and the
// last node is a dummy that follows the last branch. Both have no class and size 0.
struct node {
  std::uint64_t id = 0;
  std::uint64_t address = 0;
  // Code of the instruction as a number of `size` bytes. The format does not state its byte order.
  std::uint64_t opcode = 0;
  std::uint8_t size = 0;  // in bytes
  feed::branch_class branch = feed::branch_class::not_branch;
  // Number of executions that the trace states, if it states them.
  std::optional<std::uint64_t> taken = {}, not_taken = {};

  [[nodiscard]] constexpr bool is_dummy() const noexcept { return size == 0; }
};

// Path from the execution of a branch to the execution of the next branch.
struct edge {
  std::uint64_t id = 0;
  std::uint32_t source = 0, destination = 0;  // indices of nodes
  bool taken = false;                         // outcome of the branch `source`
  std::uint64_t target = 0;                   // virtual address
  // Number of instructions between the branches, which are not branches.
  std::uint32_t instructions = 0;
  // Number of uses that the trace states, if it states it.
  std::optional<std::uint64_t> uses = {};
};
// Maximum of edge::instructions. It limits the number of instructions that a file of a given size
// can contain.
inline constexpr std::uint32_t most_instructions = std::uint32_t{1} << 16;

// Class of a branch, such as "JMP+DIR+CND". Returns nullopt for other text. Every conditional branch
// has the class conditional, even if it is a call or a return.
constexpr std::optional<feed::branch_class> class_of(std::string_view text) noexcept {
  using feed::branch_class;
  constexpr std::size_t form = 3;  // length of the second and the third part
  if (text.size() < 2 * form + 2) return std::nullopt;
  const std::string_view condition = text.substr(text.size() - form);
  const std::string_view target = text.substr(text.size() - 2 * form - 1, form + 1);
  const std::string_view what = text.substr(0, text.size() - 2 * form - 1);
  const bool direct = target == "DIR+";
  if ((what != "RET+" && what != "JMP+" && what != "CALL+") || (!direct && target != "IND+") ||
      (condition != "CND" && condition != "UCD"))
    return std::nullopt;
  if (condition == "CND") return branch_class::conditional;
  if (what == "RET+") return branch_class::return_;
  if (what == "CALL+") return direct ? branch_class::direct_call : branch_class::indirect_call;
  return direct ? branch_class::direct_jump : branch_class::indirect;
}

// Nodes and edges in the order of the file, and the names and values of the file's header.
struct graph {
  std::vector<std::pair<std::string, std::string>> header = {};
  std::vector<node> nodes = {};
  std::vector<edge> edges = {};
  [[nodiscard]] const node& source(const edge& e) const noexcept { return nodes[e.source]; }
  [[nodiscard]] const node& destination(const edge& e) const noexcept {
    return nodes[e.destination];
  }
  // Returns the number that the header states under `name`, if there is one.
  [[nodiscard]] std::optional<std::uint64_t> stated(std::string_view name) const {
    for (const auto& [key, value] : header)
      if (key == name) return io::number_of(value);
    return std::nullopt;
  }
  // Returns the address of the first instruction on an edge, after its source.
  [[nodiscard]] std::uint64_t start_of(const edge& e) const noexcept {
    return e.taken || source(e).is_dummy() ? e.target : source(e).address + source(e).size;
  }
};

// Addresses of the instructions on an edge, which the format does not store. If they fill the bytes
// between the target and the next branch, they follow from their number: each has 4 bytes or each
// has 2 bytes. If both sizes must occur, their order is unknown, and those of 4 bytes come first.
struct spacing {
  std::uint32_t wide = 0;  // number of leading instructions of 4 bytes; the others have 2 bytes
  // True if the bytes before the next branch hold the instructions. Otherwise all have 4 bytes, and
  // the last of them does not precede the next branch.
  bool fits = false;

  [[nodiscard]] constexpr std::uint64_t offset_of(std::uint32_t n) const noexcept {
    const std::uint64_t all = n;
    return n < wide ? 4 * all : 2 * all + 2 * std::uint64_t{wide};
  }
};
inline spacing spacing_of(const graph& g, const edge& e) noexcept {
  const std::uint64_t bytes = g.destination(e).address - g.start_of(e);
  const std::uint64_t n = e.instructions;
  if (g.destination(e).is_dummy() || bytes % 2 != 0 || bytes < 2 * n || bytes > 4 * n)
    return {e.instructions, g.destination(e).is_dummy()};
  return {static_cast<std::uint32_t>(bytes / 2 - n), true};
}

}  // namespace tracecodec::bt9
