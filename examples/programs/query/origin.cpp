#include <tracecodec/query/origin.hpp>

#include <tracecodec/query/deciding_branches.hpp>
#include <tracecodec/query/index.hpp>
#include <tracecodec/query/memory_questions.hpp>
#include <tracecodec/query/register_state.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "../common/address.hpp"
#include "../common/json.hpp"
#include "../common/output.hpp"
#include "concurrent.hpp"
#include "values.hpp"

namespace ask {

namespace {

namespace feed = tracecodec::feed;
namespace query = tracecodec::query;

// Maximum number of bytes of which the origin is printed, and usual maximum number of steps.
constexpr std::uint64_t most_of_value = 4096, usual_steps = 1000;

void note_coarse(const query::flow_rows& flows) {
  if (!flows.has_code())
    examples::note("trace_query",
                   "the trace has no x86 code that shows which bytes move where, so each result "
                   "depends on all operands of the instruction");
}

class printed_slice {
 public:
  // `times` are those of the steps, by number. `asking` is the instruction --at, if the trace has it.
  printed_slice(const options& o, const query::register_names& names, const query::slice& found,
                const query::place& of, concurrent_answers& concurrent,
                const std::optional<query::instruction_time>& asking,
                const std::map<std::uint64_t, query::instruction_time>& times)
      : o_(o), names_(names), found_(found), of_(of) {
    // Sources that another thread wrote.
    concurrent_.resize(found.inputs.size());
    const auto compare = [&](std::size_t input, const query::instruction_time& by) {
      for (const query::origin_source& s : found.inputs[input])
        concurrent_[input].push_back(
            s.end == query::origin_end::none &&
            concurrent.is_possible_between(times.at(found.steps[s.step].index), by));
    };
    if (asking && !o.forward) compare(query::slice::question, *asking);
    for (const query::origin_step& step : found.steps)
      for (const query::origin_flow& f : step.flows)
        for (const std::size_t input : f.inputs)
          if (concurrent_[input].empty()) compare(input, times.at(step.index));
  }

  void add_json(examples::output& out) const {
    if (!o_.forward) {
      examples::json to(out.text);
      to.object();
      add_place(to, of_);
      to.key("at").number(*o_.at).key("from").array();
      add_sources(to, query::slice::question);
      to.end_array().end_object();
      out.text += '\n';
    }
    for (const query::origin_step& step : found_.steps) {
      examples::json to(out.text);
      to.object().key("index").number(step.index).key("ip").hex(step.ip);
      to.key("thread").number(step.thread).key("flows").array();
      for (const query::origin_flow& f : step.flows) {
        to.object();
        if (f.to.size != 0) add_place(to, f.to);
        to.key("copy").boolean(f.kind == query::flow_kind::copy).key("from").array();
        for (const std::size_t input : f.inputs) add_sources(to, input);
        if (const auto end = end_of(f); !end.empty())
          to.object().key("end").plain(end).end_object();
        to.end_array().end_object();
      }
      to.end_array();
      if (!o_.branches.empty()) {
        to.key("decides").boolean(step.decides).key("decided_by");
        if (step.decided_by)
          to.number(*step.decided_by);
        else
          to.null();
      }
      to.end_object();
      out.text += '\n';
      out.passed();
    }
  }

  // `rows` has the row of each instruction.
  void add_text(examples::output& out, const std::map<std::uint64_t, std::string>& rows) const {
    if (!o_.forward)
      out.text += names_.name(of_) + " before " + std::to_string(*o_.at) + " = " +
                  text_of_input(query::slice::question) + '\n';
    for (const query::origin_step& step : found_.steps) {
      out.text += rows.at(step.index);
      for (const query::origin_flow& f : step.flows) {
        std::string from;
        for (const std::size_t input : f.inputs)
          (from += from.empty() ? "" : ", ") += text_of_input(input);
        if (const auto end = end_of(f); !end.empty())
          (from += from.empty() ? "" : ", ") += std::string(end);
        const bool is_same = f.kind == query::flow_kind::copy || f.inputs.empty();
        out.text += "         ";
        out.text += f.to.size == 0 ? "reads " : names_.name(f.to) + (is_same ? " = " : " from ");
        out.text += from + '\n';
      }
      if (step.decided_by)
        out.text += "         decided by [" + std::to_string(*step.decided_by) + "]\n";
      out.passed();
    }
  }

