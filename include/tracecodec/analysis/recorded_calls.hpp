// Finds the calls of a function, with their arguments and results.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "call_stack.hpp"
#include "calling_convention.hpp"

namespace tracecodec::analysis {

struct recorded_call {
  // Maximum number of arguments.
  static constexpr std::size_t most_arguments = 8;

  // The call. For a jump to the function (tail call), `ip` and `number` are those of the jump, and
  // the rest is as in the call of the function that jumps.
  open_call call = {};
  bool is_jump = false;
  std::uint64_t caller = 0;  // first instruction of the calling function
  std::size_t depth = 0;     // number of calls on the stack, including this one
  // Values at the function's first instruction, in the order of the convention. nullopt if the trace
  // does not have the value.
  std::array<std::optional<std::uint64_t>, most_arguments> arguments = {};
  std::optional<std::uint64_t> result = {};  // nullopt if unknown, or if the call did not return
  // Last instruction of the call, if the call ended in the trace.
  struct last_instruction {
    std::uint64_t number = 0, ip = 0;
    call_end how = call_end::returned;
  };
  std::optional<last_instruction> end = {};
};

// Finds calls, with their arguments and results, in the order in which the functions begin. It is an
// analysis (run.hpp). Calls that have not ended are kept in memory, and so are the calls within them: up to
// `most_waiting`. If there are more, the oldest call is reported without its end.
class recorded_calls {
 public:
  static constexpr std::size_t most_waiting = std::size_t{1} << 16;
  // Returns true for calls to find.
  using predicate = std::function<bool(const open_call&)>;

  // Prepares a pass over `trace`, whose batches must be kept (column_source::keep_batches()), and
  // which must outlive the analysis. Selects its stack pointer. `convention` can be nullptr; then
  // there are no arguments.
  recorded_calls(feed::column_source& trace, const calling_convention* convention, predicate wanted,
                 std::function<void(const recorded_call&)> found);

  // Returns the columns that batches must contain.
  [[nodiscard]] feed::column_set columns() const noexcept { return columns_; }
  void add(const feed::columns& batch);
  // Reports the calls that have not ended.
  void finish();
  // Returns the number of calls that were reported.
  [[nodiscard]] std::uint64_t result() const noexcept { return reported_; }

 private:
  // Bytes of a register or of memory, and a mask of those that are known.
  struct partial_word {
    std::uint64_t value = 0;
    std::uint8_t known = 0;
    void set(std::size_t offset, std::size_t size, std::uint64_t bytes) noexcept;
    [[nodiscard]] std::optional<std::uint64_t> whole(std::size_t size) const noexcept;
  };
  // Arguments, and the result last.
  using register_words = std::array<partial_word, recorded_call::most_arguments + 1>;
  struct memory_word {
    std::uint64_t address = 0;
    partial_word bytes = {};
  };
  // Number of 8-byte words of memory whose contents are kept, by address.
  static constexpr std::size_t kept_memory = std::size_t{1} << 14;

  void begin(const open_call& c, bool is_jump, std::uint64_t caller, std::size_t depth,
             std::size_t row);
  void end(const open_call& c, call_end how, std::uint64_t last, std::uint64_t last_ip,
           std::optional<std::size_t> row);
  // Forgets that the first waiting call waits for the end of `serial`.
  void forget(std::uint64_t serial);
  void report(std::size_t most);
  // Returns the registers before row `row`.
  const register_words& registers_at(std::size_t row);
  void read_registers(const feed::columns& batch, std::size_t row, bool after, register_words& to);
  void forget_written(const feed::columns& batch, std::size_t row, register_words& of);
  void read_memory(const feed::columns& batch, std::size_t row);
  [[nodiscard]] std::optional<std::uint64_t> memory_at(std::uint64_t address,
                                                       std::size_t size) const noexcept;

  feed::column_source& trace_;
  const calling_convention* convention_;
  predicate wanted_;
  std::function<void(const recorded_call&)> found_;
  call_stacks stacks_;
  feed::column_set columns_;
  std::array<std::uint8_t, 256> slot_of_ = {};  // 1 + index in register_words, by register number
  bool reads_rows_ = false;                     // true if a row provides all registers
  feed::columns row_ = {};
  register_words of_row_ = {};
  std::map<std::uint32_t, register_words> of_threads_ = {};
  register_words* now_ = nullptr;
  std::vector<memory_word> memory_ = {};
  std::deque<recorded_call> waiting_ = {};
  // Numbers of the waiting calls, from the first of all on, by serial number.
  std::unordered_multimap<std::uint64_t, std::uint64_t> waiting_by_serial_ = {};
  std::uint64_t reported_ = 0;
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/recorded_calls.ipp"
#endif
