// Follows calls and returns: the calls that are open at each instruction, for all threads.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "../config.hpp"
#include "../feed/columns.hpp"
#include "../feed/instruction.hpp"

namespace tracecodec::analysis {

// Call that has not returned, or the first function on a stack, which nothing in the trace calls.
struct open_call {
  std::uint64_t ip = 0;        // of the call instruction
  std::uint64_t number = 0;    // of the call instruction
  std::uint64_t function = 0;  // address of the first instruction that is executed
  std::uint64_t entry = 0;     // number of that instruction
  std::uint64_t serial = 0;    // unique number of the call, from 0
  std::size_t tag = 0;         // for the user of the stacks
  std::uint32_t size = 0;      // of the call instruction, or 0 if it is unknown
  std::uint32_t thread = 0;
  bool is_first = false;  // true for the first function on a stack
  // Stack pointer before the function's first instruction.
  std::optional<std::uint64_t> stack_pointer = {};

  // Returns true if a return to `target` returns from the call. An instruction of x86 has up to 15
  // bytes.
  [[nodiscard]] bool returns_to(std::uint64_t target) const noexcept {
    return size != 0 ? target == ip + size : target - ip - 1 < 15;
  }
};

// How a call ends.
enum class call_end : std::uint8_t {
  returned,  // the thread continues after the call
  unwound,   // a return, a jump or an exception leaves several functions at once
  abandoned  // forgotten because the stack has too many calls, or the thread too many stacks
};

// How the column `register_value` has the stack pointer (select_stack_pointer()).
struct stack_pointer_column {
  bool is_selected = false;
  // Number of the stack pointer in column `destination_registers`, if the column has the values of
  // operands only. 0 if it has the value before each instruction.
  std::uint8_t number = 0;
  // True if that column has the number for all calls and returns, whether or not they write it.
  bool marks_calls = false;
};

// Stacks of the calls in a trace. The user passes each row to step(), which reports the calls that
// begin and end before that row.
// If the trace has the values of operands only, the stack pointer is known from an instruction that
// shows it to the next one that writes it without a value.
//
// A taken call opens a call, which begins with the next instruction of the thread. A call ends when
// a return leads to the instruction after it. If the values of the stack pointer are known, they
// decide:
// - A call ends at the first instruction whose stack pointer is above that of the function's first
//   instruction. So longjmp(), exceptions, and functions that drop their return address are
//   followed.
// - If the stack pointer is equal, as on processors with a link register, the call ends when a
//   return or an indirect jump leads to the instruction after it.
// - A stack pointer that rises more than 1 MiB above the first function of a stack is on another
//   stack of the thread, such as a fiber's. A stack pointer that falls by more than 1 MiB to a stack
//   that the thread has used before is on that stack.
// Otherwise, a return ends the innermost call whose next instruction is the return's target, and all
// calls that it made; a return that leads elsewhere changes nothing. If the format does not store
// the sizes of instructions, a return matches a call up to 15 bytes before its target. A function
// that jumps to another one (tail call) counts as the first one.
class call_stacks {
 public:
  // Maximum number of open calls. If there are more, the outer half of each stack is forgotten.
  static constexpr std::size_t most_open = std::size_t{1} << 20;
  // Maximum number of other stacks of a thread, and of threads. Further threads count as the one
  // with the lowest number.
  static constexpr std::size_t most_stacks = 16, most_threads = std::size_t{1} << 16;

  // `has` are the columns of the trace.
  call_stacks(feed::column_set has, stack_pointer_column sp)
      : sp_(sp),
        columns_{feed::column::ip, feed::column::branch, feed::column::taken, feed::column::target,
                 feed::column::thread} {
    columns_ |= has & feed::column_set{feed::column::size};
    if (sp.is_selected) columns_ |= {feed::column::register_value};
    if (sp.number != 0)
      columns_ |= {feed::column::destination_registers, feed::column::dropped_operands};
  }

  // Returns the columns that batches must contain.
  [[nodiscard]] feed::column_set columns() const noexcept { return columns_; }

