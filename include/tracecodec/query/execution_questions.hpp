// Questions about the executed instructions of a trace.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <utility>

#include "../analysis/address_span.hpp"
#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "../feed/columns.hpp"
#include "execution_index.hpp"

namespace tracecodec::query {

// Questions about when instructions at certain addresses were executed. With an index, an answer is a
// few lookups, and the instruction is compared with the trace. Without an index, a question reads the
// trace once. The functions throw the trace_error of the trace and of the index, and
// trace_error(corrupt) if the index has an instruction that the trace does not have.
class execution_questions {
 public:
  // Receives an instruction as a row of the batch that was read last. Returns false to stop.
  using take_row = std::function<bool(const feed::columns& batch, std::size_t row)>;
  // Position after every instruction.
  static constexpr std::uint64_t no_end = std::numeric_limits<std::uint64_t>::max();

  // `trace` must outlive the object. The object selects its columns, and calls its keep_batches().
  // `index` is null, or belongs to the trace and outlives the object.
  explicit execution_questions(feed::column_source& trace, const execution_index* index = nullptr);

  [[nodiscard]] bool has_index() const noexcept { return index_ != nullptr; }

  // Returns the number of the last instruction before `before` at one of the addresses, or nullopt.
  [[nodiscard]] std::optional<std::uint64_t> last(const analysis::address_span& ips,
                                                  std::uint64_t before);
  // Returns the number of the first such instruction from `from` on, or nullopt.
  [[nodiscard]] std::optional<std::uint64_t> first(const analysis::address_span& ips,
                                                   std::uint64_t from);
  // Calls found() for each such instruction from `from` up to, but not including, `end`, in order.
  // Does not rewind the trace if its position is at or before `from`.
  void each(const analysis::address_span& ips, std::uint64_t from, std::uint64_t end,
            const take_row& found);

 private:
  void read(std::uint64_t at, const analysis::address_span& ips);

  feed::column_source* trace_;
  const execution_index* index_;
  feed::columns batch_ = {};
};

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/execution_questions.ipp"
#endif
