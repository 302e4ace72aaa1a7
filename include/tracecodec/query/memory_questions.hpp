// Questions about the memory accesses of a trace.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "../feed/columns.hpp"
#include "accesses.hpp"
#include "concurrency.hpp"
#include "memory_index.hpp"

namespace tracecodec::query {

// Questions about the memory accesses of a trace. With an index, an answer is a few lookups, and the
// instruction is compared with the trace. Without an index, a question reads the trace once. The
// functions throw the trace_error of the trace and of the index, and trace_error(corrupt) if the
// index has an access that the trace does not have.
class memory_questions {
 public:
  // Receives an instruction as a row of the batch that was read last, which has time_columns(). Returns false to stop.
  using take_row = std::function<bool(const feed::columns& batch, std::size_t row)>;
  // Position after every instruction.
  static constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

  // `trace` must outlive the object. The object selects its columns, and calls its keep_batches().
  explicit memory_questions(feed::column_source& trace);
  // `index` must belong to the trace, and outlive the object.
  memory_questions(feed::column_source& trace, const memory_index& index);

  [[nodiscard]] bool has_index() const noexcept { return index_ != nullptr; }
  // Sets a function that is called after each batch that a question reads. If it throws, the question
  // ends with its exception.
  void on_batch(std::function<void()> f) { passed_ = std::move(f); }

  // Selects the instruction for which the questions are asked, whose thread answers are compared
  // with.
  void set_asking(std::uint64_t at) noexcept {
    asking_at_ = at;
    asking_.reset();
  }
  // Returns that instruction, or nullopt if none is selected or the trace ends before. Reads the
  // trace if no question has passed the instruction.
  [[nodiscard]] std::optional<instruction_time> asking();

  // Returns the number of the last instruction before `before` that has such an access, or nullopt.
  [[nodiscard]] std::optional<std::uint64_t> last(const access_query& q, std::uint64_t before);
  // Returns the number of the first instruction from `from` on that has such an access, or nullopt.
  [[nodiscard]] std::optional<std::uint64_t> first(const access_query& q, std::uint64_t from);

  // Return the same as last() and first(), but only look up the index, which must exist. If it is not
  // exact, the instruction may access other bytes.
  [[nodiscard]] std::optional<std::uint64_t> indexed_last(const access_query& q,
                                                          std::uint64_t before) const;
  [[nodiscard]] std::optional<std::uint64_t> indexed_first(const access_query& q,
                                                           std::uint64_t from) const;

  // Reads instruction `at`, which is a result of the index, with the columns `wanted` as the only row
  // of `row`. Returns true if it has such an access. The columns must include `memory`.
  [[nodiscard]] bool read(std::uint64_t at, const access_query& q, feed::columns& row,
                          feed::column_set wanted);

  // Calls found() for each such instruction from `from` up to, but not including, `end`, in order.
  // Does not rewind the trace if its position is at or before `from`.
  void each(const access_query& q, std::uint64_t from, std::uint64_t end, const take_row& found);

  // Returns the number of accesses that were not examined because they did not fit in a batch.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }

 private:
  void pass(const feed::columns& batch);
  [[nodiscard]] bool looks_up(const access_query& q) const noexcept;
  [[nodiscard]] feed::column_set columns_of(const access_query& q) const;

  feed::column_source* trace_;
  const memory_index* index_ = nullptr;
  feed::columns batch_ = {};
  std::function<void()> passed_ = {};
  std::uint64_t left_out_ = 0;
  std::optional<std::uint64_t> asking_at_ = {};
  std::optional<instruction_time> asking_ = {};
};

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/memory_questions.ipp"
#endif
