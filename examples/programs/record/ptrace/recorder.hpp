// Records a program's instructions in the order in which they are done, one thread after another.
#pragma once
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <tracecodec/x64dbg/writer.hpp>
#include <utility>
#include <vector>

#include "../ending.hpp"
#include "../program_modules.hpp"
#include "step.hpp"
#include "system_call.hpp"
#include "tracee.hpp"
#include "trap_mask.hpp"

namespace record {

struct recorded {
  std::uint64_t skipped = 0, instructions = 0;
  std::uint64_t incomplete = 0;    // with memory operands that are not listed
  std::set<pid_t> threads = {};    // of the instructions
  std::optional<int> status = {};  // wait status of the program, if it has ended
  bool runs_on = false;            // by itself, since the recording is over
  bool other_width = false;        // it went on as a program of the other width
  std::uint64_t children = 0;      // that it made while it was recorded; they are not
};

template <x64dbg::target T> class recorder {
 public:
  // `program` is stopped before its first instruction.
  recorder(tracee& program, x64dbg::writer<T>& out) : program_(program), out_(out) {
    add(program.pid()).running = false;
    ignored_ = (signals_of(program.pid(), "SigIgn") & trap_bit) != 0;
    modules_.look(program.pid());
  }

  // What lay where it was recorded, and which code was.
  [[nodiscard]] const program_modules& modules() const { return modules_; }

  // Lets the program execute `skip` instructions, then records up to `count`, or to its end, or to
  // end_recording().
  const recorded& run(std::uint64_t skip, std::uint64_t count) {
    skip_ = skip;
    count_ = count;
    while (!enough() && !threads_.empty() && ended_by == 0) {
      thread* const t = choose();
      if (t == nullptr) {
        const auto e = tracee::wait(-1, true);
        if (!e) break;
        handle(*e);
        continue;
      }
      advance(*t);
    }
    return sum_;
  }

  // The program runs on by itself: its stopped threads at once, the others when they stop. Returns what was recorded.
  const recorded& release() {
    for (const auto& t : threads_) {
      if (t->running) {
        stop_and_release(t->id);
      } else {
        t->traps.restore(program_.pid(), t->id);
        let_go(t->id, t->signal);
      }
    }
    if (threads_.empty())
      program_.keep();  // it has ended
    else
      sum_.runs_on = true;
    return sum_;
  }

 private:
  struct thread {
    pid_t id = 0;
    bool running = true;      // it has been let go, and has not stopped since
    bool fresh = true;        // its first stop is the tracer's
    bool noted = false;       // `at` is the instruction it executes
    bool in_call = false;     // it is between the two stops of a system call
    bool restarting = false;  // a signal cut its system call short; not yet told what becomes of it
    bool made_thread = false;      // its system call did
    bool leave_mask = false;       // until the next stop
    int signal = 0;                // to be delivered with its next step
    std::uint64_t ip = 0;          // of the instruction it executes
    special what = special::none;  // this is
    step<T> at = {};
    system_call call = {};
    trap_mask traps = {};
  };

  [[nodiscard]] bool enough() const { return sum_.other_width || sum_.instructions >= count_; }

  thread& add(pid_t id) {
    threads_.push_back(std::make_unique<thread>());
    threads_.back()->id = id;
    return *threads_.back();
  }
  thread* find(pid_t id) {
    for (const auto& t : threads_)
      if (t->id == id) return t.get();
    return nullptr;
  }
  void remove(pid_t id) {
    std::erase_if(threads_, [id](const auto& t) { return t->id == id; });
  }

  // A thread that may be stepped: the same one for a while, then the next.
  thread* choose() {
    if (threads_.size() > 1 && ++turn_ >= quantum) {
      turn_ = 0;
      ++current_;
    }
    for (std::size_t i = 0; i < threads_.size(); ++i) {
      current_ %= threads_.size();
      if (!threads_[current_]->running) return threads_[current_].get();
      ++current_;
      turn_ = 0;
    }
    return nullptr;
  }

  // Steps a thread, and waits until it stops; not for long if it waits in a system call, which may
  // need another thread to end.
  void advance(thread& t) {
    const pid_t id = t.id;
    if (!t.restarting && !note(t)) return;
    if (sum_.other_width) return;
    t.running = true;
    const bool may_wait = t.restarting || t.what == special::system_call;
    resume(t);
    const auto start = std::chrono::steady_clock::now();
    for (thread* now = &t; now != nullptr && now->running; now = find(id)) {
      const bool alone = threads_.size() == 1;
      const auto e = tracee::wait(id, alone || !may_wait);
      if (e) {
        handle(*e);
      } else {
        if (std::chrono::steady_clock::now() - start > patience) break;
        std::this_thread::sleep_for(std::chrono::microseconds(20));
      }
    }
    // What those do that were not waited for.
    for (bool more = others_run(); more;) {
      const auto e = tracee::wait(-1, false);
      if (e) handle(*e);
      more = e.has_value();
    }
  }
  [[nodiscard]] bool others_run() const {
    for (const auto& t : threads_)
      if (t->running) return true;
    return false;
  }

  // One instruction. System calls are not stepped over: a step that ends in the kernel would make it
  // forget the handler of a SIGTRAP that is blocked.
  void resume(thread& t) {
    const int signal = std::exchange(t.signal, 0);
    const bool handler = signal != 0 && caught(signal);
    if (!handler && (t.restarting || t.what == special::system_call)) {
      t.traps.restore(program_.pid(), t.id);
      return tracee::to_system_call(t.id, signal);
    }
    if (handler)
      t.traps.restore(program_.pid(), t.id);  // the handler's end restores it, too
    else if (!t.leave_mask)
      t.traps.lift(t.id);
    t.leave_mask = false;
    tracee::step(t.id, signal);
  }
  [[nodiscard]] bool caught(int signal) const {
    return (signals_of(program_.pid(), "SigCgt") >> (signal - 1) & 1U) != 0;
  }

  // Looks at the next instruction, closely if it will be recorded. False if the thread is gone.
  bool note(thread& t) {
    t.noted = false;
    constexpr bool wide = T == x64dbg::target::x64;
    if (sum_.skipped < skip_) {
      if (ptrace(PTRACE_GETREGS, t.id, nullptr, &glance_.general) != 0) return gone(t);
      std::array<std::byte, 8> code{};
      const std::size_t n = read_memory(program_.pid(), glance_.general.rip, code);
      t.what = special_of(std::span<const std::byte>(code).first(n), wide);
      t.ip = glance_.general.rip;
      return true;
    }
    if (!t.at.prepare(program_.pid(), t.id)) return gone(t);
    t.what = special_of(t.at.code(), wide);
    t.ip = t.at.before().general.rip;
    sum_.other_width = t.at.narrow() != (T == x64dbg::target::x86);
    t.noted = true;
    return true;
  }
  static bool gone(thread& t) {
    t.running = true;  // its end will be told
    return false;
  }

  void handle(const event& e) {
    if (strangers_.erase(e.thread) != 0) {
      if (e.what != event::kind::ended) tracee::release(e.thread, 0);
      return;
    }
    thread* t = find(e.thread);
    if (t == nullptr) {
      if (e.what == event::kind::ended) return end(e);
      t = &add(e.thread);
    }
    using kind = event::kind;
    switch (e.what) {
      case kind::stepped:
        return stepped(*t, e.info);
      case kind::system_call:
        return t->in_call ? call_ends(*t) : call_begins(*t);
      case kind::entered_handler:
        if (std::exchange(t->restarting, false)) done(*t, true);
        t->running = t->noted = false;
        t->traps.changed();
        return;
      case kind::signal:
        t->running = false;
        t->noted &= t->restarting;
        // A new thread starts with a SIGSTOP that nobody sent.
        if (!(std::exchange(t->fresh, false) && e.thread != program_.pid() && e.number == SIGSTOP))
          t->signal = static_cast<int>(e.number);
        return;
      case kind::trap:
        return trapped(*t, e.info);
      case kind::cloned:
        cloned(static_cast<pid_t>(e.number));
        t = find(e.thread);
        t->made_thread = true;
        return on(*t);
      case kind::executed:
        // The other threads are gone, and this one has the program's id now.
        std::erase_if(threads_, [&](const auto& other) { return other->id != e.thread; });
        t->in_call = true;
        modules_.begin(sum_.instructions + (t->noted && !enough() ? 1 : 0));
        modules_.look(program_.pid());
        return on(*t);
      case kind::ended:
        // Its last instruction, if it was the system call that ended it.
        if (t->what == special::system_call) done(*t, false);
        return end(e);
    }
  }
  // From a stop inside a system call.
  static void on(const thread& t) {
    if (t.in_call)
      tracee::to_system_call(t.id, 0);
    else
      tracee::step(t.id, 0);
  }
  void end(const event& e) {
    if (e.thread == program_.pid()) {
      observed = 0;
      sum_.status = static_cast<int>(e.number);
    }
    remove(e.thread);
  }

  void stepped(thread& t, const siginfo_t& info) {
    t.running = t.in_call = false;
    if (t.what == special::push_flags) hide_trap_flag(t.id);
    const bool own = t.what == special::debug_trap && info.si_code == TRAP_BRKPT;
    done(t, true);
    if (own) t.signal = SIGTRAP;
  }
  // In the flags that were pushed: they are the program's, the step is not.
  static void hide_trap_flag(pid_t id) {
    registers r;
    if (ptrace(PTRACE_GETREGS, id, nullptr, &r.general) != 0) return;
    errno = 0;
    const long word = ptrace(PTRACE_PEEKDATA, id, r.general.rsp, nullptr);
    if (errno == 0)
      ptrace(PTRACE_POKEDATA, id, r.general.rsp, word & ~static_cast<long>(trap_flag));
  }

  // A SIGTRAP of the program: sent, or by an instruction, which is done.
  void trapped(thread& t, const siginfo_t& info) {
    t.running = false;
    if (info.si_code <= 0) {
      t.noted &= t.restarting;
      if (t.traps.blocked()) return t.traps.hold(info);
      if (ignored_) return;
      t.traps.deliver(t.id, info);
    } else if (t.traps.blocked()) {
      // It ends a program that blocks it, whatever handler it has: the kernel sees to it.
      if (ptrace(PTRACE_GETREGS, t.id, nullptr, &glance_.general) != 0) return;
      glance_.general.rip = t.ip;
      ptrace(PTRACE_SETREGS, t.id, nullptr, &glance_.general);
      t.traps.restore(program_.pid(), t.id);
      t.leave_mask = true;
      return;
    } else {
      done(t, true);
    }
    t.signal = SIGTRAP;
  }

  void call_begins(thread& t) {
    t.in_call = true;
    t.made_thread = false;
    if (ptrace(PTRACE_GETREGS, t.id, nullptr, &glance_.general) == 0) t.call = system_call(glance_);
    t.restarting = false;
    tracee::to_system_call(t.id, 0);
  }
  void call_ends(thread& t) {
    t.running = t.in_call = false;
    t.traps.changed();
    if (ptrace(PTRACE_GETREGS, t.id, nullptr, &glance_.general) != 0) return;
    t.call.ends(glance_);
    if (t.call.restarts()) {
      t.restarting = true;
      return;
    }
    // The mask is that of the call until the signal that ended it is delivered.
    t.leave_mask = t.call.interrupted();
    if (t.call.makes_child() && !t.made_thread) ++sum_.children;
    if (t.call.maps_code()) {
      // What was there before may be gone.
      if (sum_.instructions == 0) modules_.forget();
      modules_.look(program_.pid());
    }
    if (t.call.handles_trap()) ignored_ = (signals_of(program_.pid(), "SigIgn") & trap_bit) != 0;
    done(t, true);
  }

  // A thread of the program, or a process that is none of its children as fork() makes them.
  void cloned(pid_t id) {
    const auto task = std::to_string(program_.pid()) + "/task/" + std::to_string(id);
    if (std::error_code ignored; std::filesystem::exists("/proc/" + task, ignored)) {
      if (find(id) == nullptr) add(id);
      return;
    }
    ++sum_.children;
    if (find(id) != nullptr) {
      tracee::release(id, 0);
      remove(id);
    } else {
      strangers_.insert(id);
    }
  }

  // Without the flag that steps it, which the kernel takes for the program's behind popf.
  static void let_go(pid_t id, int signal) {
    registers r;
    if (ptrace(PTRACE_GETREGS, id, nullptr, &r.general) == 0 &&
        (r.general.eflags & trap_flag) != 0) {
      r.general.eflags &= ~trap_flag;
      ptrace(PTRACE_SETREGS, id, nullptr, &r.general);
    }
    tracee::release(id, signal);
  }
  void stop_and_release(pid_t id) {
    syscall(SYS_tgkill, program_.pid(), id, SIGSTOP);
    for (;;) {
      const auto e = tracee::wait(id, true);
      if (!e || e->what == event::kind::ended) return;
      if (e->what == event::kind::signal && e->number == SIGSTOP) return let_go(id, 0);
      if (e->what == event::kind::cloned) {
        const auto made = static_cast<pid_t>(e->number);
        if (tracee::wait(made, true)) tracee::release(made, 0);
      }
      const bool sent = e->what == event::kind::signal || e->what == event::kind::trap;
      tracee::go_on(id, sent ? static_cast<int>(e->number) : 0);
    }
  }

  void done(thread& t, bool effect) {
    t.fresh = false;
    if (!t.noted) {
      sum_.skipped += sum_.skipped < skip_;
      return;
    }
    t.noted = false;
    if (enough() || !t.at.decoded()) return;
    if (!t.at.write(static_cast<std::uint32_t>(t.id), effect, out_)) return;
    modules_.executed(sum_.instructions++, t.ip);
    sum_.incomplete += !t.at.complete();
    sum_.threads.insert(t.id);
  }

  static constexpr unsigned quantum = 200;  // instructions
  static constexpr std::chrono::microseconds patience{500};
  static constexpr std::uint64_t trap_flag = 1U << 8;
  tracee& program_;
  x64dbg::writer<T>& out_;
  std::vector<std::unique_ptr<thread>> threads_ = {};
  std::set<pid_t> strangers_ = {};  // that will stop, and are let go then
  std::size_t current_ = 0;
  unsigned turn_ = 0;
  std::uint64_t skip_ = 0, count_ = 0;
  bool ignored_ = false;  // the program ignores SIGTRAP; steps make the kernel forget that
  registers glance_ = {};
  recorded sum_ = {};
  program_modules modules_ = {};
};

}  // namespace record
