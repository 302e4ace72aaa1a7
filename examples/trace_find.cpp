// Finds instructions in a trace: by address, code, memory, register, branch, thread.
#include <tracecodec/analysis/find.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "common/open_trace.hpp"
#include "common/pipeline.hpp"
#include "common/places.hpp"
#include "common/progress.hpp"
#include "common/text.hpp"
#include "find/count_by.hpp"
#include "find/criteria.hpp"
#include "view/shown.hpp"

namespace {

using namespace examples;
namespace analysis = tracecodec::analysis;

// So many rows are kept.
constexpr std::uint64_t most_last = 1'000'000;

struct options {
  std::string trace = {};
  reading as = {};
  analysis::find_criteria criteria = {};
  pipeline part = {};
  std::optional<std::uint64_t> most = {}, last = {};
  std::optional<find::field> by = {};
  view::form form = view::form::compact;
  std::string symbol = {};  // in which it is
  bool count = false;
};

// Those that were found last, as they are printed.
class last_rows {
 public:
  explicit last_rows(std::uint64_t most) : most_(most) {}
  // The place of the next one, empty.
  std::string& next() {
    if (rows_.size() == most_) {
      rows_.push_back(std::move(rows_.front()));
      rows_.pop_front();
    } else {
      rows_.emplace_back();
    }
    rows_.back().clear();
    return rows_.back();
  }
  void print(output& out) const {
    for (const std::string& row : rows_) {
      out.text += row;
      out.passed();
    }
  }

 private:
  std::uint64_t most_;
  std::deque<std::string> rows_ = {};
};

// How many were found. What was found before an error is printed before the error is thrown.
std::uint64_t find_in(tracecodec::trace::source from, const options& o) {
  view::shown_trace shown = view::show(std::move(from), o.trace, o.as);
  tracecodec::trace::reader& trace = shown.columns;
  const tracecodec::program_map& places = shown.places;
  analysis::find_criteria criteria = o.criteria;
  if (!o.symbol.empty()) {
    const auto symbol = places.symbol(o.symbol);
    if (!symbol) throw usage_error("--symbol: no symbol '" + o.symbol + "' is known");
    criteria.ip = analysis::address_span{
        symbol->address, symbol->address + (symbol->size == 0 ? 0 : symbol->size - 1)};
  }
  analysis::finder wanted(std::move(criteria), trace.columns());
  pipeline part = o.part;
  if (has_shard(part)) cut_out_shard(trace.count(), part);
  const std::uint64_t begin = part.skip;
  std::optional<find::counts_by> counts;
  if (o.by) counts.emplace(*o.by, trace.columns());
  trace.want(counts ? wanted.columns() | counts->columns() : wanted.columns());

  output out;
  std::exception_ptr failure;
  last_rows last(o.last.value_or(0));
  const bool rows = !o.count && !o.by && !o.last;
  std::uint64_t found = 0;
  const auto add_row = [&](std::string& to, std::uint64_t index, std::size_t row) {
    shown.rows->add(to, o.form, index, row, places);
  };
  progress_line progress(o.trace, rows);
  const auto enough = [&] { return o.most && !o.by && found >= *o.most; };
  try {
    // What depends on those before is asked of them, too.
    if (wanted.keeps_state()) {
      if (part.limit) part.limit = begin + std::min(*part.limit, ~begin);
      part.skip = 0;
    }
    go_to(trace, part);
    // Few, so that they are still in the cache when they are looked at.
    constexpr std::size_t batch_rows = 1024;
    for (feed::columns batch; !enough() && trace.next(batch, batch_rows);
         progress.at(trace.progress()))
      for (std::size_t row = 0; !enough(); ++row) {
        row = wanted.next(batch, row);
        if (row == batch.size()) break;
        const std::uint64_t index = batch.first() + row;
        if (index < begin) continue;
        ++found;
        if (rows)
          add_row(out.text, index, row);
        else if (counts)
          counts->add(batch, row);
        else if (o.last)
          add_row(last.next(), index, row);
        out.passed();
      }
  } catch (const tracecodec::trace_error&) {
    failure = std::current_exception();
  }
  if (!failure && begin != 0 && trace.position() <= begin && o.most != std::uint64_t{0})
    require_something(trace.name(), o.as, o.part);
  if (o.count) out.text += std::to_string(found) + '\n';
  last.print(out);
  if (counts)
    counts->print(out, o.most.value_or(~std::uint64_t{0}), o.form == view::form::json, places);
  out.finish();
  if (counts && counts->error() != 0)
    note("trace_find", "more values than are kept: each count may be too low by up to " +
                           std::to_string(counts->error()) + ", and rare values are missing");
  if (wanted.left_out() != 0)
    note("trace_find", "of what an instruction tells beyond 64 KiB nothing was looked at");
  if (failure) std::rethrow_exception(failure);
  return found;
}

int start(int argc, char** argv) {
  options o;
  command_line app(
      "Finds instructions in a trace, or events, and prints each as trace_view does. Of several "
      "criteria each must hold; without any each instruction is found. The exit status is 0 if "
      "something is found, 1 if not, 2 if the trace could not be read.",
      "trace_find");
  add_trace(app, o.trace).required();
  find::add_criteria(app, o.criteria);
  add_value(
      app, "--symbol", "NAME",
      [&o](const std::string& s) {
        o.symbol = s;
        return !s.empty();
      },
      "Executed in this function, of the map beside the trace or of --symbols; instead of --ip",
      "a name")
      .excludes("--ip");
  add_slice(app, o.part);
  add_shard(app, o.part);
  add_most(app, "-m,--most", o.most,
           "End when N are found; with --count-by print N values; 0 is none (default all)");
  add_count(app, "--last", o.last,
            "Print only the last N that are found; without a number the last one", 1, most_last)
      .type_name("[N]");
  app.add_flag("--count", o.count, "Print only how many there are");
  add_choice(
      app, "--count-by", find::field_choices(),
      [&o](const std::string& s) { o.by = find::field_of(s); },
      "Print how many there are of each value of this field, the most frequent first; of address "
      "each that is read or written counts");
  bool compact = false, detail = false, as_json = false;
  app.add_flag("-c,--compact", compact,
               "A compact row for each, as trace_view -c; so it is without a choice");
  app.add_flag("--detail", detail, "Each in detail, as trace_view without -c");
  app.add_flag("--json", as_json, "Each as a JSON object, as trace_view --json");
  add_format(app, o.as);
  add_reading(app, o.as);
  add_places(app, o.as);
  add_events(app, o.as);
  if (!app.parse(with_numbers(arguments(argc, argv), "--last", "1"))) return 0;
  if (compact + detail + as_json > 1)
    throw usage_error("-c, --detail and --json are different views: choose one");
  if ((o.last ? 1 : 0) + (o.by ? 1 : 0) + o.count > 1 || (o.last && o.most))
    throw usage_error(
        "--most and --last, --count and --count-by are different answers: choose one");
  if ((o.count || o.by) && (compact || detail))
    throw usage_error("-c and --detail are of what is found: leave out --count and --count-by");
  if (detail) o.form = view::form::detail;
  if (as_json) o.form = view::form::json;
  o.as.registers = detail || o.criteria.register_value.has_value();
  const std::uint64_t found = find_in(open_trace(o.trace, o.as), o);
  return found != 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(
      "trace_find", [&] { return start(argc, argv); }, 2);
}
