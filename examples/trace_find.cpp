// Finds instructions in a trace: by address, code, memory, register, branch, thread.
#include <tracecodec/feed/find.hpp>
#include <tracecodec/feed/open.hpp>

#include <algorithm>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <utility>

#include "common/pipeline.hpp"
#include "common/progress.hpp"
#include "common/text.hpp"
#include "find/criteria.hpp"
#include "view/champsim_rows.hpp"
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
namespace feed = tracecodec::feed;

struct options {
  std::string trace = {};
  reading as = {};
  feed::find_criteria criteria = {};
  pipeline part = {};
  std::optional<std::uint64_t> most = {};
  bool count = false, as_json = false;
};

#if TRACECODEC_OPENS_UMTRACER
// An execution record as trace_view shows it.
void add_row(std::string& s, std::uint64_t, const tracecodec::umtracer::instruction_view& i,
             const options& o) {
  static const tracecodec::umtracer::names no_names;
  const view::umtracer_trace all{i.trace(), o.as.names ? *o.as.names : no_names};
  view::fields f(s, o.as_json ? view::form::json : view::form::compact, "Record", i.index());
  view::umtracer_tables[0].tell(f, all, static_cast<std::size_t>(i.index()));
}
#endif
template <class I> void add_row(std::string& s, std::uint64_t index, const I& i, const options& o) {
  if (o.as_json)
    view::add_json(s, index, i);
  else
    view::add_compact(s, index, i);
}

// How many were found. What was found before an error is printed before the error is thrown.
template <class Feed> std::uint64_t find_in(Feed whole, const options& o) {
  feed::finder<Feed> matches(o.criteria, whole);
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
  progress_line progress(o.trace, !o.count);
  const auto wanted = [&] { return !o.most || found < *o.most; };
  try {
    while (wanted()) {
      const auto batch = trace.next();
      if (batch.size() == 0) break;
      for (std::size_t n = 0; n < batch.size() && wanted(); ++n, ++index) {
        const auto i = batch[n];
        if (!matches(i) || index < from) continue;
        ++found;
        if (!o.count) add_row(out.text, index, i, o);
        out.passed();
      }
      progress.at(trace.progress());
    }
  } catch (const tracecodec::trace_error&) {
    failure = std::current_exception();
  }
  if (o.count) out.text += std::to_string(found) + '\n';
  out.finish();
  if (failure) std::rethrow_exception(failure);
  return found;
}

int start(int argc, char** argv) {
  options o;
  CLI::App app(
      "Finds instructions in a trace, and prints a row for each, as trace_view -c. Of several "
      "criteria each must hold; without any each instruction is found. The exit status is 0 if "
      "something is found, 1 if not, 2 if the trace could not be read.",
      "trace_find");
  add_trace(app, o.trace)->required();
  find::add_criteria(app, o.criteria);
  add_slice(app, o.part);
  add_shard(app, o.part);
  add_count(app, "-n", o.most, "End when N are found");
  app.add_flag("--count", o.count, "Print only how many there are");
  app.add_flag("--json", o.as_json, "Print each as a JSON object, as trace_view does");
  add_format(app, o.as);
  add_reading(app, o.as);
  add_events(app, o.as);
  if (!parse(app, arguments(argc, argv))) return 0;
  o.as.registers = o.criteria.register_value.has_value();
  const std::uint64_t found =
      feed::visit(o.trace, o.as, [&](auto trace) { return find_in(std::move(trace), o); });
  return found != 0 ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  return examples::run(
      "trace_find", [&] { return start(argc, argv); }, 2);
}
