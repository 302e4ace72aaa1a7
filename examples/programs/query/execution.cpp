#include <tracecodec/query/execution_questions.hpp>
#include <tracecodec/query/index.hpp>

#include <array>
#include <cstdint>
#include <memory>

#include "../common/open_trace.hpp"
#include "../common/output.hpp"
#include "question.hpp"

namespace ask {

namespace {

namespace analysis = tracecodec::analysis;
namespace feed = tracecodec::feed;
namespace query = tracecodec::query;

bool answer_executions(const options& o, answers which) {
  constexpr std::uint64_t no_end = query::execution_questions::no_end;
  const analysis::address_span ips = addresses_of(o);
  const std::unique_ptr<query::trace_index> index = open_index(o);
  view::shown_trace shown = view::show(examples::open_trace(o.trace, o.as), o.trace, o.as);
  query::execution_questions asked(shown.columns.columns(),
                                   index != nullptr ? &index->executions() : nullptr);
  examples::output out;
  bool any = false;
  const auto add = [&](const feed::columns& batch, std::size_t row) {
    any = true;
    shown.rows->add(out.text, o.form, batch.first() + row, row, shown.places);
  };
  const std::uint64_t from = o.after.value_or(0), end = o.before.value_or(no_end);
  std::uint64_t left = which == answers::first ? 1 : o.most.value_or(no_end);
  if (left == 0) return false;
  if (which == answers::last && asked.has_index()) {
    if (const auto at = asked.last(ips, end); at && *at >= from) {
      feed::columns row;
      shown.columns.columns().move_to(*at);
      shown.columns.want({});
      shown.columns.next(row, 1);
      add(row, 0);
    }
  } else {
    asked.each(ips, from, end, [&](const feed::columns& batch, std::size_t row) {
      if (which == answers::last) out.text.clear();
      add(batch, row);
      if (which == answers::last) return true;
      out.passed();
      return --left != 0;
    });
  }
  out.finish();
  return any;
}

constexpr accepted_options accepted{.range = true, .most = true, .detail = true, .index = true};

constexpr std::array about_execution{
    question{"executions", addresses, "all executions of the instructions at the addresses",
             accepted, [](const options& o) { return answer_executions(o, answers::all); }},
    question{"last-execution", addresses, "the last execution of any of these instructions",
             accepted, [](const options& o) { return answer_executions(o, answers::last); }},
    question{"next-execution", addresses, "the first execution of any of these instructions",
             accepted, [](const options& o) { return answer_executions(o, answers::first); }},
};

}  // namespace

std::span<const question> execution_questions() { return about_execution; }

}  // namespace ask
