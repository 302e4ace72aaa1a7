// The tree of a trace's calls, with the names of the functions.
#pragma once
#include <tracecodec/analysis/call_tree.hpp>
#include <tracecodec/analysis/calling_convention.hpp>
#include <tracecodec/io/output/atomic_file.hpp>
#include <tracecodec/io/output/text_output.hpp>
#include <tracecodec/rows/numbers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../common/places.hpp"
#include "../common/program.hpp"
#include "../common/text.hpp"
#include "one_pass.hpp"
#include "question.hpp"

namespace ask {

namespace analysis = tracecodec::analysis;
using analysis::call_node;
using tracecodec::io::text_output;

// Function in the tree of calls, by name. Functions with the same name and caller are one.
struct named_call {
  std::size_t parent = call_node::none, name = 0;  // indices
  std::uint64_t function = 0, calls = 0;
  std::uint64_t own = 0, total = 0;  // instructions without and with those of what it calls
  std::uint64_t first = 0;
  std::vector<std::size_t> children = {};
};

// Returns the name of the function at `address` when instruction `index` executes: its symbol, or its
// place in its module, or its address.
inline std::string function_name(const view::shown_trace& shown, std::uint64_t address,
                                 std::uint64_t index) {
  const auto place = shown.places.at(address, index);
  if (place.symbol != nullptr) return place.symbol->name;
  std::string name = examples::module_text(place);
  if (name.empty()) name = shown.rows->module_at(address, index);
  if (name.empty()) tracecodec::rows::add_hex(name, address);
  return name;
}

class named_tree {
 public:
  named_tree(std::span<const call_node> nodes, const view::shown_trace& shown) {
    std::map<std::string, std::size_t> numbers;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> places;
    std::vector<std::size_t> place_of;
    for (const call_node& n : nodes) {
      const auto [name, is_new_name] =
          numbers.try_emplace(function_name(shown, n.function, n.first), names_.size());
      if (is_new_name) names_.push_back(name->first);
      const std::size_t parent = n.parent == call_node::none ? n.parent : place_of[n.parent];
      const auto [place, is_new] =
          places.try_emplace(std::pair(parent, name->second), calls_.size());
      place_of.push_back(place->second);
      if (is_new) {
        calls_.push_back(
            {.parent = parent, .name = name->second, .function = n.function, .first = n.first});
        (parent == call_node::none ? roots_ : calls_[parent].children).push_back(place->second);
      }
      calls_[place->second].calls += n.calls;
      calls_[place->second].own += n.instructions;
    }
    // Children follow their parents.
    for (std::size_t i = calls_.size(); i-- != 0;) {
      calls_[i].total += calls_[i].own;
      if (calls_[i].parent != call_node::none) calls_[calls_[i].parent].total += calls_[i].total;
    }
  }

  [[nodiscard]] const std::vector<std::string>& names() const noexcept { return names_; }
  [[nodiscard]] const std::string& name(const named_call& c) const { return names_[c.name]; }
  // Calls enter(call, depth) for each call before its children. enter() returns false to leave out
  // the children.
  template <class Enter> void walk(Enter enter) const {
    struct place {
      std::size_t call, depth;
    };
    std::vector<place> open;
    const auto push = [&](const std::vector<std::size_t>& all, std::size_t depth) {
      for (auto i = all.rbegin(); i != all.rend(); ++i) open.push_back({*i, depth});
    };
    push(roots_, 0);
    while (!open.empty()) {
      const place here = open.back();
      open.pop_back();
      if (enter(calls_[here.call], here.depth)) push(calls_[here.call].children, here.depth + 1);
    }
  }

 private:
  std::vector<named_call> calls_ = {};
  std::vector<std::string> names_ = {};
  std::vector<std::size_t> roots_ = {};
};

inline std::unique_ptr<tracecodec::io::sink> open_output(const std::string& path) {
  if (path == "-") return std::make_unique<tracecodec::io::stdout_sink>();
  return std::make_unique<tracecodec::io::atomic_file>(path);
}

// Prints a note if the tree lacks calls.
inline void note_cut(const analysis::call_tree& calls) {
  using examples::some;
  if (calls.is_cut())
    examples::note("trace_query", "more than " + some(calls.most_nodes, "path") +
                                      " of calls, or one of more than " +
                                      some(calls.most_depth, "call") +
                                      ": further calls count for their callers");
}

// Calls use(tree, trace) with the tree of calls. Returns false if the trace has no instruction. If
// the trace is damaged and `is_partial` is true, the tree has the calls before the damage; then throws
// the trace_error.
template <class Use> bool with_calls(const options& o, Use use, bool is_partial = false) {
  view::shown_trace shown = open_with_values(o);
  analysis::call_tree calls(shown.columns.has(),
                            analysis::select_stack_pointer(shown.columns.columns()));
  const std::exception_ptr failure = read_until_error(o, shown, calls);
  if (failure && (!is_partial || calls.result().empty())) std::rethrow_exception(failure);
  const named_tree tree(calls.result(), shown);
  note_cut(calls);
  use(tree, shown);
  if (failure) std::rethrow_exception(failure);
  return !calls.result().empty();
}

// Calls print(tree, output) with the tree of calls, like with_calls().
template <class Print> bool answer_calls(const options& o, Print print, bool is_partial = false) {
  return with_calls(
      o,
      [&](const named_tree& tree, const view::shown_trace&) {
        text_output out(open_output(o.output));
        print(tree, out);
        out.finish();
      },
      is_partial);
}

}  // namespace ask