  // Moves to row `row` of `batch`. Calls begins(call, parent, depth) for a call whose function
  // begins at the row, and for the first function on a stack, whose parent is null. Calls ends(call,
  // how, last, last_ip) for calls that ended before the row, the innermost first, where `last` is
  // the number of the thread's instruction before the row, and `last_ip` its ip. Calls jumps(call,
  // depth, last, last_ip) for a jump within or out of the running function, unless it goes to the
  // function's first instruction. The references are valid until the function returns.
  template <class Begins, class Ends, class Jumps>
  void step(const feed::columns& batch, std::size_t row, Begins begins, Ends ends, Jumps jumps) {
    const std::uint64_t ip = batch.ip()[row], number = batch.first() + row;
    const std::uint32_t id = batch.thread()[row];
    if (now_ == nullptr || now_id_ != id) {
      const auto known = threads_.find(id);
      now_ = known != threads_.end()           ? &known->second
             : threads_.size() != most_threads ? &threads_[id]
                                               : &threads_.begin()->second;
      now_id_ = id;
    }
    thread& t = *now_;
    const bool has_values = columns_.has(feed::column::register_value);
    if (has_values) t.read_stack_pointer(batch, row, false);
    if (t.stack_pointer && t.next != pending::call) change_stack(t, ends);
    stack& s = t.now;
    if (!s.is_used) {
      s.is_used = true;
      s.first = {.function = ip,
                 .entry = number,
                 .serial = serials_++,
                 .thread = id,
                 .is_first = true,
                 .stack_pointer = t.stack_pointer};
      begins(s.first, static_cast<const open_call*>(nullptr), s.forgotten);
    } else if (t.next == pending::call) {
      if (open_++ == most_open) forget(ends);
      t.opened.function = ip;
      t.opened.entry = number;
      t.opened.serial = serials_++;
      t.opened.stack_pointer = t.stack_pointer;
      s.open.push_back(t.opened);
      begins(s.open.back(), s.open.size() > 1 ? &s.open[s.open.size() - 2] : &s.first,
             s.forgotten + s.open.size());
    } else {
      const std::size_t depth = s.open.size();
      end_calls(t, ip, ends);
      if ((t.next == pending::indirect || t.next == pending::jump) && s.open.size() == depth)
        if (const open_call& c = running_of(s); c.function != ip)
          jumps(c, s.forgotten + depth, t.last, t.last_ip);
    }
    if (t.stack_pointer) s.last = *t.stack_pointer;
    t.note(batch, row, columns_.has(feed::column::size));
    if (sp_.number != 0 && may_write_stack_pointer(batch, row)) t.stack_pointer.reset();
    if (has_values) t.read_stack_pointer(batch, row, true);
  }
  // Ends the calls from which the last instructions of the trace return.
  template <class Ends> void finish(Ends ends) {
    for (auto& [id, t] : threads_) {
      t.stack_pointer.reset();
      if (t.next == pending::returns) end_calls(t, t.target, ends);
      t.next = pending::none;
    }
  }

  // Returns the call that is running at the last row.
  [[nodiscard]] const open_call& running() const { return running_of(now_->now); }
  // Returns the stack pointer before the last row, if it is known.
  [[nodiscard]] std::optional<std::uint64_t> stack_pointer() const noexcept {
    return now_->stack_pointer;
  }
  // Returns the number of returns that did not lead to a call.
  [[nodiscard]] std::uint64_t unmatched_returns() const noexcept { return unmatched_; }

 private:
  // Maximum number of calls that a return is compared with, which bounds the time for returns that
  // do not lead to a call.
  static constexpr std::size_t deepest = 4096;
  static constexpr std::uint64_t far = std::uint64_t{1} << 20;

  enum class pending : std::uint8_t { none, call, returns, indirect, jump };

  struct stack {
    bool is_used = false;
    open_call first = {};
    std::vector<open_call> open = {};
    std::size_t forgotten = 0;
    std::uint64_t last = 0;  // last stack pointer, if it is known

    // Returns true if the stack pointer `sp` can belong to this stack, next to its last position.
    [[nodiscard]] bool contains(std::uint64_t sp) const noexcept {
      if (!first.stack_pointer) return false;
      return (sp <= *first.stack_pointer || sp - *first.stack_pointer <= far) &&
             (sp >= last || last - sp <= far);
    }
  };
  struct thread {
    stack now = {};
    std::vector<stack> others = {};  // least recently used first
    pending next = pending::none;
    std::uint64_t last = 0, last_ip = 0, target = 0;  // of the last instruction
    open_call opened = {};
    std::optional<std::uint64_t> stack_pointer = {};

    void read_stack_pointer(const feed::columns& batch, std::size_t row, bool after) {
      const feed::selected_register_column values = batch.register_value();
      for (std::size_t k = values.begin(row); k != values.end(row); ++k)
        if ((values.after[k] != 0) == after) stack_pointer = values.value[k];
    }
    void note(const feed::columns& batch, std::size_t row, bool has_sizes) {
      last = batch.first() + row;
      last_ip = batch.ip()[row];
      next = pending::none;
      if (batch.taken()[row] == 0) return;
      target = batch.target()[row];
      const feed::branch_class kind = batch.branch()[row];
      if (kind == feed::branch_class::direct_call || kind == feed::branch_class::indirect_call) {
        opened = {.ip = last_ip,
                  .number = last,
                  .size = has_sizes ? batch.code_size()[row] : 0,
                  .thread = batch.thread()[row]};
        next = pending::call;
      } else if (kind == feed::branch_class::return_) {
        next = pending::returns;
      } else {
        next = kind == feed::branch_class::indirect ? pending::indirect : pending::jump;
      }
    }
  };

