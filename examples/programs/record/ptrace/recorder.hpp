// Recorder of the instructions that a program executes. Only one thread runs at a time.
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
  // Number of instructions whose list of memory operands is incomplete.
  std::uint64_t incomplete = 0;
  std::set<pid_t> threads = {};    // threads with recorded instructions
  std::optional<int> status = {};  // wait status of the program, if it has ended
  // True if the program continues without being recorded.
  bool runs_on = false;
  // True if exec replaced the program with a program of a different width (32 or 64 bits).
  bool other_width = false;
  // Number of child processes that were created during the recording but not recorded.
  std::uint64_t children = 0;
};

template <x64dbg::target T> class recorder {
 public:
  // Prepares to record `program` to `out`. The program must be stopped before its first
  // instruction.
  recorder(tracee& program, x64dbg::writer<T>& out) : program_(program), out_(out) {
    add(program.pid()).running = false;
    ignored_ = (signals_of(program.pid(), "SigIgn") & trap_bit) != 0;
    modules_.look(program.pid());
  }

  // Returns the program's modules and the pages that contain recorded code.
  [[nodiscard]] const program_modules& modules() const { return modules_; }

  // Lets the program execute `skip` instructions, then records up to `count` instructions. Stops
  // earlier if the program ends or end_recording() is called.
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

  // Lets the program continue without being recorded. Stopped threads continue at once; running
  // threads are stopped first. Returns the results of the recording.
  const recorded& release() {
    for (const auto& t : threads_) {
      if (t->running) {
        stop_and_release(t->id);
      } else {
        t->traps.restore(program_.pid(), t->id);
        detach(t->id, t->signal);
      }
    }
    // If no thread is left, the program has already ended.
    if (threads_.empty())
      program_.keep();
    else
      sum_.runs_on = true;
    return sum_;
  }

 private:
  struct thread {
    pid_t id = 0;
    // True if the thread was resumed and has not stopped since then.
    bool running = true;
    // True until the thread stops for the first time, which ptrace causes.
    bool fresh = true;
    // True if `at` contains the state before the current instruction of the thread.
    bool noted = false;
    // True while the thread is in a system call. The thread stops at the beginning and at the end
    // of the call.
    bool in_call = false;
    // True if a signal interrupted the thread's system call, so the system call may be restarted.
    bool restarting = false;
    // True if the thread's system call created a thread.
    bool made_thread = false;
    // True if the thread's signal mask must not change until the next stop.
    bool leave_mask = false;
    // Signal to deliver with the thread's next step, or 0.
    int signal = 0;
    std::uint64_t ip = 0;
    special what = special::none;
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

  // Returns a thread that can be stepped. The current thread is preferred until its turn ends.
  // After that, the next thread is preferred. Returns null if all threads are running.
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

  // Steps a thread and waits until it stops. If the thread may sleep in a system call, the wait is
  // short, because another thread may have to wake it.
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
    // Handle the events of all other threads.
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

  // Lets a thread execute one instruction. System calls are not single-stepped: if SIGTRAP is
  // blocked and a step ends in the kernel, the kernel discards the program's SIGTRAP handler.
  void resume(thread& t) {
    const int signal = std::exchange(t.signal, 0);
    const bool handler = signal != 0 && caught(signal);
    if (!handler && (t.restarting || t.what == special::system_call)) {
      t.traps.restore(program_.pid(), t.id);
      return tracee::to_system_call(t.id, signal);
    }
    if (handler)
      // Restore the mask now. The kernel saves it and restores it at the end of the signal handler.
      t.traps.restore(program_.pid(), t.id);
    else if (!t.leave_mask)
      t.traps.lift(t.id);
    t.leave_mask = false;
    tracee::step(t.id, signal);
  }
  [[nodiscard]] bool caught(int signal) const {
    return (signals_of(program_.pid(), "SigCgt") >> (signal - 1) & 1U) != 0;
  }

  // Examines the next instruction. If the instruction will be recorded, captures the whole state.
  // Returns false if the thread has ended.
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
    // A later event will report the end of the thread.
    t.running = true;
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
        // Do not deliver the SIGSTOP that ptrace causes at the start of a new thread.
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
        // exec has ended the other threads, and this thread now has the program's id.
        std::erase_if(threads_, [&](const auto& other) { return other->id != e.thread; });
        t->in_call = true;
        modules_.begin(sum_.instructions + (t->noted && !enough() ? 1 : 0));
        modules_.look(program_.pid());
        return on(*t);
      case kind::ended:
        // If the thread's last instruction was a system call, this system call ended the thread.
        if (t->what == special::system_call) done(*t, false);
        return end(e);
    }
  }
  // Lets a thread continue after a stop within a system call or an instruction.
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
  // Clears the trap flag in the flags that the instruction has pushed. The flag was set by the
  // single step, not by the program.
  static void hide_trap_flag(pid_t id) {
    registers r;
    if (ptrace(PTRACE_GETREGS, id, nullptr, &r.general) != 0) return;
    errno = 0;
    const long word = ptrace(PTRACE_PEEKDATA, id, r.general.rsp, nullptr);
    if (errno == 0)
      ptrace(PTRACE_POKEDATA, id, r.general.rsp, word & ~static_cast<long>(trap_flag));
  }

  // Handles a SIGTRAP that belongs to the program. Either another process has sent the signal, or
  // an executed instruction has raised it.
  void trapped(thread& t, const siginfo_t& info) {
    t.running = false;
    if (info.si_code <= 0) {
      t.noted &= t.restarting;
      if (t.traps.blocked()) return t.traps.hold(info);
      if (ignored_) return;
      t.traps.deliver(t.id, info);
    } else if (t.traps.blocked()) {
      // If an instruction raises a blocked SIGTRAP, the kernel kills the program, even if the
      // program has a handler. Repeat the instruction with the original mask, so that the kernel
      // kills the program here, too.
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
    // The mask of an interrupted system call remains active until the interrupting signal is
    // delivered.
    t.leave_mask = t.call.interrupted();
    if (t.call.makes_child() && !t.made_thread) ++sum_.children;
    if (t.call.maps_code()) {
      // Modules that were mapped earlier may have been unmapped.
      if (sum_.instructions == 0) modules_.forget();
      modules_.look(program_.pid());
    }
    if (t.call.handles_trap()) ignored_ = (signals_of(program_.pid(), "SigIgn") & trap_bit) != 0;
    done(t, true);
  }

  // Handles a new thread of the program. Also handles a new process that clone() created without
  // the usual exit signal (SIGCHLD).
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

  // Clears the trap flag of a thread, then detaches from the thread. If the flag remained set after
  // a popf instruction, the kernel would treat it as the program's own.
  static void detach(pid_t id, int signal) {
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
      if (e->what == event::kind::signal && e->number == SIGSTOP) return detach(id, 0);
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

  static constexpr unsigned quantum = 200;  // number of instructions in a thread's turn
  static constexpr std::chrono::microseconds patience{500};
  static constexpr std::uint64_t trap_flag = 1U << 8;
  tracee& program_;
  x64dbg::writer<T>& out_;
  std::vector<std::unique_ptr<thread>> threads_ = {};
  std::set<pid_t> strangers_ = {};  // other processes, which are released at their first stop
  std::size_t current_ = 0;
  unsigned turn_ = 0;
  std::uint64_t skip_ = 0, count_ = 0;
  // True if the program ignores SIGTRAP. Single-stepping makes the kernel forget this setting.
  bool ignored_ = false;
  registers glance_ = {};
  recorded sum_ = {};
  program_modules modules_ = {};
};

}  // namespace record
