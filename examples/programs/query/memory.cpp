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
#include "concurrent.hpp"
#include "question.hpp"

namespace ask {

namespace {

namespace analysis = tracecodec::analysis;
namespace feed = tracecodec::feed;
namespace query = tracecodec::query;
namespace rows = tracecodec::rows;

// Maximum number of bytes whose values are printed.
constexpr std::uint64_t most_memory = 65536;

// Answers to one question, which are printed one after another.
class answering {
 public:
  answering(const options& o, const analysis::address_span& bytes, const query::trace_index* index)
      : o_(o),
        bytes_(bytes),
        shown_(view::show(examples::open_trace(o.trace, o.as), o.trace, o.as)),
        concurrent_(o, shown_.columns.has()),
        memory_(index != nullptr
                    ? query::memory_questions(shown_.columns.columns(), index->memory())
                    : query::memory_questions(shown_.columns.columns())) {}

  // Print the answers. Return false if there is none.
  bool print(answers which, query::access_query wanted) {
    wanted.bytes = bytes_;
    print_accesses(which, wanted, [this](const feed::columns& batch, std::size_t row) {
      shown_.rows->add(out_.text, o_.form, batch.first() + row, row, shown_.places);
    });
    return finish();
  }
  bool print_values() {
    print_accesses(answers::all, {.bytes = bytes_, .reads = false},
                   [this](const feed::columns& batch, std::size_t row) { add_value(batch, row); });
    return finish();
  }
  bool print_memory() {
    add_memory();
    return finish();
  }

 private:
  static constexpr std::uint64_t no_end = query::memory_questions::no_end;

  bool finish() {
    out_.finish();
    if (memory_.left_out() != 0)
      examples::note("trace_query", examples::some(memory_.left_out(), "memory operand") +
                                        " of instructions with very many were not examined");
    return any_;
  }

  // Calls add(batch, row) for each answer, which adds it to the output. Of several answers, each is
  // compared with the one before. A single one is compared with instruction --before or --after.
  template <class Add>
  void print_accesses(answers which, const query::access_query& wanted, Add add) {
    const std::uint64_t from = o_.after.value_or(0), end = o_.before.value_or(no_end);
    std::uint64_t left = which == answers::first ? 1 : o_.most.value_or(no_end);
    if (left == 0) return;
    std::optional<query::instruction_time> last;
    const auto& asking = which == answers::last ? o_.before : o_.after;
    if (which != answers::all && asking && concurrent_.has_threads()) memory_.set_asking(*asking);
    const auto mark_single = [&] {
      if (!any_ || which == answers::all) return;
      if (const auto by = memory_.asking(); by && concurrent_.is_possible_between(*last, *by))
        concurrent_.mark(out_.text);
    };
    if (which == answers::last && memory_.has_index()) {
      const auto at = memory_.last(wanted, end);
      if (!at || *at < from) return;
      shown_.columns.columns().move_to(*at);
      shown_.columns.want(query::time_columns(shown_.columns.has()));
      shown_.columns.next(batch_, 1);
      any_ = true;
      last = query::time_of(batch_, 0);
      add(batch_, 0);
      return mark_single();
    }
    memory_.each(wanted, from, end, [&](const feed::columns& batch, std::size_t row) {
      any_ = true;
      if (which == answers::last) out_.text.clear();
      const query::instruction_time now = query::time_of(batch, row);
      add(batch, row);
      if (which == answers::all && last && concurrent_.is_possible(*last, now))
        concurrent_.mark(out_.text);
      last = now;
      if (which == answers::last) return true;
      if (which == answers::all) out_.passed();
      return --left != 0;
    });
    mark_single();
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
    if (has_values) values = query::values_in(row.memory_values(), 0, bytes_.first, size(), true);
    if (o_.form == view::form::json) {
      examples::json to(out_.text);
      to.object().key("index").number(at).key("ip").hex(row.ip()[0]);
      to.key("address").hex(bytes_.first).key("bytes").string(hex_of(values)).end_object();
      out_.text += '\n';
      return;
    }
    out_.text += '[' + padded(at) + "] ";
    rows::add_hex(out_.text, row.ip()[0], 16);
    out_.text += " | ";
    rows::add_hex(out_.text, bytes_.first);
    out_.text += " = " + hex_of(values) + '\n';
  }

