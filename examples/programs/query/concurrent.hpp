// Marks answers whose order among the threads is not known.
#pragma once
#include <tracecodec/query/concurrency.hpp>
#include <tracecodec/trace/reader.hpp>

#include <optional>
#include <string>
#include <string_view>

#include "../common/open_trace.hpp"
#include "question.hpp"

namespace ask {

class concurrent_answers {
 public:
  // `has` are the columns of the trace. If it has timestamps, they are read from the trace opened
  // again, because the position of the first one belongs to the question.
  concurrent_answers(const options& o, tracecodec::feed::column_set has)
      : form_(o.form), has_threads_(has.has(tracecodec::feed::column::thread)) {
    if (!has_threads_ || !has.has(tracecodec::feed::column::time) || o.trace == "-") return;
    times_.emplace(examples::open_trace(o.trace, o.as));
    order_ = tracecodec::query::concurrency(&times_->columns());
  }
  concurrent_answers(const concurrent_answers&) = delete;
  concurrent_answers& operator=(const concurrent_answers&) = delete;

  [[nodiscard]] bool has_threads() const noexcept { return has_threads_; }
  // Returns true if `first`, which precedes `second` in the trace, may have been executed later.
  [[nodiscard]] bool is_possible(const tracecodec::query::instruction_time& first,
                                 const tracecodec::query::instruction_time& second) {
    return order_.is_possible(first, second);
  }
  // The same, for instructions in any order.
  [[nodiscard]] bool is_possible_between(const tracecodec::query::instruction_time& a,
                                         const tracecodec::query::instruction_time& b) {
    return a.index < b.index ? is_possible(a, b) : is_possible(b, a);
  }
  // Adds the mark to the row at the end of `text`.
  void mark(std::string& text) const {
    const std::string_view end = form_ == view::form::json ? "}\n" : "\n";
    if (!text.ends_with(end)) return;
    text.resize(text.size() - end.size());
    if (form_ == view::form::json)
      text += ",\"concurrent\":true}";
    else if (form_ == view::form::compact)
      text += " | possibly concurrent";
    else
      text += "  order                  possibly concurrent\n";
    text += '\n';
  }

 private:
  view::form form_;
  bool has_threads_;
  std::optional<tracecodec::trace::reader> times_ = {};
  tracecodec::query::concurrency order_ = tracecodec::query::concurrency();
};

}  // namespace ask
