// Tables whose rows an analysis or a list of the trace has: calls, modules, findings, statements, and
// the table-valued functions `origin` and `registers_at`.
#include <tracecodec/analysis/calling_convention.hpp>
#include <tracecodec/analysis/recorded_calls.hpp>
#include <tracecodec/program/map.hpp>
#include <tracecodec/query/memory_questions.hpp>
#include <tracecodec/query/origin.hpp>
#include <tracecodec/query/register_state.hpp>
#include <tracecodec/rows/json.hpp>
#include <tracecodec/rows/numbers.hpp>
#include <tracecodec/trace/about.hpp>
#include <tracecodec/trace/check.hpp>
#include <tracecodec/trace/places.hpp>
#include <tracecodec/trace/source.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <exception>
#include <utility>
#include <variant>

#include "scan.hpp"

namespace tracecodec::sql {

namespace {

// Value of a row: NULL, a number, or text.
using cell = std::variant<std::monostate, std::uint64_t, std::string>;
using row = std::vector<cell>;

template <class T> cell cell_of(const std::optional<T>& v) {
  return v ? cell(std::uint64_t{*v}) : cell();
}

// Rows of a list. more() adds some rows at the end of `rows`, or returns false if there are none.
class row_maker {
 public:
  row_maker() = default;
  row_maker(const row_maker&) = delete;
  row_maker& operator=(const row_maker&) = delete;
  virtual ~row_maker() = default;
  virtual bool more(std::deque<row>& rows) = 0;
};

// Rows that are all made at once.
class made_rows : public row_maker {
 public:
  explicit made_rows(std::deque<row> all) : all_(std::move(all)) {}
  bool more(std::deque<row>& rows) override {
    rows = std::exchange(all_, {});
    return !rows.empty();
  }

 private:
  std::deque<row> all_;
};

// Values of the parameters, which are null if they are missing.
using parameter_values = std::vector<sqlite3_value*>;
struct list_kind {
  const char* name;
  std::vector<column_info> columns;
  std::unique_ptr<row_maker> (*make)(const shared_trace&, const parameter_values&, const poll&);
};

class list_cursor : public cursor {
 public:
  list_cursor(shared_trace of, const list_kind& kind, poll p)
      : trace_(std::move(of)), kind_(&kind), poll_(std::move(p)) {}

  void filter(const plan& p, std::span<sqlite3_value*> arguments) override {
    rows_.clear();
    number_ = -1;
    std::size_t first = 0;
    while (first != kind_->columns.size() && !kind_->columns[first].is_parameter) ++first;
    parameter_values values(kind_->columns.size() - first);
    for (std::size_t k = 0; k != p.terms.size(); ++k)
      if (p.terms[k].op < SQLITE_INDEX_CONSTRAINT_LIMIT)
        values[static_cast<std::size_t>(p.terms[k].column) - first] = arguments[k];
    maker_ = kind_->make(trace_, values, poll_);
  }
  bool next() override {
    if (number_ >= 0 && !rows_.empty()) rows_.pop_front();
    ++number_;
    while (rows_.empty())
      if (!maker_->more(rows_)) return false;
    return true;
  }
  void column(sqlite3_context* to, int c) override {
    const row& now = rows_.front();
    const auto n = static_cast<std::size_t>(c);
    if (n >= now.size() || std::holds_alternative<std::monostate>(now[n]))
      return sqlite3_result_null(to);
    if (const auto* const number = std::get_if<std::uint64_t>(&now[n]))
      return result_number(to, *number);
    result_text(to, std::get<std::string>(now[n]));
  }
  [[nodiscard]] sqlite3_int64 rowid() const override { return number_; }

