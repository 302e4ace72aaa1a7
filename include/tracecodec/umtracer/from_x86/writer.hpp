// Converts another trace of x86 code to a UMTracer trace. For each instruction, the other trace
// must contain the registers before the instruction and the memory that the instruction accesses.
// The writer decodes the instructions.
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../config.hpp"
#include "../../x86/any_disassembler.hpp"
#include "../reader/known_bytes.hpp"
#include "../writer/merge.hpp"
#include "form.hpp"

namespace tracecodec::umtracer {

// Step of a thread: the registers before an instruction, and the memory that the instruction
// accesses.
// - copy(r, to) copies the low bytes of register `r` in little-endian order. `to` has the size of
//   the register that x86_register_map::whole() returns, or one byte for al. The writer calls
//   copy() only for registers that contexts contain.
// - memory(at, to, when) copies the bytes at address `at` before or after the instruction. It sets
//   unknown bytes to 0, and returns false if any byte is unknown.
template <class S>
concept x86_step = x86::machine_state<S> &&
    requires(const S& s, x86::reg r, std::uint64_t at, std::span<std::byte> to, moment when) {
  s.copy(r, to);
  { s.memory(at, to, when) } -> std::same_as<bool>;
};

// Instruction at an address.
struct x86_row {
  std::int64_t id = 0;             // row of the instruction table
  const x86_form* form = nullptr;  // valid as long as the writer exists
};

namespace detail {
// Part of an x86_writer that does not depend on the disassembler.
class x86_steps {
 public:
  // Sets the text of trace.xml (see writer::set_xml()).
  void set_xml(std::string text);

  // Returns the row of the instruction at address `ip` with the code bytes `code`, at most 15. Adds
  // the row if it does not exist yet.
  const x86_row& row(std::uint64_t ip, std::span<const std::byte> code);

  // Adds the next step of the trace, executed by thread `win_tid`. `at` must be the row for the
  // address and the code bytes of the step's instruction.
  template <x86_step S> void step(std::uint32_t win_tid, const x86_row& at, const S& step) {
    thread_state& t = thread(win_tid);
    if (t.fresh)
      begin(t, win_tid, step);
    else
      complete(t, step);
    hold(t, at, step);
  }

  // Returns the number of steps added so far.
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  [[nodiscard]] const x86_register_map& registers() const noexcept { return *map_; }

  // Completes the trace, like merging_writer::finish(). Do not call any other function afterwards.
  void finish(const std::function<void(double)>& passed = {});

 protected:
  x86_steps(const std::string& folder, x86::any_disassembler code, std::uint64_t most_bytes);
  x86_steps(x86_steps&&) noexcept;
  x86_steps& operator=(x86_steps&&) noexcept;
  ~x86_steps();

 private:
  // Registers that determine whether a conditional branch is taken.
  struct branch_state {
    std::uint64_t ip = 0, flags = 0, count = 0;
    [[nodiscard]] std::uint64_t value(x86::reg r) const noexcept {
      return r == x86::reg::ip ? ip : r == x86::reg::flags ? flags : count;
    }
    static std::uint64_t segment_base(x86::reg) noexcept { return 0; }
  };
  // State of a thread, including the thread's last instruction, for which the results are not known
  // yet.
  struct thread_state {
    bool fresh = true;
    std::uint32_t id = 0;
    std::uint8_t flags = 0;
    std::int64_t row = -1;
    const x86_form* form = nullptr;
    std::uint64_t sequence = 0;
    branch_state state = {};
    std::vector<std::byte> values = {};
  };

  thread_state& thread(std::uint32_t win_tid);
  [[nodiscard]] std::uint8_t mode() const noexcept { return code64_ ? exec_flags::code64 : 0; }

  template <class S> void begin(thread_state& t, std::uint32_t win_tid, const S& step) {
    t.fresh = false;
    t.id = out_.add_thread({.win_tid = win_tid});
    for (std::size_t n = 0; n < 256; ++n) {
      const auto r = static_cast<x86::reg>(n);
      const x86_register& whole = map_->whole(r, code64_);
      if (whole.size != 0) step.copy(r, std::span(context_).subspan(whole.offset, whole.size));
    }
    out_.thread_begin({t.id, 2 * steps_}, mode(), {context_});
  }

