// The questions of trace_query. Each group of questions has a source file, which answers them, and a
// function here, which lists them.
#pragma once
#include <tracecodec/analysis/address_span.hpp>
#include <tracecodec/query/index.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../common/command_line.hpp"
#include "../common/index.hpp"
#include "../common/reading.hpp"
#include "../view/shown.hpp"

namespace ask {

struct question;

struct options {
  std::string trace = {};
  const question* what = nullptr;
  std::vector<std::string> operands = {};
  std::optional<std::uint64_t> before = {}, after = {}, at = {}, most = {};
  std::optional<std::uint64_t> depth = {};     // maximum depth of the tree of calls
  std::optional<std::uint64_t> interval = {};  // instructions of a vector for SimPoint
  bool forward = false, graphviz = false;
  std::string branches = {};                 // list, follow or empty
  std::optional<std::uint64_t> length = {};  // minimum length of text in characters
  std::optional<std::uint64_t> window = {};  // instructions
  std::optional<std::string> of = {};        // function whose calls are listed
  std::string abi = {};                      // name of a calling convention, or empty
  std::string output = "-";
  examples::index_options index = {};
  view::form form = view::form::compact;
  examples::reading as = {};
};

// Options that a question accepts. All accept those for opening and reading a trace.
struct accepted_options {
  bool range = false;  // --before and --after
  bool at = false;     // --at, which such a question needs
  bool most = false;
  bool detail = false;
  bool json = true;
  bool depth = false;
  bool length = false;
  bool window = false;
  bool of = false;  // --of and --abi
  bool output = false;
  bool index = false;  // --index and --no-index
  bool interval = false;
  bool forward = false;
  bool graphviz = false;
  bool branches = false;
};

struct question {
  std::string_view name;
  std::string_view operand;  // empty if the question takes none
  std::string_view text;
  accepted_options accepts;
  // Prints the answers. Returns false if there is none.
  bool (*answer)(const options&);
};

// Return the questions about accesses and contents of memory, about when instructions were executed,
// about functions and calls, about registers and the origin of values, about what values occur, and
// about loops and the use of memory.
std::span<const question> memory_questions();
std::span<const question> execution_questions();
std::span<const question> call_questions();
std::span<const question> value_questions();
std::span<const question> search_questions();
std::span<const question> profile_questions();
// Returns the questions whose answers are files for other tools.
std::span<const question> export_questions();
// Return the question about two traces.
std::span<const question> comparison_questions();

// Returns all questions.
std::vector<const question*> all_questions();
// Returns the question. Throws usage_error if there is none of that name.
const question* question_named(const std::string& name);

// Returns the names of the calling conventions that --abi accepts.
examples::choices conventions();

// Which of the instructions that were found answer a question.
enum class answers : std::uint8_t { last, first, all };

// Operand of questions about addresses.
inline constexpr std::string_view addresses = "ADDRESS[-LAST|+SIZE]";
// Returns the addresses that the first operand names. Throws usage_error if it names none, or more
// than `most` bytes.
tracecodec::analysis::address_span addresses_of(const options& o, std::uint64_t most = 0);

// Opens the index that the options name, or the one beside the trace. Returns null if there is none,
// after a note.
std::unique_ptr<tracecodec::query::trace_index> open_index(const options& o);

}  // namespace ask
