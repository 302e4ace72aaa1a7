// Trace as a program that a debugger runs forward and backward. The position is the number of the
// instruction that is executed next.
#pragma once
#include <tracecodec/feed/column_source.hpp>
#include <tracecodec/query/memory_questions.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "executed_code.hpp"
#include "target_registers.hpp"

namespace debug {

struct watchpoint {
  tracecodec::query::access_query accesses = {};
  // Type of the packet Z: 2 for writes, 3 for reads, 4 for both.
  char type = '2';

  [[nodiscard]] std::uint64_t address() const noexcept { return accesses.bytes.first; }
  friend bool operator==(const watchpoint& a, const watchpoint& b) noexcept {
    return a.type == b.type && a.accesses.bytes.first == b.accesses.bytes.first &&
           a.accesses.bytes.last == b.accesses.bytes.last;
  }
};

enum class stop_reason : std::uint8_t { step, breakpoint, watchpoint, begin, end, interrupted };

struct stop {
  stop_reason reason = stop_reason::step;
  watchpoint watched = {};  // that was hit, for stop_reason::watchpoint
};

// Thrown by the function of replay::on_batch() to end a search.
struct search_interrupted {};

class replay {
 public:
  // Maximum number of breakpoints and of watchpoints.
  static constexpr std::size_t most_points = 1024;

  // `trace`, and `index` if it is not null, must outlive the object. Reads the whole trace once if it
  // has threads or code. Throws trace_error(refused) if the trace has no instructions.
  replay(tracecodec::feed::column_source& trace, const tracecodec::query::memory_index* index);
  replay(const replay&) = delete;
  replay& operator=(const replay&) = delete;

  // Sets a function that is called during a search, and may throw search_interrupted.
  void on_batch(std::function<void()> f);

  [[nodiscard]] const executed_code& code() const noexcept { return code_; }
  [[nodiscard]] tracecodec::feed::column_source& trace() noexcept { return *trace_; }
  [[nodiscard]] tracecodec::query::memory_questions& questions() noexcept { return questions_; }
  [[nodiscard]] const target_description& target() const noexcept { return target_; }
  [[nodiscard]] std::uint64_t instructions() const noexcept { return code_.instructions(); }
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  [[nodiscard]] std::uint32_t thread() const noexcept { return thread_; }
  // Returns the number of the next instruction of a thread, or nullopt if it has ended.
  [[nodiscard]] std::optional<std::uint64_t> next_of(std::uint32_t thread);
  // Returns the threads that have instructions before and after the position.
  [[nodiscard]] std::vector<std::uint32_t> threads() const;

  // Moves to an instruction, which must exist.
  void go_to(std::uint64_t position);
  // Executes the next instruction of a thread, or undoes its last one. Other threads execute their
  // instructions between, too.
  stop step(std::uint32_t thread, bool forward);
  // Executes or undoes instructions up to a breakpoint or a watchpoint, or to the end of the trace.
  stop run(bool forward);

  // Return false if there are too many.
  bool add_breakpoint(std::uint64_t address);
  bool add_watchpoint(const watchpoint& w);
  void remove_breakpoint(std::uint64_t address) { breakpoints_.erase(address); }
  void remove_watchpoint(const watchpoint& w) { std::erase(watchpoints_, w); }

  // Returns the registers of a thread in GDB's order, as hexadecimal digits, or x for unknown ones.
  [[nodiscard]] const std::vector<std::string>& registers(std::uint32_t thread);
  // Returns bytes of memory before the instruction at the position. Stops at the first unknown one.
  [[nodiscard]] std::string memory(std::uint64_t address, std::size_t size);
  // Returns the address of the next instruction of a thread, or nullopt if it has ended.
  [[nodiscard]] std::optional<std::uint64_t> ip(std::uint32_t thread);

 private:
  struct hit {
    std::uint64_t position = 0;
    std::uint32_t thread = 0;
    stop why = {};
  };

  // Address and thread of an instruction.
  struct place {
    std::uint64_t at = 0, ip = 0;
    std::uint32_t thread = 0;
  };

  // Reads an instruction, unless it is the one that was read last.
  [[nodiscard]] const place& place_of(std::uint64_t instruction);
  [[nodiscard]] std::uint32_t thread_of(std::uint64_t instruction);
  [[nodiscard]] std::optional<std::uint64_t> find_thread(std::uint32_t thread, std::uint64_t from);
  [[nodiscard]] std::optional<std::uint64_t> find_thread_before(std::uint32_t thread,
                                                                std::uint64_t before);
  [[nodiscard]] bool has_threads() const noexcept { return code_.threads().size() > 1; }
  // Returns the first stop of the instructions from `from` on at a position up to `end`.
  [[nodiscard]] std::optional<hit> find_forward(std::uint64_t from, std::uint64_t end);
  // Returns the last stop of the instructions from `begin` up to, but not including, `from`.
  [[nodiscard]] std::optional<hit> find_backward(std::uint64_t begin, std::uint64_t from);
  [[nodiscard]] std::optional<hit> hit_of(const tracecodec::feed::columns& batch, std::size_t row,
                                          std::uint64_t from, bool forward, bool watches) const;
  [[nodiscard]] hit watched(const watchpoint& w, std::uint64_t instruction, std::uint32_t thread,
                            bool forward) const;
  void settle(const hit& h);
  stop ended(bool forward);
  void passed() const {
    if (passed_) passed_();
  }
  [[nodiscard]] register_groups groups_of_trace();

  tracecodec::feed::column_source* trace_;
  executed_code code_;
  tracecodec::query::memory_questions questions_;
  std::function<void()> passed_ = {};
  // True if a watchpoint of this instruction set stops before the access.
  bool stops_before_ = false;
  target_description target_ = {};
  std::uint64_t position_ = 0;
  std::uint32_t thread_ = 0;
  std::set<std::uint64_t> breakpoints_ = {};
  std::vector<watchpoint> watchpoints_ = {};
  tracecodec::feed::columns batch_ = {};
  std::optional<place> place_ = {};                 // result of place_of()
  std::optional<std::uint64_t> registers_of_ = {};  // instruction of the registers below
  std::vector<std::string> registers_ = {};
  std::map<std::uint32_t, std::optional<std::uint64_t>> next_ = {};  // results of next_of()
};

}  // namespace debug
