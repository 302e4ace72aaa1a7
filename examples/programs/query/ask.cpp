#include "ask.hpp"

#include <tracecodec/io/os/os.hpp>
#include <tracecodec/query/index.hpp>
#include <tracecodec/query/memory_questions.hpp>
#include <tracecodec/query/memory_state.hpp>
#include <tracecodec/rows/numbers.hpp>

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "../common/json.hpp"
#include "../common/open_trace.hpp"
#include "../common/output.hpp"
#include "../common/program.hpp"
#include "../common/text.hpp"
#include "calls.hpp"

namespace ask {

namespace {

namespace io = tracecodec::io;
namespace query = tracecodec::query;

// Opens the index that the options name, or the one beside the trace. Returns null if there is
// none.
std::unique_ptr<query::trace_index> open_index(const options& o) {
  if (o.no_index || o.trace == "-") return nullptr;
  const std::string file = o.index.value_or(query::index_name(o.trace));
  if (!o.index && io::os::facts_if_any(file).what == io::os::kind::missing) return nullptr;
  if (examples::changes_reading(o.as))
    throw examples::usage_error(
        "the index is of the whole trace, as it is read without options: use --no-index with them");
  return std::make_unique<query::trace_index>(file, o.trace);
}

}  // namespace

const question* question_named(const std::string& name) {
  examples::choices known;
  for (const question& q : all_questions) {
    if (q.name == name) return &q;
    known.push_back({std::string(q.name)});
  }
  throw examples::usage_error("unknown question '" + name + "': expected " +
                              examples::one_of(known));
}

namespace {

namespace feed = tracecodec::feed;
namespace rows = tracecodec::rows;

// Answers to one question, which are printed one after another.
class answering {
 public:
  answering(const options& o, const query::trace_index* index)
      : o_(o),
        shown_(view::show(examples::open_trace(o.trace, o.as), o.trace, o.as)),
        memory_(index != nullptr
                    ? query::memory_questions(shown_.columns.columns(), index->memory())
                    : query::memory_questions(shown_.columns.columns())) {}

  // Prints the answers. Returns false if there is none.
  bool print() {
    if (o_.what->what == answers::memory)
      print_memory();
    else
      print_accesses();
    out_.finish();
    if (memory_.left_out() != 0)
      examples::note("trace_query", examples::some(memory_.left_out(), "memory operand") +
                                        " of instructions with very many were not examined");
    return any_;
  }

 private:
  static constexpr std::uint64_t no_end = query::memory_questions::no_end;

  void print_accesses() {
    const query::access_query wanted{.bytes = o_.bytes,
                                     .reads = o_.what->reads,
                                     .writes = o_.what->writes,
                                     .only_changes = o_.what->changes};
    const std::uint64_t from = o_.after.value_or(0), end = o_.before.value_or(no_end);
    std::uint64_t left = o_.what->what == answers::first ? 1 : o_.most.value_or(no_end);
    if (left == 0) return;
    if (o_.what->what == answers::last && memory_.has_index()) {
      const auto at = memory_.last(wanted, end);
      if (!at || *at < from) return;
      shown_.columns.columns().move_to(*at);
      shown_.columns.want({});
      shown_.columns.next(batch_, 1);
      return add(batch_, 0);
    }
    memory_.each(wanted, from, end, [&](const feed::columns& batch, std::size_t row) {
      if (o_.what->what == answers::last) out_.text.clear();
      add(batch, row);
      return o_.what->what == answers::last || --left != 0;
    });
  }

  void add(const feed::columns& batch, std::size_t row) {
    any_ = true;
    if (o_.what->what == answers::values)
      add_value(batch, row);
    else
      shown_.rows->add(out_.text, o_.form, batch.first() + row, row, shown_.places);
    if (o_.what->what != answers::last) out_.passed();
  }

  // Adds a row with the values that an instruction stores in the bytes.
  void add_value(const feed::columns& batch, std::size_t n) {
    const std::uint64_t at = batch.first() + n;
    feed::column_set wanted{feed::column::ip};
    const bool has_values = shown_.columns.has(feed::column::memory_values);
    if (has_values) wanted = wanted | feed::column_set{feed::column::memory_values};
    feed::columns& row = batch_;
    shown_.columns.columns().read_row(row, n, wanted);
    std::vector<std::optional<std::byte>> values(size());
    if (has_values) values = query::values_in(row.memory_values(), 0, o_.bytes.first, size(), true);
    if (o_.form == view::form::json) {
      examples::json to(out_.text);
      to.object().key("index").number(at).key("ip").hex(row.ip()[0]);
      to.key("address").hex(o_.bytes.first).key("bytes").string(hex_of(values)).end_object();
      out_.text += '\n';
      return;
    }
    out_.text += '[' + padded(at) + "] ";
    rows::add_hex(out_.text, row.ip()[0], 16);
    out_.text += " | ";
    rows::add_hex(out_.text, o_.bytes.first);
    out_.text += " = " + hex_of(values) + '\n';
  }

  // Adds a row for each run of bytes whose values the same access shows.
  void print_memory() {
    any_ = true;
    const auto bytes =
        query::memory_at(memory_, shown_.columns.columns(), o_.bytes.first, size(), *o_.at);
    for (std::size_t begin = 0, end = 0; begin != bytes.size(); begin = end) {
      const query::memory_byte& first = bytes[begin];
      std::vector<std::optional<std::byte>> run;
      for (; end != bytes.size() && bytes[end].by == first.by && bytes[end].at == first.at; ++end)
        run.push_back(first.by == query::known_by::nothing ? std::nullopt
                                                           : std::optional(bytes[end].value));
      const bool known = first.by != query::known_by::nothing,
                 later = first.by == query::known_by::later;
      const std::uint64_t address = o_.bytes.first + begin;
      if (o_.form == view::form::json) {
        examples::json to(out_.text);
        to.object().key("address").hex(address).key("bytes").string(hex_of(run)).key("index");
        if (known)
          to.number(first.at);
        else
          to.null();
        to.key("later").boolean(later).end_object();
        out_.text += '\n';
      } else {
        rows::add_hex(out_.text, address);
        out_.text += " = " + hex_of(run);
        if (known) out_.text += " [" + std::to_string(first.at) + (later ? "] later" : "]");
        out_.text += '\n';
      }
      out_.passed();
    }
  }

  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(o_.bytes.last - o_.bytes.first) + 1;
  }
  static std::string hex_of(const std::vector<std::optional<std::byte>>& bytes) {
    std::string s;
    for (const auto& b : bytes)
      if (b)
        rows::add_bytes(s, std::array{*b});
      else
        s += "??";
    return s;
  }
  static std::string padded(std::uint64_t at) {
    const std::string n = std::to_string(at);
    return std::string(n.size() < 6 ? 6 - n.size() : 0, ' ') + n;
  }

  const options& o_;
  view::shown_trace shown_;
  query::memory_questions memory_;
  feed::columns batch_ = {};
  examples::output out_ = {};
  bool any_ = false;
};

}  // namespace

bool ask(const options& o) {
  if (is_about_calls(*o.what)) return ask_calls(o);
  if (o.what->what == answers::values && o.bytes.last - o.bytes.first >= most_memory)
    throw examples::usage_error("history: at most " + std::to_string(most_memory) + " bytes");
  const auto index = open_index(o);
  if (!index && !o.no_index && o.trace != "-")
    examples::note("trace_query",
                   "the trace has no index, so all of it is read; trace_index makes one");
  return answering(o, index.get()).print();
}

}  // namespace ask
