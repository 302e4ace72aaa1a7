#include <tracecodec/analysis/frequent.hpp>
#include <tracecodec/analysis/recorded_calls.hpp>
#include <tracecodec/io/error.hpp>
#include <tracecodec/rows/numbers.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/address.hpp"
#include "../common/json.hpp"
#include "../common/text.hpp"
#include "named_calls.hpp"
#include "question.hpp"

namespace ask {

namespace {

namespace analysis = tracecodec::analysis;
namespace rows = tracecodec::rows;
using analysis::call_node;

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
  std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
    return a.second.total != b.second.total ? a.second.total > b.second.total : a.first < b.first;
  });
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

// Function that a question is about: an address, or a name.
class asked_function {
 public:
  asked_function(const std::string& question, const std::string& function,
                 const view::shown_trace& shown)
      : shown_(shown), address_(examples::number_of(function)), name_(function) {
    if (!address_ && !shown.places.symbol(function))
      throw examples::usage_error(question + ": no function '" + function +
                                  "' is known; --symbols reads names, and an address needs none");
  }

  // Returns true if `c` is a call of the function.
  [[nodiscard]] bool operator()(const analysis::open_call& c) {
    if (address_) return c.function == *address_;
    if (c.function != last_ || !is_known_) {
      const auto place = shown_.places.at(c.function, c.entry);
      last_ = c.function;
      is_known_ = true;
      matches_ = place.symbol != nullptr && place.symbol_offset == 0 && place.symbol->name == name_;
    }
    return matches_;
  }

 private:
  const view::shown_trace& shown_;
  std::optional<std::uint64_t> address_;
  std::string name_;
  std::uint64_t last_ = 0;
  bool is_known_ = false, matches_ = false;
};

// Places from which a function is called.
class call_sites {
 public:
  struct site {
    std::uint64_t caller = 0, first = 0;  // first instruction of the caller; number of first call
    bool is_jump = false;
  };

  call_sites(view::shown_trace& shown, asked_function function)
      : stacks_(shown.columns.has(), analysis::select_stack_pointer(shown.columns.columns())),
        function_(std::move(function)) {}

  [[nodiscard]] tracecodec::feed::column_set columns() const noexcept { return stacks_.columns(); }
  void add(const tracecodec::feed::columns& batch) {
    const auto count = [this](std::uint64_t ip, const site& s) {
      auto& entry = sites_[ip];
      if (entry.count++ == 0) entry.data = s;
    };
    for (std::size_t row = 0; row != batch.size(); ++row)
      stacks_.step(
          batch, row,
          [&](const analysis::open_call& c, const analysis::open_call* parent, std::size_t) {
            if (parent != nullptr && function_(c)) count(c.ip, {parent->function, c.number, false});
          },
          [](const auto&...) {},
          [&](const analysis::open_call& c, std::size_t, std::uint64_t last, std::uint64_t ip) {
            analysis::open_call jump = c;
            jump.function = batch.ip()[row];
            jump.entry = batch.first() + row;
            if (function_(jump)) count(ip, {c.function, last, true});
          });
  }
  [[nodiscard]] const analysis::frequent<site>& result() const noexcept { return sites_; }

 private:
  analysis::call_stacks stacks_;
  asked_function function_;
  analysis::frequent<site> sites_{std::size_t{1} << 16};
};

bool answer_callers(const options& o) {
  view::shown_trace shown = open_with_values(o);
  call_sites sites(shown, asked_function("callers", o.operands[0], shown));
  const std::exception_ptr failure = read_until_error(o, shown, sites);
  text_output out(open_output("-"));
  const bool is_json = o.form == view::form::json;
  const auto top = sites.result().top(static_cast<std::size_t>(
      std::min<std::uint64_t>(o.most.value_or(examples::everything), ~std::size_t{0})));
  if (!is_json && !top.empty()) out.text() += "       calls       first  from\n";
  for (const auto* const entry : top) {
    const auto& site = *entry;
    const std::string caller = function_name(shown, site.data.caller, site.data.first);
    if (is_json) {
      examples::json to(out.text());
      to.object().key("ip").hex(site.key).key("calls").number(site.count);
      to.key("index").number(site.data.first).key("function").string(caller);
      to.key("jump").boolean(site.data.is_jump).end_object();
    } else {
      add_count(out.text(), site.count);
      add_count(out.text(), site.data.first);
      rows::add_hex(out.text() += "  ", site.key);
      out.text() += "  " + examples::printable(caller);
      if (site.data.is_jump) out.text() += ", by a jump";
    }
    out.text() += '\n';
    out.end_record();
  }
  out.finish();
  if (failure) std::rethrow_exception(failure);
  return !top.empty();
}

