// Finds instructions in a trace: by address, code, memory, register, branch, thread.
#include <tracecodec/analysis/find.hpp>
#include <tracecodec/rapidbin/values.hpp>
#include <tracecodec/trace/open.hpp>

#include <algorithm>
#include <cstdint>
#include <deque>
#include <exception>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "common/open_trace.hpp"
#include "common/pipeline.hpp"
#include "common/places.hpp"
#include "common/progress.hpp"
#include "common/text.hpp"
#include "find/count_by.hpp"
#include "find/criteria.hpp"
#include "view/champsim_rows.hpp"
#include "view/places.hpp"
#include "view/rapidbin_rows.hpp"
#include "view/umtracer_tables.hpp"
#if TRACECODEC_OPENS_X64DBG
#include <tracecodec/x64dbg/values.hpp>

#include "view/x64dbg_rows.hpp"
#endif
#if TRACECODEC_OPENS_UMTRACER
#include <tracecodec/umtracer/values.hpp>
#endif

namespace {

using namespace examples;
namespace analysis = tracecodec::analysis;
namespace trace = tracecodec::trace;

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

#if TRACECODEC_OPENS_UMTRACER
// An execution record as trace_view shows it.
void add_row(std::string& s, std::uint64_t, const tracecodec::umtracer::instruction_view& i,
             const options& o, const tracecodec::program_map& places) {
  static const tracecodec::umtracer::names no_names;
  const view::umtracer_trace all{
      .trace = i.trace(), .names = o.as.names ? *o.as.names : no_names, .places = &places};
  view::fields f(s, o.form, "Record", i.index());
  view::umtracer_tables[0].tell(f, all, static_cast<std::size_t>(i.index()));
}
#endif
template <class I> void add_row(std::string& s, std::uint64_t index, const I& i, const options& o,
                                const tracecodec::program_map& places) {
  if (o.form == view::form::json)
    view::add_json(s, index, i);
  else if (o.form == view::form::detail)
    view::add_detail(s, index, i);
  else
    view::add_compact(s, index, i);
  if (!places.empty())
    view::add_place(s, o.form, places, index, i.ip(),
                    o.form == view::form::detail ? i.target() : 0);
}

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
template <class Feed> std::uint64_t find_in(Feed whole, trace::format format, const options& o) {
  const std::string name = whole.name();
  const tracecodec::program_map places = [&] {
    std::vector<tracecodec::program_module> own;
#if TRACECODEC_OPENS_UMTRACER
    if constexpr (std::is_same_v<Feed, tracecodec::umtracer::trace_feed>)
      own = modules_of(whole.trace(), o.as);
#endif
    return trace::places_of(name, format, o.as, std::move(own));
  }();
  analysis::find_criteria criteria = o.criteria;
  if (!o.symbol.empty()) {
    const auto symbol = places.symbol(o.symbol);
    if (!symbol) throw usage_error("--symbol: no symbol '" + o.symbol + "' is known");
    criteria.ip = analysis::address_span{
        symbol->address, symbol->address + (symbol->size == 0 ? 0 : symbol->size - 1)};
  }
  analysis::finder<Feed> matches(criteria, whole);
  pipeline part = o.part;
  cut_out_shard(whole, part);
  const std::uint64_t from = part.skip;
  // What depends on those before is asked of them, too.
  if (matches.keeps_state()) {
    if (part.limit) part.limit = from + std::min(*part.limit, ~from);
    part.skip = 0;
  }
  std::uint64_t index = part.skip, found = 0;
  auto trace = piped(std::move(whole), part);

  output out;
  std::exception_ptr failure;
  last_rows last(o.last.value_or(0));
  std::optional<find::counts_by<typename Feed::batch_type::value_type>> counts;
  if (o.by) counts.emplace(*o.by, o.trace);
  const bool rows = !o.count && !o.by && !o.last;
  progress_line progress(o.trace, rows);
  const auto wanted = [&] { return !o.most || o.by || found < *o.most; };
  try {
    while (wanted()) {
      const auto batch = trace.next();
      if (batch.size() == 0) break;
      for (std::size_t n = 0; n < batch.size() && wanted(); ++n, ++index) {
        const auto i = batch[n];
        if (!matches(i) || index < from) continue;
        ++found;
        if (rows)
          add_row(out.text, index, i, o, places);
        else if (counts)
          counts->add(i);
        else if (o.last)
          add_row(last.next(), index, i, o, places);
        out.passed();
      }
      progress.at(trace.progress());
    }
  } catch (const tracecodec::trace_error&) {
    failure = std::current_exception();
  }
  if (!failure && from != 0 && index <= from && o.most != std::uint64_t{0})
    require_something(name, o.as, o.part);
  if (o.count) out.text += std::to_string(found) + '\n';
  last.print(out);
  if (counts)
    counts->print(out, o.most.value_or(~std::uint64_t{0}), o.form == view::form::json, places);
  out.finish();
  if (counts && counts->error() != 0)
    note("trace_find", "more values than are kept: each count may be too low by up to " +
                           std::to_string(counts->error()) + ", and rare values are missing");
  if (failure) std::rethrow_exception(failure);
  return found;
}

int start(int argc, char** argv) {
  options o;
  CLI::App app(
      "Finds instructions in a trace, or events, and prints each as trace_view does. Of several "
      "criteria each must hold; without any each instruction is found. The exit status is 0 if "
      "something is found, 1 if not, 2 if the trace could not be read.",
      "trace_find");
  add_trace(app, o.trace)->required();
  find::add_criteria(app, o.criteria);
  add_value(
      app, "--symbol", "NAME",
      [&o](const std::string& s) {
        o.symbol = s;
        return !s.empty();
      },
      "Executed in this function, of the map beside the trace or of --symbols; instead of --ip",
      "a name")
      ->excludes("--ip");
  add_slice(app, o.part);
  add_shard(app, o.part);
  add_most(app, "-m,--most", o.most,
           "End when N are found; with --count-by print N values; 0 is none (default all)");
  add_count(app, "--last", o.last,
            "Print only the last N that are found; without a number the last one", 1, most_last)
      ->type_name("[N]");
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
  if (!parse(app, with_numbers(arguments(argc, argv), "--last", "1"))) return 0;
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
  trace::source from = open_trace(o.trace, o.as);
  const trace::format format = from.format();
  const std::uint64_t found = trace::visit(
      std::move(from), o.as, [&](auto trace) { return find_in(std::move(trace), format, o); });
  return found != 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(
      "trace_find", [&] { return start(argc, argv); }, 2);
}
