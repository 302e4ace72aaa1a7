// The concept of an analysis, and a pass over a trace for several analyses.
#pragma once
#include <concepts>
#include <cstddef>
#include <exception>

#include "../feed/columns.hpp"

namespace tracecodec::analysis {

// An analysis names the columns that it needs, takes the batches of a trace in their order, and has a result at any time.
// An analysis that reads more of an instruction than the columns, and fails there, takes the rows before it, and keeps the
// error as failure() or throws it.
template <class A>
concept trace_analysis = requires(A& a, const feed::columns& batch) {
  { a.columns() } -> std::same_as<feed::column_set>;
  a.add(batch);
  a.result();
};

// Reads `from`, a feed::column_source or trace::reader, to its end, and adds each batch to all analyses. Calls passed()
// after each batch. Throws trace_error as `from`, and as an analysis that fails: analyses before it have the whole batch
// then, and those after it do not. What passed() throws is thrown.
//
//   analysis::hot_blocks blocks(trace.columns());
//   analysis::thread_activity<> threads;
//   analysis::run(trace, blocks, threads);
template <class From, std::invocable Passed, trace_analysis... A>
void run(From& from, Passed passed, A&... all) {
  constexpr std::size_t most = 1024;  // rows; so few are still in the cache when they are added
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