 private:
  shared_trace trace_;
  const list_kind* kind_;
  poll poll_;
  std::unique_ptr<row_maker> maker_ = {};
  std::deque<row> rows_ = {};
  sqlite3_int64 number_ = -1;
};

class list_table : public table {
 public:
  list_table(shared_trace of, const list_kind& kind) : trace_(std::move(of)), kind_(&kind) {
    columns_ = kind.columns;
  }
  [[nodiscard]] bool takes(int c, int op) const override {
    return columns_[static_cast<std::size_t>(c)].is_parameter && op == SQLITE_INDEX_CONSTRAINT_EQ;
  }
  [[nodiscard]] cost cost_of(const plan&) const override { return {1000, trace_->instructions()}; }
  [[nodiscard]] std::unique_ptr<cursor> open(const poll& p) override {
    return std::make_unique<list_cursor>(trace_, *kind_, p);
  }

 private:
  shared_trace trace_;
  const list_kind* kind_;
};

// ---- calls ----

class call_rows : public row_maker {
 public:
  call_rows(const shared_trace& of, poll p)
      : source_(of->open(true)),
        poll_(std::move(p)),
        places_(trace::places_of(
            of->path(), of->format(), of->options(),
            trace::modules_of(trace::source(of->path(), of->options()), of->options()))),
        calls_(
            *source_, convention_of(*of, *source_), [](const analysis::open_call&) { return true; },
            [this](const analysis::recorded_call& c) { add(c); }) {
    source_->keep_batches();
    source_->want(calls_.columns());
  }

  bool more(std::deque<row>& rows) override {
    while (made_.empty()) {
      if (ended_) {
        if (failure_) std::rethrow_exception(failure_);
        return false;
      }
      poll_();
      try {
        ended_ = !source_->next(batch_);
        if (!ended_) calls_.add(batch_);
      } catch (const trace_error&) {
        // The calls before the damage are rows, too.
        failure_ = std::current_exception();
        ended_ = true;
      }
      if (ended_) calls_.finish();
    }
    rows = std::exchange(made_, {});
    return true;
  }

 private:
  static const analysis::calling_convention* convention_of(const opened_trace& of,
                                                           feed::column_source& from) {
    // A path that does not begin with a slash is one of Windows.
    bool is_windows = false;
    for (const format::statement& s : trace::about(trace::source(of.path(), of.options())))
      if (s.name == "program") is_windows = !s.value.starts_with('/');
    return analysis::usual_convention(from, is_windows);
  }
  void add(const analysis::recorded_call& c) {
    const analysis::open_call& call = c.call;
    const program_place place = places_.at(call.function, call.entry);
    const bool is_first = call.is_first && !c.is_jump;
    row r{is_first ? cell() : cell(call.number),
          is_first ? cell() : cell(call.ip),
          std::uint64_t{call.thread},
          call.function,
          place.symbol != nullptr && place.symbol_offset == 0 ? cell(place.symbol->name) : cell(),
          is_first ? cell() : cell(c.caller),
          std::uint64_t{c.depth},
          call.entry,
          std::uint64_t{c.is_jump},
          cell_of(c.result)};
    if (c.end) {
      r.emplace_back(c.end->number);
      r.emplace_back(std::string(c.end->how == analysis::call_end::returned  ? "returned"
                                 : c.end->how == analysis::call_end::unwound ? "unwound"
                                                                             : "abandoned"));
    } else {
      r.resize(12);
    }
    made_.push_back(std::move(r));
  }