  // Begins the record of the step's instruction, and stores all values that are known before
  // execution.
  template <class S> void hold(thread_state& t, const x86_row& at, const S& step) {
    const x86_form& f = *at.form;
    t.flags = mode() | f.untraced;
    if (f.what.repeated) [[unlikely]] {
      if (t.row != at.id) t.flags |= exec_flags::first_repetition;
      if ((step.value(x86::reg::rcx) & x86::low_bytes(f.what.address_bytes)) == 0)
        t.flags |= exec_flags::not_executed;
    }
    if (f.move != x86::condition::none && !x86::holds(f.move, 8, step))
      t.flags |= exec_flags::not_executed;
    if (f.what.kind == x86::kind::conditional)
      t.state = {step.value(x86::reg::ip), step.value(x86::reg::flags), step.value(x86::reg::rcx)};
    t.row = at.id;
    t.form = at.form;
    t.sequence = 2 * steps_++ + 1;
    t.values.assign(f.decoded.values_size, std::byte{});
    copy_registers(t, f.before, step);
    copy_memory(t, step);
  }
  template <class S> static void copy_registers(thread_state& t,
                                                const std::vector<x86_form::register_value>& all,
                                                const S& step) {
    for (const x86_form::register_value& v : all)
      if (v.base) [[unlikely]]
        wire::copy(little_endian(step.segment_base(v.which)).data(), t.values.data() + v.offset,
                   v.size);
      else
        step.copy(v.which, std::span(t.values).subspan(v.offset, v.size));
  }
  static std::array<std::byte, 8> little_endian(std::uint64_t v) noexcept {
    std::array<std::byte, 8> out{};
    wire::u64le::store(v, out.data());
    return out;
  }

  template <class S> static void copy_memory(thread_state& t, const S& step) {
    const x86_form& f = *t.form;
    if (f.memory.empty()) return;
    if (f.what.memory[f.memory[0].operand].kind == x86::memory_kind::frame) [[unlikely]] {
      std::size_t n = 0;
      x86::accesses(f.what, step, [&](const x86::memory_access& a) {
        copy_memory(t, f.memory[n++], a.address, step);
      });
    } else {
      for (const x86_form::memory_value& m : f.memory)
        copy_memory(t, m, x86::address(f.what, f.what.memory[m.operand], step), step);
    }
  }
  template <class S> static void copy_memory(thread_state& t, const x86_form::memory_value& m,
                                             std::uint64_t at, const S& step) {
    const auto side = [&](std::uint16_t offset, moment when, std::uint8_t otherwise) {
      if (offset == x86_form::none) return;
      wire::u64le::store(at, t.values.data() + offset);
      if (!step.memory(at, std::span(t.values).subspan(offset + 8U, m.size), when))
        t.flags |= otherwise;
    };
    side(m.before, moment::before, exec_flags::unreliable_inputs);
    side(m.after, moment::after, exec_flags::unreliable_outputs);
  }

  // Completes the record of the thread's last instruction with the registers of the step `next`,
  // and writes the record.
  template <class S> void complete(thread_state& t, const S& next) {
    copy_registers(t, t.form->after, next);
    if (t.form->what.kind == x86::kind::conditional)
      mark_branch(t, x86::taken(t.form->what, t.state, next.value(x86::reg::ip)));
    put(t);
  }
  static void mark_branch(thread_state& t, bool taken) noexcept {
    if (t.form->what.kind == x86::kind::conditional && !taken) t.flags |= exec_flags::not_executed;
  }
  void put(const thread_state& t);

  struct program;  // instructions and threads of the traced program
  bool code64_;
  std::unique_ptr<x86_register_map> map_;
  merging_writer out_;
  std::vector<std::byte> context_;  // scratch buffer
  std::unique_ptr<program> program_;
  std::uint64_t steps_ = 0;
};
}  // namespace detail

// Writer that receives steps in trace order. The writer adds one record for each step, with the
// values of all operands (UMTracer specification, 7.2.1).
// - Registers after an instruction are taken from the thread's next step. The record of a thread's
//   last instruction therefore has no register values after execution, and has
//   exec_flags::unreliable_outputs if the instruction writes registers.
// - If memory() returns false, the record has exec_flags::unreliable_inputs or
//   exec_flags::unreliable_outputs.
// - A thread_begin record with all registers precedes the first step of a thread.
// - Conditional branches, moves and repetitions that are not executed have
//   exec_flags::not_executed. The first repetition has exec_flags::first_repetition.
//
// The disassembler `D` must also provide text(code, ip). The writer needs as much memory as
// merging_writer, plus 200 bytes for each instruction of the program, plus the decoded forms.
template <x86::disassembler D>
requires requires(D& d, std::span<const std::byte> code, std::uint64_t ip) {
  { d.text(code, ip) } -> std::convertible_to<std::string>;
}
class x86_writer : public detail::x86_steps {
 public:
  // Creates a trace with execution records of version 1. `most_bytes` limits the total size of all
  // files, like writer_options::most_bytes. Throws the errors of writer's constructor.
  x86_writer(const std::string& folder, D disassembler,
             std::uint64_t most_bytes = io::no_size_limit)
      : x86_steps(folder, x86::any_disassembler(std::move(disassembler)), most_bytes) {}
};

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/writer.ipp"
#endif
