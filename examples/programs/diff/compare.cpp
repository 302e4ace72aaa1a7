#include "compare.hpp"

#include <tracecodec/io/error.hpp>
#include <tracecodec/trace/places.hpp>

#include <algorithm>
#include <cstddef>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "../common/program.hpp"
#include "../common/text.hpp"
#include "format_comparison.hpp"
#include "hints.hpp"
#include "input.hpp"
#include "moved.hpp"
#include "own_comparison.hpp"
#include "report.hpp"

namespace diff {

namespace {

// Returns the pairs of threads to compare: first the threads with equal ids, then the other threads
// in the order in which they first run.
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

// Throws usage_error for an option that neither trace's format supports. If only one of the formats
// supports an option, the option applies only to that format's trace.
void require_options_of_one(const input& a, const input& b) {
  for (const std::string& why : a.refusals())
    if (std::find(b.refusals().begin(), b.refusals().end(), why) != b.refusals().end())
      throw examples::usage_error(why);
}

// Returns the reading options of each trace. They can differ, because some options apply to only
// one of the traces.
readings fit(const options& o) {
  readings to{o.as, o.as};
  for (const format_comparison* const f : all_comparisons())
    if (f->fit != nullptr) f->fit(o, to);
  return to;
}

// Changes how the traces are read, by calling the functions of the traces' formats.
void prepare(input& a, input& b) {
  const auto *const first = comparison_of(a.format()), *const second = comparison_of(b.format());
  const auto own = first != nullptr ? first->prepare : nullptr;
  const auto other = second != nullptr ? second->prepare : nullptr;
  if (own != nullptr) own(a, b);
  if (other != nullptr && other != own) other(a, b);
}

// Returns the callback that adds the text of an event in format `f`.
event_text event_text_of(const tracecodec::format::facts& f) {
  const auto* const own = comparison_of(f);
  if (own != nullptr && own->add_event != nullptr) return own->add_event;
  return [names = f.operations](std::string& to, const diff_step& i) {
    if (i.operation < names.size())
      to += names[i.operation];
    else
      examples::add_number(to += "operation ", i.operation);
    if (i.operand != 0) examples::add_hex(to += ' ', i.operand);
  };
}

// Returns the comparison of records that are not instructions. Returns null if the traces have
// different formats, or if the format has no such comparison.
std::unique_ptr<own_comparison> rest_of(const options& o, const input& a, const input& b) {
  const auto* const own = comparison_of(a.format());
  if (&a.format() != &b.format() || own == nullptr || own->compare_rest == nullptr) return nullptr;
  return own->compare_rest(o);
}

bool any(const std::vector<own_count>& all) {
  return std::any_of(all.begin(), all.end(), [](const own_count& c) { return c.count != 0; });
}

}  // namespace

bool compare(const options& given, examples::output& out) {
  options o = given;
  const analysis::differences wanted{.registers = o.ignored.wants("registers"),
                                     .memory = o.ignored.wants("memory"),
                                     .outcome = o.ignored.wants("outcome"),
                                     .values = o.how.values,
                                     .code = o.ignored.wants("code"),
                                     .events = o.ignored.wants("events")};
  const readings as = fit(o);
  input a(o.a, as.a), b(o.b, as.b);
  require_options_of_one(a, b);
  prepare(a, b);
  std::optional<analysis::found_relocation> moved;
  const bool relocates = o.moved.automatic() && (!o.relocate_if_possible || can_find_moved(a, b));
  if (relocates) {
    moved = find_moved(a, b);
    o.how.moved = moved->relocation();
    if (!o.as_json) add_moved(out.text, *moved);
  }
  if (o.how.values && a.has_values() && b.has_values()) a.keep_registers(), b.keep_registers();
  thread_list of_a = a.threads(), of_b = b.threads();
  if (!of_a[0] || !of_b[0]) of_a = of_b = {std::nullopt};
  analysis::diff_options how = o.how;
  if (!o.from_symbol.empty()) {
    const auto symbol = trace::places_of(o.a, a.format(), o.as, a.modules()).symbol(o.from_symbol);
    if (!symbol) throw examples::usage_error("--from: A has no function '" + o.from_symbol + "'");
    how.from = symbol->address;
  }
  report report(out, wanted, o.most, o.as_json);
  report.name_events(event_text_of(a.format()), event_text_of(b.format()));
  analysis::diff_summary sum;
  std::exception_ptr failure;
  std::unique_ptr<own_comparison> others;
  // If the comparison starts at an address, the other records are not compared, because their
  // position relative to that address is unknown.
  if (!how.from) {
    try {
      others = rest_of(o, a, b);
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
      report.name_registers(
          [&names = first.trace()](std::uint8_t n) { return names.register_name(n); });
      analysis::diff_options each = how;
      if (!o.ignored.mnemonics.empty())
        each.expected = written_by(o.ignored.mnemonics, a.assembly(), b.assembly());
      analysis::diff(
          std::move(first), std::move(second), each, sum,
          [&](const auto& p, const auto& q, analysis::differences d, auto values) {
            report.differs(p, q, d, values);
          },
          [&](const analysis::divergence& d) { report.diverges(d); });
      if (others) others->compare(out, x, y);
    } catch (const tracecodec::trace_error&) {
      if (!failure) failure = std::current_exception();
    }
  }
  report.finish();
  if (others) others->finish(out);
  const std::vector<own_count> counts = others ? others->counts() : std::vector<own_count>();
  if (o.as.thread && !failure && sum.aligned == 0 && sum.divergences == 0)
    throw examples::usage_error("--thread: neither trace has an instruction of thread " +
                                examples::chosen_thread(o.as));
  if (how.from && !failure && !sum.started)
    throw examples::usage_error("--from: the traces do not both execute this address");
  const bool differ =
      sum.divergences != 0 || report.differing() != 0 || of_a.size() != of_b.size() || any(counts);
  const verdict found = differ ? verdict::differ : failure ? verdict::same_so_far : verdict::same;
  if (!failure || sum.aligned != 0 || sum.divergences != 0)
    write_summary(out.text, o.a, o.b, sum, of_a.size(), of_b.size(), wanted, found,
                  !failure && !sum.lost, o.as_json, counts, moved ? &*moved : nullptr,
                  report.first());
  out.finish();
  if (differ) hint(a, b, sum, o.moved.automatic());
  if (failure) std::rethrow_exception(failure);
  return !differ;
}

}  // namespace diff
