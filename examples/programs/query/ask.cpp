#include "ask.hpp"

#include <tracecodec/io/os/os.hpp>
#include <tracecodec/query/index.hpp>
#include <tracecodec/query/memory_questions.hpp>

#include <memory>
#include <vector>

#include "../common/nearest.hpp"
#include "../common/open_trace.hpp"
#include "../common/output.hpp"
#include "../common/program.hpp"

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
  if (!o.as.own.empty() || o.as.thread || !o.as.thread_name.empty())
    throw examples::usage_error(
        "the index is of the whole trace as it is stored: use --no-index with the options that "
        "select instructions");
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

bool ask(const options& o) {
  const auto index = open_index(o);
  if (!index && !o.no_index)
    examples::note("trace_query",
                   "the trace has no index, so all of it is read; trace_index makes one");
  view::shown_trace shown =
      view::show(examples::open_trace(o.trace, o.as), o.trace, o.as);
  tracecodec::trace::reader& trace = shown.columns;
  std::optional<query::memory_questions> memory;
  if (index)
    memory.emplace(trace.columns(), index->memory());
  else
    memory.emplace(trace.columns());

  const query::access_query wanted{.bytes = o.bytes,
                                   .reads = o.what->reads,
                                   .writes = o.what->writes,
                                   .only_changes = o.what->changes};
  const std::uint64_t from = o.after.value_or(0),
                      end = o.before.value_or(query::memory_questions::no_end);
  std::vector<std::uint64_t> answers;
  examples::output out;
  bool any = false;
  const auto show = [&](std::uint64_t at) {
    any = true;
    trace.rewind();
    trace.skip(at);
    trace.want({});
    tracecodec::feed::columns batch;
    trace.next(batch, 1);
    shown.rows->add(out.text, o.form, at, 0, shown.places);
    out.passed();
  };
  if (o.most == std::uint64_t{0}) return false;
  if (o.what->last) {
    if (const auto at = memory->last(wanted, end); at && *at >= from) show(*at);
  } else if (o.what->first) {
    if (const auto at = memory->first(wanted, from); at && *at < end) show(*at);
  } else {
    std::uint64_t left = o.most.value_or(query::memory_questions::no_end);
    for (auto at = memory->first(wanted, from); at && *at < end && left != 0; --left) {
      show(*at);
      at = memory->first(wanted, *at + 1);
    }
  }
  out.finish();
  return any;
}

}  // namespace ask