// Finds the end of the call that is running at an instruction.
class end_of_call {
 public:
  end_of_call(view::shown_trace& shown, std::uint64_t at)
      : stacks_(shown.columns.has(), analysis::select_stack_pointer(shown.columns.columns())),
        at_(at) {}

  struct ended {
    analysis::open_call call = {};
    std::uint64_t last = 0, last_ip = 0;
    analysis::call_end how = analysis::call_end::returned;
  };

  [[nodiscard]] tracecodec::feed::column_set columns() const noexcept { return stacks_.columns(); }
  void add(const tracecodec::feed::columns& batch) {
    if (end_) return;
    for (std::size_t row = 0; row != batch.size() && !end_; ++row) {
      stacks_.step(
          batch, row, [](const auto&...) {}, [this](const auto&... of) { end(of...); },
          [](const auto&...) {});
      if (batch.first() + row == at_) running_ = stacks_.running().serial;
    }
  }
  void finish() {
    if (!end_) stacks_.finish([this](const auto&... of) { end(of...); });
  }
  [[nodiscard]] const std::optional<ended>& result() const noexcept { return end_; }

 private:
  void end(const analysis::open_call& c, analysis::call_end how, std::uint64_t last,
           std::uint64_t last_ip) {
    if (!end_ && running_ == c.serial) end_ = {c, last, last_ip, how};
  }

  analysis::call_stacks stacks_;
  std::uint64_t at_;
  std::optional<std::uint64_t> running_ = {};
  std::optional<ended> end_ = {};
};

std::string_view end_text(analysis::call_end how) {
  switch (how) {
    case analysis::call_end::returned:
      return "returned";
    case analysis::call_end::unwound:
      return "unwound";
    default:
      return "abandoned";
  }
}

bool answer_return(const options& o) {
  const auto at = examples::number_of(o.operands[0]);
  if (!at)
    throw examples::usage_error("return-from: expected the number of an instruction, got '" +
                                o.operands[0] + "'");
  view::shown_trace shown = open_with_values(o);
  end_of_call wanted(shown, *at);
  const std::exception_ptr failure =
      read_until_error(o, shown, wanted, [&] { return wanted.result().has_value(); });
  if (failure) std::rethrow_exception(failure);
  wanted.finish();
  if (!wanted.result()) return false;
  const auto& [call, last, last_ip, how] = *wanted.result();
  const std::string name = function_name(shown, call.function, call.entry);
  text_output out(open_output("-"));
  if (o.form == view::form::json) {
    examples::json to(out.text());
    to.object().key("index").number(last).key("ip").hex(last_ip).key("thread").number(call.thread);
    to.key("end").string(end_text(how)).key("function").string(name);
    to.key("address").hex(call.function).key("call");
    call.is_first ? to.null() : to.number(call.number);
    to.end_object();
  } else {
    out.text() += std::to_string(last) + "  ";
    rows::add_hex(out.text(), last_ip);
    out.text() += how == analysis::call_end::returned ? "  returns from " : "  leaves ";
    out.text() += examples::printable(name) + ", ";
    if (call.is_first)
      out.text() += "called before the trace begins";
    else
      rows::add_hex(out.text() += "called at " + std::to_string(call.number) + " from ", call.ip);
  }
  out.text() += '\n';
  out.finish();
  return true;
}

// Returns the convention that --abi selects, or the usual one for the trace.
const analysis::calling_convention* convention_of(const options& o, view::shown_trace& shown) {
  if (o.abi.empty()) {
    // A path that does not begin with a slash is one of Windows.
    const std::optional<std::string> program = shown.rows->program();
    return analysis::usual_convention(shown.columns.columns(),
                                      program && !program->starts_with('/'));
  }
  for (const auto& c : analysis::calling_conventions)
    if (c.name == o.abi) return &c;
  return nullptr;
}

