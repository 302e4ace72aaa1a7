#include "find_in.hpp"

#include <tracecodec/io/error.hpp>
#include <tracecodec/rows/numbers.hpp>
#include <tracecodec/trace/reader.hpp>

#include <algorithm>
#include <cstddef>
#include <deque>
#include <exception>
#include <string>
#include <utility>
#include <vector>

#include "../common/output.hpp"
#include "../common/program.hpp"
#include "../common/progress.hpp"
#include "../common/text.hpp"

namespace find {

namespace {

std::string hex_of(const std::vector<std::byte>& bytes) {
  std::string s;
  tracecodec::rows::add_bytes(s, bytes);
  return s;
}

// Text of the last `most` rows that were found.
class last_rows {
 public:
  explicit last_rows(std::uint64_t most) : most_(most) {}
  // Adds an empty row, and returns its text for the caller to fill. If there are already `most`
  // rows, the new row replaces the oldest row.
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
  void print(examples::output& out) const {
    for (const std::string& row : rows_) {
      out.text += row;
      out.passed();
    }
  }

 private:
  std::uint64_t most_;
  std::deque<std::string> rows_ = {};
};

}  // namespace

std::uint64_t find_in(tracecodec::trace::source from, const options& o) {
  view::shown_trace shown = view::show(std::move(from), o.trace, o.as);
  tracecodec::trace::reader& trace = shown.columns;
  const tracecodec::program_map& places = shown.places;
  analysis::find_criteria criteria = o.criteria;
  if (!o.symbol.empty()) {
    const auto symbol = places.symbol(o.symbol);
    if (!symbol) throw examples::usage_error("--symbol: unknown function '" + o.symbol + "'");
    criteria.ip = analysis::address_span{
        symbol->address, symbol->address + (symbol->size == 0 ? 0 : symbol->size - 1)};
  }
  analysis::finder wanted(std::move(criteria), trace.columns());
  examples::pipeline part = o.part;
  if (examples::has_shard(part)) examples::cut_out_shard(trace.count(), part);
  const std::uint64_t begin = part.skip;
  std::optional<counts_by> counts;
  if (o.by) counts.emplace(*o.by, trace.columns(), *shown.rows);
  trace.want(counts ? wanted.columns() | counts->columns() : wanted.columns());

  examples::output out;
  std::exception_ptr failure;
  last_rows last(o.last.value_or(0));
  const bool rows = !o.count && !o.by && !o.last;
  std::uint64_t found = 0;
  const auto add_row = [&](std::string& to, std::uint64_t index, std::size_t row) {
    shown.rows->add(to, o.form, index, row, places);
  };
  examples::progress_line progress(o.trace, rows);
  const auto enough = [&] { return o.most && !o.by && found >= *o.most; };
  try {
    // Criteria with state must also process the rows before the selected part.
    if (wanted.keeps_state()) {
      if (part.limit) part.limit = begin + std::min(*part.limit, ~begin);
      part.skip = 0;
    }
    examples::go_to(trace, part);
    // Use small batches, so that a batch is still in the cache when it is searched.
    constexpr std::size_t batch_rows = 1024;
    for (feed::columns batch; !enough() && trace.next(batch, batch_rows);
         progress.at(trace.progress())) {
      // Do not search more rows than the number of matches that are still wanted. However, rows
      // before the selected part do not count as matches, so criteria with state must search the
      // whole batch.
      const bool counts_all = !o.most || o.by || wanted.keeps_state();
      wanted.add(batch, counts_all ? batch.size()
                                   : static_cast<std::size_t>(
                                         std::min<std::uint64_t>(*o.most - found, batch.size())));
      for (const std::size_t row : wanted.result()) {
        const std::uint64_t index = batch.first() + row;
        if (index < begin) continue;
        if (enough()) break;
        ++found;
        if (rows)
          add_row(out.text, index, row);
        else if (counts)
          counts->add(batch, row);
        else if (o.last)
          add_row(last.next(), index, row);
        out.passed();
      }
      if (wanted.failure() && !enough()) std::rethrow_exception(wanted.failure());
    }
  } catch (const tracecodec::trace_error&) {
    failure = std::current_exception();
  }
  if (!failure && begin != 0 && trace.position() <= begin && o.most != std::uint64_t{0})
    examples::require_something(trace.name(), o.as, o.part);
  if (o.count) out.text += std::to_string(found) + '\n';
  last.print(out);
  if (counts)
    counts->print(out, o.most.value_or(~std::uint64_t{0}), o.form == view::form::json, places);
  out.finish();
  if (counts && counts->error() != 0)
    examples::note(
        "trace_find",
        "more different values than can be counted: each count may be too low by up to " +
            std::to_string(counts->error()) + ", and rare values are missing");
  if (found == 0 && wanted.reversed() != 0)
    examples::note("trace_find", examples::some(wanted.reversed(), "instruction") +
                                     " with these bytes in reverse: memory stores the lowest byte "
                                     "of a number first; --value 0x" +
                                     hex_of(o.criteria.bytes) + " finds it");
  if (wanted.left_out() != 0)
    examples::note("trace_find",
                   "only the first 64 KiB of the data of each instruction were searched");
  if (failure) std::rethrow_exception(failure);
  return found;
}

}  // namespace find