  [[nodiscard]] bool may_write_stack_pointer(const feed::columns& batch, std::size_t row) const {
    const feed::branch_class kind = batch.branch()[row];
    const bool is_mark = sp_.marks_calls && (kind == feed::branch_class::direct_call ||
                                             kind == feed::branch_class::indirect_call ||
                                             kind == feed::branch_class::return_);
    if (is_mark) return false;
    const auto written = batch.destination_registers()[row];
    return batch.dropped_operands()[row] != 0 ||
           std::find(written.begin(), written.end(), sp_.number) != written.end();
  }
  [[nodiscard]] static const open_call& running_of(const stack& s) noexcept {
    return s.open.empty() ? s.first : s.open.back();
  }

  // Ends the calls that the step to `ip` ends.
  template <class Ends> void end_calls(thread& t, std::uint64_t ip, Ends& ends) {
    const std::vector<open_call>& open = t.now.open;
    if (!t.stack_pointer || open.empty() || !open.back().stack_pointer) {
      if (t.next == pending::returns) end_at(t, ip, ends);
      return;
    }
    const std::uint64_t sp = *t.stack_pointer;
    std::size_t n = open.size();
    while (n != 0 && open[n - 1].stack_pointer && sp > *open[n - 1].stack_pointer) --n;
    if (t.next == pending::returns || t.next == pending::indirect) {
      std::size_t k = n;
      const std::size_t end = n - std::min(n, deepest);
      while (k != end && open[k - 1].stack_pointer == sp && !open[k - 1].returns_to(ip)) --k;
      if (k != end && open[k - 1].stack_pointer == sp) n = k - 1;
    }
    if (n == open.size() && t.next == pending::returns) ++unmatched_;
    // The thread continues after the outermost call that ends.
    while (open.size() > n)
      end_last(t,
               open.size() == n + 1 && open.back().returns_to(ip) ? call_end::returned
                                                                  : call_end::unwound,
               ends);
  }
  // Ends the innermost call that returns to `target`, and those that it made.
  template <class Ends> void end_at(thread& t, std::uint64_t target, Ends& ends) {
    stack& s = t.now;
    std::size_t depth = s.open.size();
    const std::size_t end = depth > deepest ? depth - deepest : 0;
    while (depth != end && !s.open[depth - 1].returns_to(target)) --depth;
    if (depth == end) {
      ++unmatched_;
      if (s.open.empty()) ends(s.first, call_end::returned, t.last, t.last_ip);
      return;
    }
    while (s.open.size() > depth) end_last(t, call_end::unwound, ends);
    end_last(t, call_end::returned, ends);
  }
  template <class Ends> void end_last(thread& t, call_end how, Ends& ends) {
    ends(t.now.open.back(), how, t.last, t.last_ip);
    t.now.open.pop_back();
    --open_;
  }
  // Forgets the outer half of each stack.
  template <class Ends> void forget(Ends& ends) {
    for (auto& [id, t] : threads_) {
      forget(t, t.now, (t.now.open.size() + 1) / 2, ends);
      for (stack& s : t.others) forget(t, s, (s.open.size() + 1) / 2, ends);
    }
  }
  // Forgets the outer `n` calls of stack `s`.
  template <class Ends> void forget(const thread& t, stack& s, std::size_t n, Ends& ends) {
    for (std::size_t i = n; i-- != 0;) ends(s.open[i], call_end::abandoned, t.last, t.last_ip);
    s.open.erase(s.open.begin(), s.open.begin() + static_cast<std::ptrdiff_t>(n));
    s.forgotten += n;
    open_ -= n;
  }

  // Changes to another stack of the thread if the stack pointer is there.
  template <class Ends> void change_stack(thread& t, Ends& ends) {
    const std::uint64_t sp = *t.stack_pointer;
    stack& s = t.now;
    if (!s.is_used || !s.first.stack_pointer || s.contains(sp)) return;
    const auto other = std::find_if(t.others.begin(), t.others.end(),
                                    [sp](const stack& o) { return o.contains(sp); });
    if (other != t.others.end()) {
      stack found = std::move(*other);
      t.others.erase(other);
      t.others.push_back(std::move(s));
      s = std::move(found);
      return;
    }
    // A stack pointer that falls makes room for a large variable.
    if (sp <= *s.first.stack_pointer) return;
    if (t.others.size() == most_stacks) {
      forget(t, t.others.front(), t.others.front().open.size(), ends);
      t.others.erase(t.others.begin());
    }
    t.others.push_back(std::move(s));
    s = {};
    t.next = pending::none;
  }

  stack_pointer_column sp_;
  feed::column_set columns_;
  std::map<std::uint32_t, thread> threads_ = {};
  thread* now_ = nullptr;
  std::uint32_t now_id_ = 0;
  std::size_t open_ = 0;  // number of open calls
  std::uint64_t serials_ = 0, unmatched_ = 0;
};

}  // namespace tracecodec::analysis
