#include "values.hpp"

#include <tracecodec/query/register_state.hpp>
#include <tracecodec/rows/numbers.hpp>

#include <array>
#include <cstddef>
#include <limits>
#include <string>

#include "../common/json.hpp"
#include "../common/output.hpp"

namespace ask {

namespace {

namespace feed = tracecodec::feed;
namespace query = tracecodec::query;
namespace rows = tracecodec::rows;

constexpr std::string_view a_register = "REGISTER", a_value = "REGISTER|ADDRESS[-LAST|+SIZE]";

// registers

std::string shown_name(const query::register_names& names, const query::register_contents& r) {
  return names.name({0, static_cast<std::uint32_t>(r.bytes.size()), r.number});
}
void add_register_text(std::string& to, const query::register_names& names,
                       const query::register_contents& r, std::uint64_t at) {
  to += shown_name(names, r) + " = 0x";
  for (auto b = r.bytes.rbegin(); b != r.bytes.rend(); ++b)
    if (b->by == query::known_by::nothing)
      to += "??";
    else
      rows::add_bytes(to, std::array{b->value});
  for (std::size_t begin = 0, end = 0; begin != r.bytes.size(); begin = end) {
    const query::memory_byte& first = r.bytes[begin];
    while (end != r.bytes.size() && r.bytes[end].by == first.by && r.bytes[end].at == first.at)
      ++end;
    if (first.by == query::known_by::nothing || first.at == at) continue;
    to += " [" + std::to_string(first.at) + ']';
    if (first.by == query::known_by::later) to += " later";
  }
  to += '\n';
}
void add_register_json(std::string& text, const query::register_names& names,
                       const query::register_contents& r) {
  examples::json to(text);
  std::string bytes;
  bool known = r.bytes.size() <= 8;
  std::uint64_t value = 0;
  for (std::size_t i = 0; i != r.bytes.size(); ++i) {
    const query::memory_byte& b = r.bytes[i];
    const bool is_known = b.by != query::known_by::nothing;
    known = known && is_known;
    if (is_known)
      rows::add_bytes(bytes, std::array{b.value});
    else
      bytes += "??";
    if (i < 8) value |= std::to_integer<std::uint64_t>(b.value) << 8 * i;
  }
  to.object().key("register").string(shown_name(names, r)).key("bytes").plain(bytes);
  to.key("value");
  if (known)
    to.hex(value);
  else
    to.null();
  to.key("shown").array();
  for (std::size_t begin = 0, end = 0; begin != r.bytes.size(); begin = end) {
    const query::memory_byte& first = r.bytes[begin];
    while (end != r.bytes.size() && r.bytes[end].by == first.by && r.bytes[end].at == first.at)
      ++end;
    if (first.by == query::known_by::nothing) continue;
    to.object().key("offset").number(begin).key("size").number(end - begin);
    to.key("index").number(first.at);
    to.key("later").boolean(first.by == query::known_by::later).end_object();
  }
  to.end_array().end_object();
  text += '\n';
}

bool answer_registers(const options& o) {
  view::shown_trace shown = open_shown(o, true);
  feed::column_source& trace = shown.columns.columns();
  const auto all = query::registers_at(trace, *o.at);
  query::register_names names(trace);
  examples::output out;
  for (const query::register_contents& r : all) {
    names.extend(r.number, r.bytes.size());
    if (o.form == view::form::json)
      add_register_json(out.text, names, r);
    else
      add_register_text(out.text, names, r, *o.at);
    out.passed();
  }
  out.finish();
  return !all.empty();
}

// last-set and uses

bool answer_last_set(const options& o) {
  view::shown_trace shown = open_shown(o, false);
  feed::column_source& trace = shown.columns.columns();
  query::flow_rows flows(trace);
  const query::place part = register_of(o, flows.names());
  trace.move_to(o.before.value_or(std::numeric_limits<std::uint64_t>::max()));
  const std::uint64_t before = trace.position();
  const auto found = query::last_set(trace, flows, part, query::thread_at(trace, before), before);
  note_left_out(flows.left_out());
  if (!found || *found < o.after.value_or(0)) return false;
  examples::output out;
  printed_rows(shown, o.form).add_at(out.text, *found);
  out.finish();
  return true;
}

bool answer_uses(const options& o) {
  view::shown_trace shown = open_shown(o, false);
  feed::column_source& trace = shown.columns.columns();
  query::flow_rows flows(trace);
  const query::place part = register_of(o, flows.names());
  const std::uint32_t thread = query::thread_at(trace, *o.at);
  examples::output out;
  printed_rows printed(shown, o.form);
  std::uint64_t left = o.most.value_or(examples::everything);
  bool any = false;
  if (left != 0)
    query::each_use(trace, flows, part, thread, *o.at,
                    [&](std::uint64_t index, const feed::columns&, std::size_t row) {
                      printed.add(out.text, index, row);
                      out.passed();
                      any = true;
                      return --left != 0;
                    });
  out.finish();
  note_left_out(flows.left_out());
  return any;
}

constexpr std::array about_values{
    question{"registers",
             {},
             "the registers before instruction --at N, and the instructions that show them; ?? is "
             "unknown",
             {.at = true},
             answer_registers},
    question{"last-set",
             a_register,
             "the last instruction that writes any byte of the register",
             {.range = true, .detail = true},
             answer_last_set},
    question{"uses",
             a_register,
             "the instructions that read the value that the register has before instruction --at N",
             {.at = true, .most = true, .detail = true},
             answer_uses},
    question{"origin",
             a_value,
             "the instructions from which the value before instruction --at N comes or, with "
             "--forward, those that it reaches; up to 1000 without --most",
             {.at = true,
              .most = true,
              .index = true,
              .forward = true,
              .graphviz = true,
              .branches = true},
             answer_origin},
};

}  // namespace

std::span<const question> value_questions() { return about_values; }

}  // namespace ask
