#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../common/json.hpp"
#include "../common/text.hpp"
#include "named_calls.hpp"
#include "question.hpp"

namespace ask {

namespace {

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
};

}  // namespace

std::span<const question> call_questions() { return about_calls; }

}  // namespace ask
