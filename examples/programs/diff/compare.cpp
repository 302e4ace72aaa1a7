#include "compare.hpp"

#include <tracecodec/io/error.hpp>
#include <tracecodec/trace/places.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../common/program.hpp"
#include "fitting.hpp"
#include "hints.hpp"
#include "input.hpp"
#include "report.hpp"
#include "umtracer_events.hpp"

namespace diff {

namespace {

// Threads of both traces that are compared: those with the same id, then the others in their order.
std::vector<std::pair<std::optional<std::uint32_t>, std::optional<std::uint32_t>>> pairs_of(
    thread_list a, thread_list b) {
  std::vector<std::pair<std::optional<std::uint32_t>, std::optional<std::uint32_t>>> pairs;
  for (auto i = a.begin(); i != a.end();) {
    const auto same = std::find(b.begin(), b.end(), *i);
    if (same == b.end()) {
      ++i;
      continue;
    }
    pairs.emplace_back(*i, *i);
    b.erase(same);
    i = a.erase(i);
  }
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) pairs.emplace_back(a[i], b[i]);
  return pairs;
}

// An option is for the trace whose format has it: throws usage_error for one that neither has.
void require_options_of_one(const input& a, const input& b) {
  for (const std::string& why : a.refusals())
    if (std::find(b.refusals().begin(), b.refusals().end(), why) != b.refusals().end())
      throw examples::usage_error(why);
}

}  // namespace

bool compare(const options& o, examples::output& out) {
  const analysis::differences wanted{.registers = o.ignored.wants("registers"),
                                     .memory = o.ignored.wants("memory"),
                                     .outcome = o.ignored.wants("outcome"),
                                     .values = o.how.values,
                                     .code = o.ignored.wants("code"),
                                     .events = o.ignored.wants("events")};
  const readings as = fit(o);
  input a(o.a, as.a), b(o.b, as.b);
  require_options_of_one(a, b);
  compare_by_numbers(a, b);
  if (o.how.values && a.tells_values() && b.tells_values()) a.keep_registers(), b.keep_registers();
  thread_list of_a = a.threads(), of_b = b.threads();
  if (!of_a[0] || !of_b[0]) of_a = of_b = {std::nullopt};
  analysis::diff_options how = o.how;
  if (!o.from_symbol.empty()) {
    const auto symbol = trace::places_of(o.a, a.format(), o.as, a.modules()).symbol(o.from_symbol);
    if (!symbol)
      throw examples::usage_error("--from: no symbol '" + o.from_symbol + "' of A is known");
    how.from = symbol->address;
  }
  report report(out, wanted, o.most, o.as_json);
  analysis::diff_summary sum;
  std::exception_ptr failure;
  std::optional<umtracer_events> others;
  // With a start it is not known which of them are behind it.
  if (a.is_umtracer() && b.is_umtracer() && !how.from) {
    try {
      others.emplace(
          o.a, o.b, o.as.repair,
          event_kinds{wanted.events, o.ignored.wants("syscalls"), o.ignored.wants("contexts")},
          tracecodec::umtracer::event_diff_options{wanted.values && !o.ignored.addresses,
                                                   o.how.moved});
    } catch (const tracecodec::trace_error&) {
      failure = std::current_exception();
    }
  }
  for (const auto& [x, y] : pairs_of(of_a, of_b)) {
    if (of_a.size() + of_b.size() > 2 && !o.as_json)
      out.text +=
          "thread " + std::to_string(x.value_or(0)) + " | " + std::to_string(y.value_or(0)) + '\n';
    try {
      analysis::diff_source first = a.open(x), second = b.open(y);
      report.read_as(a.assembly(), b.assembly());
      analysis::diff_options each = how;
      if (!o.ignored.mnemonics.empty())
        each.expected = written_by(o.ignored.mnemonics, a.assembly(), b.assembly());
      analysis::diff(
          std::move(first), std::move(second), each, sum,
          [&](const auto& p, const auto& q, analysis::differences d, auto values) {
            report.differs(p, q, d, values);
          },
          [&](const analysis::divergence& d) { report.diverges(d); });
      if (others) others->compare(out, x, y, o.most, o.as_json);
    } catch (const tracecodec::trace_error&) {
      if (!failure) failure = std::current_exception();
    }
  }
  report.finish();
  if (others) others->finish(out, o.as_json);
  if (o.as.thread && !failure && sum.aligned == 0 && sum.divergences == 0)
    throw examples::usage_error("--thread: neither trace has an instruction of thread " +
                                examples::chosen_thread(o.as));
  if (how.from && !failure && !sum.started)
    throw examples::usage_error("--from: the traces do not both execute this address");
  const bool differ = sum.divergences != 0 || report.differing() != 0 ||
                      of_a.size() != of_b.size() || (others && others->found().any());
  const verdict found = differ ? verdict::differ : failure ? verdict::same_so_far : verdict::same;
  if (!failure || sum.aligned != 0 || sum.divergences != 0)
    write_summary(out.text, o.a, o.b, sum, of_a.size(), of_b.size(), wanted, found,
                  !failure && !sum.lost, o.as_json, others ? &others->found() : nullptr);
  out.finish();
  if (differ) hint(a, b, sum);
  if (failure) std::rethrow_exception(failure);
  return !differ;
}

}  // namespace diff