std::string value_text(const std::optional<std::uint64_t>& value) {
  std::string s;
  if (value)
    rows::add_hex(s, *value);
  else
    s = "??";
  return s;
}

void print_call(const analysis::recorded_call& c, std::size_t arguments,
                const view::shown_trace& shown, bool is_json, std::string& to) {
  const std::string name = function_name(shown, c.call.function, c.call.entry);
  if (is_json) {
    examples::json row(to);
    row.object().key("index").number(c.call.number).key("ip").hex(c.call.ip);
    row.key("thread").number(c.call.thread).key("function").string(name);
    row.key("address").hex(c.call.function).key("depth").number(c.depth);
    row.key("jump").boolean(c.is_jump).key("arguments").array();
    for (std::size_t n = 0; n != arguments; ++n) row.string(value_text(c.arguments[n]));
    row.end_array().key("result").string(value_text(c.result)).key("end");
    if (c.end) {
      row.object().key("index").number(c.end->number).key("ip").hex(c.end->ip);
      row.key("how").string(end_text(c.end->how)).end_object();
    } else {
      row.null();
    }
    row.end_object();
    return;
  }
  add_count(to, c.call.number);
  rows::add_hex(to += "  ", c.call.ip);
  to.append(2 * std::min<std::size_t>(c.depth, 60), ' ') += examples::printable(name) + '(';
  for (std::size_t n = 0; n != arguments; ++n)
    (to += n == 0 ? "" : ", ") += value_text(c.arguments[n]);
  to += ')';
  if (c.is_jump) to += " by a jump";
  if (!c.end)
    to += " does not end";
  else if (c.end->how != analysis::call_end::returned)
    to += " left without a return at " + std::to_string(c.end->number);
  else
    to += " = " + value_text(c.result) + " at " + std::to_string(c.end->number);
}

// Prints each call of a function.
bool answer_calls_of(const options& o) {
  view::shown_trace shown = open_with_values(o);
  const analysis::calling_convention* const convention = convention_of(o, shown);
  const std::size_t arguments = convention == nullptr ? 0 : convention->count();
  text_output out(open_output("-"));
  std::uint64_t left = o.most.value_or(examples::everything);
  analysis::recorded_calls calls(
      shown.columns.columns(), convention, asked_function("calls --of", *o.of, shown),
      [&](const analysis::recorded_call& c) {
        if (left == 0) return;
        --left;
        print_call(c, arguments, shown, o.form == view::form::json, out.text());
        out.text() += '\n';
        out.end_record();
      });
  const std::exception_ptr failure = read_until_error(o, shown, calls, [&] { return left == 0; });
  calls.finish();
  out.finish();
  if (failure) std::rethrow_exception(failure);
  return calls.result() != 0;
}

constexpr std::array about_calls{
    question{"calls",
             {},
             "the tree of calls, with the instructions of each function; or, with --of, each call "
             "of a function, with its arguments and result",
             {.range = true, .most = true, .depth = true, .of = true},
             [](const options& o) {
               if (o.of) return answer_calls_of(o);
               return answer_calls(
                   o, [&](const named_tree& tree, text_output& out) { print_tree(tree, o, out); },
                   true);
             }},
    question{
        "callers",
        "FUNCTION",
        "the instructions that call a function, an address or the name of a symbol, those with "
        "the most calls first",
        {.range = true, .most = true},
        answer_callers},
    question{"return-from",
             "N",
             "the instruction at which the call that runs at instruction N ends",
             {},
             answer_return},
    question{"functions",
             {},
             "the functions that run, with the instructions of each",
             {.range = true, .most = true},
             [](const options& o) {
               return answer_calls(
                   o,
                   [&](const named_tree& tree, text_output& out) { print_functions(tree, o, out); },
                   true);
             }},
};

}  // namespace

examples::choices conventions() {
  examples::choices all;
  for (const auto& c : analysis::calling_conventions) all.push_back({std::string(c.name)});
  return all;
}

std::span<const question> call_questions() { return about_calls; }

}  // namespace ask
