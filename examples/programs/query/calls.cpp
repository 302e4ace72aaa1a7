#include <tracecodec/analysis/call_tree.hpp>
#include <tracecodec/io/output/atomic_file.hpp>
#include <tracecodec/io/output/text_output.hpp>
#include <tracecodec/rows/numbers.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../common/json.hpp"
#include "../common/places.hpp"
#include "../common/program.hpp"
#include "../common/text.hpp"
#include "one_pass.hpp"
#include "question.hpp"

namespace ask {

namespace {

namespace analysis = tracecodec::analysis;
namespace rows = tracecodec::rows;
using analysis::call_node;

// Function in the tree of calls, by name. Functions with the same name and caller are one.
struct named_call {
  std::size_t parent = call_node::none, name = 0;  // indices
  std::uint64_t function = 0, calls = 0;
  std::uint64_t own = 0, total = 0;  // instructions without and with those of what it calls
  std::uint64_t first = 0;
  std::vector<std::size_t> children = {};
};

class named_tree {
 public:
  named_tree(std::span<const call_node> nodes, const view::shown_trace& shown) {
    std::map<std::string, std::size_t> numbers;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> places;
    std::vector<std::size_t> place_of;
    for (const call_node& n : nodes) {
      const auto [name, is_new_name] = numbers.try_emplace(name_of(n, shown), names_.size());
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
  static std::string name_of(const call_node& n, const view::shown_trace& shown) {
    const auto place = shown.places.at(n.function, n.first);
    if (place.symbol != nullptr) return place.symbol->name;
    std::string name = examples::module_text(place);
    if (name.empty()) name = shown.rows->module_at(n.function, n.first);
    if (name.empty()) rows::add_hex(name, n.function);
    return name;
  }

  std::vector<named_call> calls_ = {};
  std::vector<std::string> names_ = {};
  std::vector<std::size_t> roots_ = {};
};

using tracecodec::io::text_output;

std::unique_ptr<tracecodec::io::sink> open_output(const std::string& path) {
  if (path == "-") return std::make_unique<tracecodec::io::stdout_sink>();
  return std::make_unique<tracecodec::io::atomic_file>(path);
}

void add_count(std::string& to, std::uint64_t n) {
  const std::string digits = std::to_string(n);
  to.append(digits.size() < 12 ? 12 - digits.size() : 0, ' ') += digits;
}

void print_tree(const named_tree& tree, const options& o, text_output& out) {
  if (o.form != view::form::json) out.text() += "instructions       calls  function\n";
  std::uint64_t left = o.most.value_or(examples::everything);
  tree.walk([&](const named_call& c, std::size_t depth) {
    if (left == 0 || depth >= o.depth.value_or(examples::everything)) return false;
    --left;
    if (o.form == view::form::json) {
      examples::json to(out.text());
      to.object().key("function").string(tree.name(c)).key("address").hex(c.function);
      to.key("depth").number(depth).key("calls").number(c.calls);
      to.key("instructions").number(c.total).key("own").number(c.own);
      to.key("index").number(c.first).end_object();
    } else {
      add_count(out.text(), c.total);
      add_count(out.text(), c.calls);
      out.text().append(2 * std::min<std::size_t>(depth, 60) + 2, ' ');
      out.text() += examples::printable(tree.name(c));
    }
    out.text() += '\n';
    out.end_record();
    return true;
  });
}

struct function {
  std::uint64_t address = 0, calls = 0, own = 0, total = 0;
};

// Prints the functions, those with the most instructions first. The instructions of what a function
// calls are counted once, even if it calls itself.
void print_functions(const named_tree& tree, const options& o, text_output& out) {
  std::map<std::string, function> all;
  std::vector<const named_call*> path;                    // calls from the first function on
  std::vector<std::size_t> on_path(tree.names().size());  // how often each function is on the path
  tree.walk([&](const named_call& c, std::size_t depth) {
    for (; path.size() > depth; path.pop_back()) --on_path[path.back()->name];
    function& f = all[tree.name(c)];
    if (f.calls == 0) f.address = c.function;
    f.calls += c.calls;
    f.own += c.own;
    if (on_path[c.name]++ == 0) f.total += c.total;
    path.push_back(&c);
    return true;
  });
  std::vector<std::pair<std::string, function>> sorted(all.begin(), all.end());
  std::stable_sort(sorted.begin(), sorted.end(),
                   [](const auto& a, const auto& b) { return a.second.total > b.second.total; });
  if (o.form != view::form::json) out.text() += "instructions         own       calls  function\n";
  std::uint64_t left = o.most.value_or(examples::everything);
  for (const auto& [name, f] : sorted) {
    if (left-- == 0) break;
    if (o.form == view::form::json) {
      examples::json to(out.text());
      to.object().key("function").string(name).key("address").hex(f.address);
      to.key("calls").number(f.calls).key("instructions").number(f.total);
      to.key("own").number(f.own).end_object();
    } else {
      add_count(out.text(), f.total);
      add_count(out.text(), f.own);
      add_count(out.text(), f.calls);
      out.text() += "  " + examples::printable(name);
    }
    out.text() += '\n';
    out.end_record();
  }
}

// A frame of a folded stack must not contain the character that separates frames.
std::string frame_of(const std::string& name) {
  std::string frame = examples::printable(name);
  for (char& c : frame)
    if (c == ';') c = ':';
  return frame;
}

// Prints each stack, and the instructions of its innermost function.
void print_folded(const named_tree& tree, text_output& out) {
  std::vector<std::string> path;
  tree.walk([&](const named_call& c, std::size_t depth) {
    path.resize(depth);
    path.push_back(frame_of(tree.name(c)));
    if (c.own == 0) return true;
    for (const std::string& frame : path) (out.text() += &frame == path.data() ? "" : ";") += frame;
    out.text() += ' ' + std::to_string(c.own) + '\n';
    out.end_record();
    return true;
  });
}

// Prints a profile for speedscope (file-format-schema.json), with a sample for each stack.
void print_speedscope(const named_tree& tree, const std::string& trace, text_output& out) {
  std::uint64_t sum = 0;
  examples::json to(out.text());
  to.object().key("$schema").string("https://www.speedscope.app/file-format-schema.json");
  to.key("shared").object().key("frames").array();
  for (const std::string& name : tree.names()) {
    to.object().key("name").string(name).end_object();
    out.end_record();
  }
  to.end_array().end_object();
  to.key("profiles").array().object().key("type").string("sampled").key("name").string(trace);
  to.key("unit").string("none").key("samples").array();
  std::vector<std::size_t> path;
  tree.walk([&](const named_call& c, std::size_t depth) {
    path.resize(depth);
    path.push_back(c.name);
    if (c.own == 0) return true;
    to.array();
    for (const std::size_t frame : path) to.number(frame);
    to.end_array();
    out.end_record();
    return true;
  });
  to.end_array().key("weights").array();
  tree.walk([&](const named_call& c, std::size_t) {
    if (c.own != 0) to.number(c.own);
    sum += c.own;
    out.end_record();
    return true;
  });
  to.end_array().key("startValue").number(0U).key("endValue").number(sum);
  to.end_object().end_array().end_object();
  out.text() += '\n';
}

// Calls print(tree, output) with the tree of calls. Returns false if the trace has no instruction.
template <class Print> bool answer_calls(const options& o, Print print) {
  using examples::some;
  view::shown_trace shown = open_part(o);
  analysis::call_tree calls(shown.columns.has());
  read_part(o, shown, calls);
  const named_tree tree(calls.result(), shown);
  if (calls.is_cut())
    examples::note("trace_query", "more than " + some(calls.most_nodes, "path") +
                                      " of calls, or one of more than " +
                                      some(calls.most_depth, "call") +
                                      ": further calls count for their callers");
  text_output out(open_output(o.output));
  print(tree, out);
  out.finish();
  return !calls.result().empty();
}

bool export_calls(const options& o) {
  const examples::choices forms{{"folded"}, {"speedscope"}};
  const auto form = examples::choose(forms, o.operands[0]);
  if (!form)
    throw examples::usage_error("export: expected " + examples::one_of(forms) + ", got '" +
                                o.operands[0] + "'");
  return answer_calls(o, [&](const named_tree& tree, text_output& out) {
    if (*form == "folded")
      print_folded(tree, out);
    else
      print_speedscope(tree, o.trace, out);
  });
}

constexpr std::array about_calls{
    question{"calls",
             {},
             "the tree of calls, with the instructions of each function",
             {.range = true, .most = true, .depth = true},
             [](const options& o) {
               return answer_calls(
                   o, [&](const named_tree& tree, text_output& out) { print_tree(tree, o, out); });
             }},
    question{"functions",
             {},
             "the functions that run, with the instructions of each",
             {.range = true, .most = true},
             [](const options& o) {
               return answer_calls(o, [&](const named_tree& tree, text_output& out) {
                 print_functions(tree, o, out);
               });
             }},
    question{"export",
             "folded|speedscope",
             "the stacks of calls for a flame graph: folded lines, or a profile for speedscope",
             {.range = true, .json = false, .output = true},
             export_calls},
};

}  // namespace

std::span<const question> call_questions() { return about_calls; }

}  // namespace ask
