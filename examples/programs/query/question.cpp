#include "question.hpp"

#include "../common/address.hpp"
#include "../common/program.hpp"
#include "../common/text.hpp"

namespace ask {

namespace query = tracecodec::query;

std::vector<const question*> all_questions() {
  std::vector<const question*> all;
  for (const auto group :
       {memory_questions(), execution_questions(), call_questions(), value_questions(),
        search_questions(), profile_questions(), comparison_questions(), export_questions()})
    for (const question& q : group) all.push_back(&q);
  return all;
}

const question* question_named(const std::string& name) {
  examples::choices known;
  for (const question* q : all_questions()) {
    if (q->name == name) return q;
    known.push_back({std::string(q->name)});
  }
  throw examples::usage_error("unknown question '" + name + "': expected " +
                              examples::one_of(known));
}

tracecodec::analysis::address_span addresses_of(const options& o, std::uint64_t most) {
  const std::string name(o.what->name);
  const auto span = examples::span_of(o.operands[0]);
  if (!span)
    throw examples::usage_error(name + ": expected " + examples::address_type +
                                examples::address_hint + ", got '" + o.operands[0] + "'");
  if (most != 0 && span->last - span->first >= most)
    throw examples::usage_error(name + ": at most " + std::to_string(most) + " bytes");
  return *span;
}

std::unique_ptr<query::trace_index> open_index(const options& o) {
  auto index = examples::open_index(o.trace, o.index, o.as);
  if (!index && !o.index.none && o.trace != "-")
    examples::note("trace_query",
                   "the trace has no index, so all of it is read; trace_index makes one");
  return index;
}

}  // namespace ask