  std::unique_ptr<feed::column_source> source_;
  poll poll_;
  program_map places_;
  std::deque<row> made_ = {};
  analysis::recorded_calls calls_;
  feed::columns batch_ = {};
  bool ended_ = false;
  std::exception_ptr failure_ = {};
};

// ---- modules, findings, statements ----

std::unique_ptr<row_maker> make_modules(const shared_trace& of, const parameter_values&,
                                        const poll&) {
  const program_map map =
      trace::places_of(of->path(), of->format(), of->options(),
                       trace::modules_of(trace::source(of->path(), of->options()), of->options()));
  std::deque<row> all;
  for (const program_module& m : map.modules())
    all.push_back({m.base, m.size, std::string(m.name()), m.path,
                   m.build_id.empty() ? cell() : cell(m.build_id)});
  return std::make_unique<made_rows>(std::move(all));
}

std::unique_ptr<row_maker> make_findings(const shared_trace& of, const parameter_values&,
                                         const poll& p) {
  std::deque<row> all;
  check_options how;
  // A check reports a rule's first violations, and then their number.
  how.each = 1000;
  how.progress = [&p](std::optional<double>) { p(); };
  trace::check(
      trace::source(of->path(), of->options()),
      [&all](const diagnostic& d) {
        all.push_back({std::string(name(d.severity)), std::string(d.code), cell_of(d.offset),
                       cell_of(d.record), d.message});
      },
      how, of->options());
  return std::make_unique<made_rows>(std::move(all));
}

std::unique_ptr<row_maker> make_statements(const shared_trace& of, const parameter_values&,
                                           const poll&) {
  std::deque<row> all{{std::string("format"), std::string(of->format().name)}};
  for (const format::statement& s : trace::about(trace::source(of->path(), of->options())))
    all.push_back({std::string(s.name), std::string(s.value)});
  return std::make_unique<made_rows>(std::move(all));
}

// ---- origin ----

const char* text_of_kind(query::flow_kind k) noexcept {
  switch (k) {
    case query::flow_kind::copy:
      return "copy";
    case query::flow_kind::computation:
      return "computation";
    case query::flow_kind::outside:
      return "outside";
    case query::flow_kind::incomplete:
      return "incomplete";
    default:
      return "none";
  }
}

// origin(what, n, size, steps): `what` is the name of a register, or an address.
std::unique_ptr<row_maker> make_origin(const shared_trace& of, const parameter_values& values,
                                       const poll& p) {
  const auto refuse = [](const std::string& why) {
    throw trace_error(trace_errc::refused, {}, why);
  };
  if (values[0] == nullptr || values[1] == nullptr)
    refuse(
        "origin needs a register or an address, and the number of an instruction: "
        "origin('rax', 1234)");
  const auto source = of->open();
  query::flow_rows flows(*source, true);
  const std::uint64_t at = number_of(values[1], "n");
  query::place what;
  if (sqlite3_value_type(values[0]) == SQLITE_TEXT && !text_of(values[0]).starts_with("0x")) {
    const std::string name = text_of(values[0]);
    const auto found = flows.names().find(name);
    if (!found) refuse("origin: no register '" + name + "'");
    what = *found;
  } else {
    const std::uint64_t size = values[2] != nullptr ? number_of(values[2], "size") : 1;
    if (size == 0 || size > 4096) refuse("origin: the size must be from 1 to 4096 bytes");
    what = {number_of(values[0], "what"), static_cast<std::uint32_t>(size), 0};
  }
  query::slice_limits limits;
  if (values[3] != nullptr)
    limits.steps = static_cast<std::size_t>(
        std::min<std::uint64_t>(number_of(values[3], "steps"), query::slice_limits::most_steps));
  query::memory_questions questions = of->index() != nullptr
                                          ? query::memory_questions(*source, of->index()->memory())
                                          : query::memory_questions(*source);
  questions.on_batch(p);
  const query::slice found =
      query::origin_of(*source, flows, questions, what, query::thread_at(*source, at), at, limits);
  std::deque<row> all;
  for (std::size_t step = 0; step != found.steps.size(); ++step) {
    const query::origin_step& s = found.steps[step];
    for (const query::origin_flow& f : s.flows) {
      std::string inputs;
      rows::json<std::string> json(inputs);
      json.array();
      for (const std::size_t input : f.inputs)
        for (const query::origin_source& from : found.inputs[input]) {
          json.object().key("place").string(flows.names().name(from.bytes));
          if (from.step != query::origin_source::no_step)
            json.key("step").number(from.step);
          else
            json.key("end").string(std::string(name(from.end)));
          json.end_object();
        }
      json.end_array();
      all.push_back({std::uint64_t{step}, s.index, s.ip, std::uint64_t{s.thread},
                     f.to.size == 0 ? cell() : cell(flows.names().name(f.to)),
                     std::string(text_of_kind(f.kind)), inputs});
    }
  }
  return std::make_unique<made_rows>(std::move(all));
}

// ---- registers_at ----

// registers_at(n): the registers before an instruction.
std::unique_ptr<row_maker> make_registers(const shared_trace& of, const parameter_values& values,
                                          const poll&) {
  if (values[0] == nullptr)
    throw trace_error(trace_errc::refused, {},
                      "registers_at needs the number of an instruction: registers_at(1234)");
  const auto source = of->open(true);
  query::register_names names(*source);
  std::deque<row> all;
  for (const query::register_contents& r :
       query::registers_at(*source, number_of(values[0], "n"))) {
    names.extend(r.number, r.bytes.size());
    bool is_known = true, is_later = false;
    std::uint64_t value = 0;
    std::string bytes;
    for (std::size_t i = 0; i != r.bytes.size(); ++i) {
      const query::memory_byte& b = r.bytes[i];
      is_known = is_known && b.by != query::known_by::nothing;
      is_later = is_later || b.by == query::known_by::later;
      if (b.by != query::known_by::nothing)
        rows::add_bytes(bytes, std::array{b.value});
      else
        bytes += "??";
      if (i < 8) value |= std::to_integer<std::uint64_t>(b.value) << 8 * i;
    }
    all.push_back({names.name({0, static_cast<std::uint32_t>(r.bytes.size()), r.number}),
                   is_known && r.bytes.size() <= 8 ? cell(value) : cell(), bytes,
                   std::uint64_t{is_later}});
  }
  return std::make_unique<made_rows>(std::move(all));
}

const std::vector<list_kind>& kinds() {
  using type = column_type;
  static const std::vector<list_kind> all{
      {"calls",
       {{"n"},
        {"ip", type::address},
        {"thread"},
        {"function", type::address},
        {"name", type::text},
        {"caller", type::address},
        {"depth"},
        {"entry"},
        {"jump"},
        {"result", type::address},
        {"end_n"},
        {"end", type::text}},
       [](const shared_trace& of, const parameter_values&, const poll& p) {
         return std::unique_ptr<row_maker>(std::make_unique<call_rows>(of, p));
       }},
      {"modules",
       {{"base", type::address},
        {"size"},
        {"name", type::text},
        {"path", type::text},
        {"build_id", type::text}},
       make_modules},
      {"findings",
       {{"severity", type::text},
        {"code", type::text},
        {"offset"},
        {"record"},
        {"message", type::text}},
       make_findings},
      {"statements", {{"name", type::text}, {"value", type::text}}, make_statements},
      {"origin",
       {{"step"},
        {"n"},
        {"ip", type::address},
        {"thread"},
        {"place", type::text},
        {"kind", type::text},
        {"inputs", type::text},
        {"of_place", type::text, true},
        {"before_n", type::integer, true},
        {"of_size", type::integer, true},
        {"most_steps", type::integer, true}},
       make_origin},
      {"registers_at",
       {{"register", type::text},
        {"value", type::address},
        {"bytes", type::text},
        {"later"},
        {"at_n", type::integer, true}},
       make_registers},
  };
  return all;
}

template <std::size_t Kind> std::unique_ptr<table> make(const shared_trace& of) {
  return std::make_unique<list_table>(of, kinds()[Kind]);
}
template <std::size_t... Kind> std::vector<table_kind> all_kinds(std::index_sequence<Kind...>) {
  return {table_kind{kinds()[Kind].name, make<Kind>}...};
}

}  // namespace

std::vector<table_kind> list_tables() { return all_kinds(std::make_index_sequence<6>()); }

}  // namespace tracecodec::sql
