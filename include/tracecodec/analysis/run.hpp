// Concept of an analysis, and a single pass over a trace for several analyses.
#pragma once
#include <concepts>
#include <cstddef>
#include <exception>

#include "../feed/columns.hpp"

namespace tracecodec::analysis {

// Analysis of a trace: names the columns that it needs, takes the batches in order, and has a
// result at any time. An analysis may read more of an instruction than its columns. If reading
// fails, the analysis includes the rows before the failure, and returns the error from
// failure() or throws it.
template <class A>
concept trace_analysis = requires(A& a, const feed::columns& batch) {
  { a.columns() } -> std::same_as<feed::column_set>;
  a.add(batch);
  a.result();
};

// Reads `from`, a feed::column_source or trace::reader, to its end, and adds each batch to all
// analyses. Calls passed() after each batch. Throws the trace_error of `from` or of an analysis
// that fails. In that case the analyses before the failing analysis have the whole batch; the
// analyses after it do not. Exceptions of passed() are passed on.
//
//   analysis::hot_blocks blocks(trace.columns());
//   analysis::thread_activity<> threads;
//   analysis::run(trace, blocks, threads);
template <class From, std::invocable Passed, trace_analysis... A>
void run(From& from, Passed passed, A&... all) {
  // Maximum number of rows per batch, small enough that rows are still in the cache when added.
  constexpr std::size_t most = 1024;
  const auto add = [](auto& one, const feed::columns& batch) {
    one.add(batch);
    if constexpr (requires { one.failure(); })
      if (one.failure()) std::rethrow_exception(one.failure());
  };
  from.want((all.columns() | ...));
  for (feed::columns batch; from.next(batch, most); passed()) (add(all, batch), ...);
}
template <class From, trace_analysis... A> void run(From& from, A&... all) {
  run(
      from, [] {}, all...);
}

}  // namespace tracecodec::analysis
