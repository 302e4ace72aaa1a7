// The questions of trace_query.
#pragma once
#include <tracecodec/analysis/address_span.hpp>

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../common/reading.hpp"
#include "../view/shown.hpp"

namespace ask {

// Answers of a question.
enum class answers : std::uint8_t {
  last,    // the last access
  first,   // the first access
  all,     // all accesses
  values,  // the values that writes store
  memory,  // the contents of memory
  // Answers about calls.
  call_tree,
  functions,
  stacks
};
struct question {
  std::string_view name, operand, text;
  answers what;
  bool reads = false, writes = false;  // accesses that the question is about
  bool changes = false;
};
inline constexpr std::string_view addresses = "ADDRESS[-LAST|+SIZE]";
inline constexpr std::array all_questions{
    question{"last-write", addresses, "the last instruction that writes any of the bytes",
             answers::last, false, true},
    question{"next-write", addresses, "the first instruction that writes any of the bytes",
             answers::first, false, true},
    question{"last-read", addresses, "the last instruction that reads any of the bytes",
             answers::last, true, false},
    question{"next-read", addresses, "the first instruction that reads any of the bytes",
             answers::first, true, false},
    question{"accesses", addresses, "all instructions that read or write any of the bytes",
             answers::all, true, true},
    question{"changes", addresses,
             "all instructions that write another value than the bytes had; if the trace has no "
             "values, all that write",
             answers::all, false, true, true},
    question{"history", addresses, "all instructions that write any of the bytes, and the values",
             answers::values, false, true},
    question{"memory", addresses,
             "the bytes before instruction --at N, and the accesses that show them; ?? is unknown",
             answers::memory, true, true},
    question{"calls",
             {},
             "the tree of calls, with the instructions of each function",
             answers::call_tree},
    question{"functions",
             {},
             "the functions that run, with the instructions of each",
             answers::functions},
    question{"export", "folded|speedscope",
             "the stacks of calls for a flame graph: folded lines, or a profile for speedscope",
             answers::stacks},
};

constexpr bool is_about_calls(const question& q) noexcept { return q.what >= answers::call_tree; }
// Returns the question. Throws usage_error if there is none of that name.
const question* question_named(const std::string& name);

// Maximum number of bytes of the question memory.
inline constexpr std::uint64_t most_memory = 65536;

struct options {
  std::string trace = {};
  const question* what = nullptr;
  tracecodec::analysis::address_span bytes = {};
  std::optional<std::uint64_t> before = {}, after = {}, at = {}, most = {};
  std::optional<std::uint64_t> depth = {};  // maximum depth of the tree of calls
  std::string form_of_export = {};
  std::string output = "-";
  std::optional<std::string> index = {};
  bool no_index = false;
  view::form form = view::form::compact;
  examples::reading as = {};
};

// Prints the answers. Returns false if there is none.
bool ask(const options& o);

}  // namespace ask