  // Adds a row for each run of bytes whose values the same access shows.
  void add_memory() {
    any_ = true;
    if (concurrent_.has_threads()) memory_.set_asking(*o_.at);
    const auto bytes =
        query::memory_at(memory_, shown_.columns.columns(), bytes_.first, size(), *o_.at);
    const auto asking = memory_.asking();
    for (std::size_t begin = 0, end = 0; begin != bytes.size(); begin = end) {
      const query::memory_byte& first = bytes[begin];
      std::vector<std::optional<std::byte>> run;
      for (; end != bytes.size() && bytes[end].by == first.by && bytes[end].at == first.at; ++end)
        run.push_back(first.by == query::known_by::nothing ? std::nullopt
                                                           : std::optional(bytes[end].value));
      const bool known = first.by != query::known_by::nothing,
                 later = first.by == query::known_by::later;
      const std::uint64_t address = bytes_.first + begin;
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
      if (known && asking &&
          concurrent_.is_possible_between({first.at, first.thread, first.time}, *asking))
        concurrent_.mark(out_.text);
      out_.passed();
    }
  }

  [[nodiscard]] std::size_t size() const {
    return static_cast<std::size_t>(bytes_.last - bytes_.first) + 1;
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
  analysis::address_span bytes_;
  view::shown_trace shown_;
  concurrent_answers concurrent_;
  query::memory_questions memory_;
  feed::columns batch_ = {};
  examples::output out_ = {};
  bool any_ = false;
};

bool answer_accesses(const options& o, answers which, const query::access_query& wanted) {
  const auto bytes = addresses_of(o);
  return answering(o, bytes, open_index(o).get()).print(which, wanted);
}

constexpr accepted_options of_accesses{.range = true, .most = true, .detail = true, .index = true};

constexpr std::array about_memory{
    question{"last-write", addresses, "the last instruction that writes any of the bytes",
             of_accesses,
             [](const options& o) { return answer_accesses(o, answers::last, {.reads = false}); }},
    question{"next-write", addresses, "the first instruction that writes any of the bytes",
             of_accesses,
             [](const options& o) { return answer_accesses(o, answers::first, {.reads = false}); }},
    question{"last-read", addresses, "the last instruction that reads any of the bytes",
             of_accesses,
             [](const options& o) { return answer_accesses(o, answers::last, {.writes = false}); }},
    question{
        "next-read", addresses, "the first instruction that reads any of the bytes", of_accesses,
        [](const options& o) { return answer_accesses(o, answers::first, {.writes = false}); }},
    question{"accesses", addresses, "all instructions that read or write any of the bytes",
             of_accesses, [](const options& o) { return answer_accesses(o, answers::all, {}); }},
    question{"changes", addresses,
             "all instructions that write another value than the bytes had; if the trace has no "
             "values, all that write",
             of_accesses,
             [](const options& o) {
               return answer_accesses(o, answers::all, {.reads = false, .only_changes = true});
             }},
    question{"history",
             addresses,
             "all instructions that write any of the bytes, and the values",
             {.range = true, .most = true, .index = true},
             [](const options& o) {
               const auto bytes = addresses_of(o, most_memory);
               return answering(o, bytes, open_index(o).get()).print_values();
             }},
    question{"memory",
             addresses,
             "the bytes before instruction --at N, and the accesses that show them; ?? is unknown",
             {.at = true, .index = true},
             [](const options& o) {
               const auto bytes = addresses_of(o, most_memory);
               return answering(o, bytes, open_index(o).get()).print_memory();
             }},
};

}  // namespace

std::span<const question> memory_questions() { return about_memory; }

}  // namespace ask
