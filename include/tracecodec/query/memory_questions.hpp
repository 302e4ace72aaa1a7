// Questions about the memory accesses of a trace.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "../feed/columns.hpp"
#include "accesses.hpp"
#include "memory_index.hpp"

namespace tracecodec::query {

// Asks a trace about its memory accesses. With an index, a question is a few lookups, and each
// answer is compared with the trace. Without one, a question reads the trace from the beginning.
// The functions throw the trace_error of the trace and of the index, and trace_error(corrupt) if
// the index has an access that the trace does not have.
class memory_questions {
 public:
  // `trace` must outlive the object, and be rewindable. The questions select its columns.
  explicit memory_questions(feed::column_source& trace);
  // `index` must belong to the trace, and outlive the object.
  memory_questions(feed::column_source& trace, const memory_index& index);

  // Returns the number of the last instruction before `before` that has such an access, or nullopt.
  [[nodiscard]] std::optional<std::uint64_t> last(const access_query& q, std::uint64_t before);
  // Returns the number of the first instruction from `from` on that has such an access, or nullopt.
  [[nodiscard]] std::optional<std::uint64_t> first(const access_query& q, std::uint64_t from);

  // Calls found(number) for each such instruction from `from` up to, but not including, `end`, in
  // order, until found() returns false.
  void each(const access_query& q, std::uint64_t from, std::uint64_t end,
            const std::function<bool(std::uint64_t)>& found);

  // Position after every instruction.
  static constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

 private:
  [[nodiscard]] bool has(std::uint64_t at, const access_query& q);
  void go_to(std::uint64_t at);
  void want(const access_query& q);

  feed::column_source* trace_;
  const memory_index* index_ = nullptr;
  feed::columns batch_ = {};
};

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/memory_questions.ipp"
#endif
