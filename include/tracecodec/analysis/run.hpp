// Concept of an analysis, and a single pass over a trace for several analyses.
#pragma once
#include <concepts>
#include <cstddef>
#include <exception>

#include "../feed/columns.hpp"

namespace tracecodec::analysis {

// Analysis of a trace. columns() returns the columns that the analysis requires. add() receives the
// batches in order. result() returns the result so far. An analysis may also read single rows of
// other columns. If reading fails, the analysis includes the rows before the failure. It then
// either returns the error from failure() or throws the error.
template <class A>
concept trace_analysis = requires(A& a, const feed::columns& batch) {
  { a.columns() } -> std::same_as<feed::column_set>;
  a.add(batch);
  a.result();
};

// Reads `from`, a feed::column_source or trace::reader, to its end, and adds each batch to all
// analyses. Calls passed() after each batch. Throws the trace_error of `from` or of an analysis. If
// an analysis fails, the analyses before it have received the whole batch, but the analyses after
// it have not. Exceptions thrown by passed() propagate.
//
//   analysis::hot_blocks blocks(trace.columns());
//   analysis::thread_activity<> threads;
//   analysis::run(trace, blocks, threads);
template <class From, std::invocable Passed, trace_analysis... A>
void run(From& from, Passed passed, A&... all) {
  // Maximum number of rows per batch, small enough that the rows are still in the cache when the
  // analyses read them.
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
