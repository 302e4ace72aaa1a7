#include "show_statistics.hpp"

#include <tracecodec/io/error.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <utility>

#include "../common/output.hpp"
#include "../common/progress.hpp"
#include "rapidbin_statistics.hpp"
#include "shown.hpp"
#include "statistics.hpp"

namespace view {

namespace {

using namespace examples;

template <class Statistics>
void show(tracecodec::trace::reader& trace, const options& o, Statistics n = {}) {
  pipeline part = o.part;
  if (has_shard(part)) cut_out_shard(trace.count(), part);
  if (o.limit != everything) part.limit = std::min(o.limit, part.limit.value_or(o.limit));
  output out;
  std::exception_ptr failure;
  {
    progress_line progress(o.trace);
    trace.want(Statistics::columns(trace.columns()));
    try {
      go_to(trace, part);
      // Few, so that they are still in the cache when they are counted.
      constexpr std::size_t most = 1024;
      for (feed::columns batch; trace.next(batch, most); progress.at(trace.progress()))
        n.add(batch);
    } catch (const tracecodec::trace_error&) {
      failure = std::current_exception();
    }
  }
  if (failure && n.instructions == 0) std::rethrow_exception(failure);
  const std::string name = o.trace == "-" ? "<stdin>" : o.trace;
  if (o.as_json)
    add_json(out.text, name, n);
  else
    add_text(out.text, name, n);
  if (!failure && n.instructions == 0 && o.limit != 0)
    require_something(trace.name(), o.as, o.part);
  out.finish();
  if (failure) std::rethrow_exception(failure);
}

}  // namespace

void show_statistics(tracecodec::trace::reader& trace, bool events, const options& o) {
  if (!events) return show<statistics>(trace, o);
  rapidbin_statistics n;
  const auto rows = rapidbin_shown(trace.columns());
  n.names = [&rows](rapidbin::id_kind kind, std::uint64_t id) { return rows->id_name(kind, id); };
  show(trace, o, std::move(n));
}

}  // namespace view