  void add_graphviz(examples::output& out, const std::map<std::uint64_t, std::string>& rows) const {
    out.text += "digraph origin {\n  node [shape=box, fontname=monospace];\n";
    for (const query::origin_step& step : found_.steps)
      add_node(out, std::to_string(step.index), rows.at(step.index));
    std::size_t ends = 0;
    const auto add_end = [&](const std::string& to, const std::string& end) {
      if (end.empty()) return;
      add_node(out, "end" + std::to_string(ends), end, "shape=ellipse, ");
      out.text += "  \"end" + std::to_string(ends++) + "\" -> \"" + to + "\";\n";
    };
    const auto add_edges = [&](const std::string& to, std::size_t input) {
      for (std::size_t n = 0; n != found_.inputs[input].size(); ++n) {
        const query::origin_source& s = found_.inputs[input][n];
        std::string from;
        if (s.end == query::origin_end::none) {
          from = std::to_string(found_.steps[s.step].index);
        } else {
          from = "end" + std::to_string(ends++);
          add_node(out, from, std::string(name(s.end)), "shape=ellipse, ");
        }
        out.text +=
            "  \"" + from + "\" -> \"" + to + "\" [label=" +
            quoted(names_.name(s.bytes) + (is_concurrent(input, n) ? " possibly concurrent" : "")) +
            "];\n";
      }
    };
    if (!o_.forward) {
      add_node(out, "question", names_.name(of_) + " before " + std::to_string(*o_.at),
               "style=bold, ");
      add_edges("question", query::slice::question);
    }
    for (const query::origin_step& step : found_.steps) {
      for (const query::origin_flow& f : step.flows) {
        for (const std::size_t input : f.inputs) add_edges(std::to_string(step.index), input);
        add_end(std::to_string(step.index), std::string(end_of(f)));
      }
      if (step.decided_by && rows.contains(*step.decided_by))
        out.text += "  \"" + std::to_string(*step.decided_by) + "\" -> \"" +
                    std::to_string(step.index) + "\" [style=dashed, label=decided];\n";
      out.passed();
    }
    out.text += "}\n";
  }

 private:
  void add_place(examples::json& to, const query::place& p) const {
    if (p.is_memory())
      to.key("address").hex(p.at).key("size").number(p.size);
    else
      to.key("register").string(names_.name(p));
  }
  [[nodiscard]] bool is_concurrent(std::size_t input, std::size_t source) const {
    return source < concurrent_[input].size() && concurrent_[input][source];
  }
  void add_sources(examples::json& to, std::size_t input) const {
    for (std::size_t n = 0; n != found_.inputs[input].size(); ++n) {
      const query::origin_source& s = found_.inputs[input][n];
      to.object();
      add_place(to, s.bytes);
      if (s.end == query::origin_end::none)
        to.key("index").number(found_.steps[s.step].index);
      else
        to.key("end").plain(name(s.end));
      if (is_concurrent(input, n)) to.key("concurrent").boolean(true);
      to.end_object();
    }
  }

  [[nodiscard]] std::string text_of_input(std::size_t input) const {
    std::string s;
    for (std::size_t n = 0; n != found_.inputs[input].size(); ++n) {
      const query::origin_source& one = found_.inputs[input][n];
      s += (s.empty() ? "" : ", ") + names_.name(one.bytes);
      s += one.end == query::origin_end::none
               ? " [" + std::to_string(found_.steps[one.step].index) + ']'
               : " (" + std::string(name(one.end)) + ')';
      if (is_concurrent(input, n)) s += " possibly concurrent";
    }
    return s;
  }

  static std::string quoted(const std::string& text) {
    std::string s = "\"";
    for (const char c : examples::printable(text)) {
      if (c == '"' || c == '\\') s += '\\';
      s += c;
    }
    return s + '"';
  }
  static void add_node(examples::output& out, const std::string& id, std::string text,
                       const std::string& style = {}) {
    while (!text.empty() && text.back() == '\n') text.pop_back();
    out.text += "  \"" + id + "\" [" + style + "label=" + quoted(text) + "];\n";
  }

