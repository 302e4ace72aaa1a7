// Writes an UMTracer trace of x86 code from another trace that has registers before each
// instruction and the memory it touches: the instructions are decoded on the way.
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

// A step of a thread: the registers before an instruction, and the memory that it touches.
// copy(r, to)              the low bytes of register `r`, little-endian: a whole one of
//                          x86_register_map::whole() or its first byte. It has the ones that
//                          contexts hold; of others it is not asked.
// memory(at, to, when)     the bytes at address `at` before or after it; false if some are unknown,
//                          which are 0 then
template <class S>
concept x86_step = x86::machine_state<S> &&
    requires(const S& s, x86::reg r, std::uint64_t at, std::span<std::byte> to, moment when) {
  s.copy(r, to);
  { s.memory(at, to, when) } -> std::same_as<bool>;
};

// An instruction at an address.
struct x86_row {
  std::int64_t id = 0;             // in the instruction table
  const x86_form* form = nullptr;  // stays where it is as long as the writer
};

namespace detail {
// What an x86_writer is, whatever its disassembler.
class x86_steps {
 public:
  // As those of `writer`.
  void set_xml(std::string text);

  // The row of `code`, 15 bytes at most, at address `ip`; a new one if there is none yet.
  const x86_row& row(std::uint64_t ip, std::span<const std::byte> code);

  // The next step of the trace, of thread `win_tid`. `at` is that of `step`'s ip and code.
  template <x86_step S> void step(std::uint32_t win_tid, const x86_row& at, const S& step) {
    thread_state& t = thread(win_tid);
    if (t.fresh)
      begin(t, win_tid, step);
    else
      complete(t, step);
    hold(t, at, step);
  }

  // How many there were.
  [[nodiscard]] std::uint64_t steps() const noexcept { return steps_; }
  [[nodiscard]] const x86_register_map& registers() const noexcept { return *map_; }

  // Completes the trace; nothing may be called after it. As merging_writer::finish().
  void finish(const std::function<void(double)>& passed = {});

 protected:
  x86_steps(const std::string& folder, x86::any_disassembler code, std::uint64_t most_bytes);
  x86_steps(x86_steps&&) noexcept;
  x86_steps& operator=(x86_steps&&) noexcept;
  ~x86_steps();

 private:
  // What decides about a conditional branch.
  struct branch_state {
    std::uint64_t ip = 0, flags = 0, count = 0;
    [[nodiscard]] std::uint64_t value(x86::reg r) const noexcept {
      return r == x86::reg::ip ? ip : r == x86::reg::flags ? flags : count;
    }
    static std::uint64_t segment_base(x86::reg) noexcept { return 0; }
  };
  // A thread, and its last instruction, whose results are not known yet.
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

  // All that holds before the step.
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

  // The thread's last instruction led to `next`.
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

  struct program;  // its instructions and threads
  bool code64_;
  std::unique_ptr<x86_register_map> map_;
  merging_writer out_;
  std::vector<std::byte> context_;  // scratch
  std::unique_ptr<program> program_;
  std::uint64_t steps_ = 0;
};
}  // namespace detail

// Takes steps in the order of a trace, and writes one record for each, with the values of all
// operands (7.2.1). What registers are after an instruction is what they are before the next one of
// its thread, so a thread's last instruction has no values after it, and
// exec_flags::unreliable_outputs if it should have some. The two flags of unreliable values are
// also set where memory() does not know all bytes. A thread begins with its first step, with a
// record of all registers. Conditional branches, moves and repetitions that are not carried out
// have exec_flags::not_executed, the first of repetitions exec_flags::first_repetition.
//
// The disassembler `D` gives text(code, ip), too. Memory: as merging_writer; for each instruction
// of the program 200 bytes, and its decoded forms.
template <x86::disassembler D>
requires requires(D& d, std::span<const std::byte> code, std::uint64_t ip) {
  { d.text(code, ip) } -> std::convertible_to<std::string>;
}
class x86_writer : public detail::x86_steps {
 public:
  // Throws as writer. The folder has exec records of version 1, and files of `most_bytes` together (writer_options).
  x86_writer(const std::string& folder, D disassembler,
             std::uint64_t most_bytes = io::no_size_limit)
      : x86_steps(folder, x86::any_disassembler(std::move(disassembler)), most_bytes) {}
};

}  // namespace tracecodec::umtracer

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/writer.ipp"
#endif