  const options& o_;
  const query::register_names& names_;
  const query::slice& found_;
  query::place of_;
  std::vector<std::vector<bool>> concurrent_ = {};  // by input and source
};

// Returns the bytes of a register or of memory that the operand names.
query::place value_of(const options& o, const query::register_names& names) {
  const std::string& s = o.operands[0];
  // A number without 0x is the number of a register.
  const bool is_register = names.find(s).has_value();
  if (is_register || !examples::span_of(s)) return register_of(o, names);
  const auto bytes = addresses_of(o, most_of_value);
  return {bytes.first, static_cast<std::uint32_t>(bytes.last - bytes.first + 1), 0};
}

// Reads the instructions of a slice as rows, by number, and their threads and times.
class slice_rows {
 public:
  slice_rows(view::shown_trace& shown, const query::slice& found) : shown_(&shown) {
    for (const query::origin_step& step : found.steps)
      times_[step.index] = {step.index, step.thread};
  }
  [[nodiscard]] const std::map<std::uint64_t, query::instruction_time>& times() const noexcept {
    return times_;
  }
  // Reads the times, if the trace has them.
  void read_times() {
    if (!shown_->columns.has(feed::column::time)) return;
    for (auto& [index, time] : times_)
      if (const auto found = query::read_time(shown_->columns.columns(), index)) time = *found;
  }
  // Returns the rows. Instructions are read in the order of the trace.
  [[nodiscard]] std::map<std::uint64_t, std::string> texts(view::form form) {
    std::map<std::uint64_t, std::string> texts;
    printed_rows printed(*shown_, form);
    for (const auto& [index, time] : times_) printed.add_at(texts[index], index);
    return texts;
  }

 private:
  view::shown_trace* shown_;
  std::map<std::uint64_t, query::instruction_time> times_ = {};
};

}  // namespace

bool answer_origin(const options& o) {
  if (!o.branches.empty() && o.forward)
    throw examples::usage_error("--branches is not for origin --forward");
  // The stack pointer shows where functions end.
  view::shown_trace shown = open_shown(o, !o.branches.empty());
  feed::column_source& trace = shown.columns.columns();
  query::flow_rows flows(trace, true);
  const query::place of = value_of(o, flows.names());
  const std::uint32_t thread = query::thread_at(trace, *o.at);
  note_coarse(flows);
  std::optional<query::deciding_branches> deciding;
  if (!o.branches.empty()) deciding.emplace(trace, *o.at);
  const query::slice_limits limits{static_cast<std::size_t>(
      std::min<std::uint64_t>(o.most.value_or(usual_steps), query::slice_limits::most_steps))};
  query::slice found;
  if (o.forward) {
    found = query::reach_of(trace, flows, of, thread, *o.at, limits);
  } else {
    // Without an index, registers are followed in the trace anyway, so no note says so.
    const auto index = examples::open_index(o.trace, o.index, o.as);
    query::memory_questions questions = index != nullptr
                                            ? query::memory_questions(trace, index->memory())
                                            : query::memory_questions(trace);
    found = query::origin_of(trace, flows, questions, of, thread, *o.at, limits,
                             {deciding ? &*deciding : nullptr, o.branches == "follow"});
    note_left_out(questions.left_out());
  }
  note_left_out(flows.left_out());
  if (found.is_cut)
    examples::note("trace_query", "the result has more than " +
                                      examples::some(limits.steps, "instruction") +
                                      ", and the rest is not followed (--most)");
  concurrent_answers concurrent(o, shown.columns.has());
  slice_rows rows(shown, found);
  rows.read_times();
  std::optional<query::instruction_time> asking{{*o.at, thread}};
  if (shown.columns.has(feed::column::time)) asking = query::read_time(trace, *o.at);
  const printed_slice printed(o, flows.names(), found, of, concurrent, asking, rows.times());
  examples::output out;
  if (o.form == view::form::json) {
    printed.add_json(out);
  } else {
    const auto texts = rows.texts(o.form);
    if (o.graphviz)
      printed.add_graphviz(out, texts);
    else
      printed.add_text(out, texts);
  }
  out.finish();
  return !o.forward || !found.steps.empty();
}

}  // namespace ask
