// Records a program's instructions in the order in which they are done, one thread after another.
#pragma once
#include <chrono>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <set>
#include <thread>
#include <tracecodec/x64dbg/writer.hpp>
#include <utility>
#include <vector>

#include "../common/interrupt.hpp"
#include "step.hpp"
#include "tracee.hpp"

namespace record {

struct recorded {
  std::uint64_t skipped = 0, instructions = 0;
  std::uint64_t incomplete = 0;    // with memory operands that are not listed
  std::set<pid_t> threads = {};    // of the instructions
  std::optional<int> status = {};  // wait status of the program, if it has ended
  bool other_width = false;        // it went on as a program of the other width
};

template <x64dbg::target T> class recorder {
 public:
  // `program` is stopped before its first instruction.
  recorder(tracee& program, x64dbg::writer<T>& out) : program_(program), out_(out) {
    add(program.pid()).running = false;
  }

  // Lets the program execute `skip` instructions, then records up to `count`, or to its end.
  // Throws as stop_if_interrupted().
  const recorded& run(std::uint64_t skip, std::uint64_t count) {
    skip_ = skip;
    count_ = count;
    while (!enough() && !threads_.empty()) {
      examples::stop_if_interrupted();
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

  // The program runs on by itself: its stopped threads at once, the others when they stop.
  void release() {
    for (const auto& t : threads_) {
      if (t->running) {
        tgkill(t->id);
        const auto e = tracee::wait(t->id, true);
        if (!e || e->what == event::kind::ended) continue;
        const bool ours = e->what != event::kind::signal || e->number == SIGSTOP;
        tracee::release(t->id, ours ? 0 : static_cast<int>(e->number));
      } else {
        tracee::release(t->id, t->signal);
      }
    }
    if (!threads_.empty()) program_.keep();
  }

 private:
  struct thread {
    pid_t id = 0;
    bool running = true;  // it has been let go, and has not stopped since
    bool fresh = true;    // its first stop is the tracer's
    bool noted = false;   // `at` is the instruction it executes
    int signal = 0;       // to be delivered with its next step
    step<T> at = {};
  };

  [[nodiscard]] bool enough() const {
    return sum_.other_width || (count_ != 0 && sum_.instructions >= count_);
  }
  void tgkill(pid_t id) const { syscall(SYS_tgkill, program_.pid(), id, SIGSTOP); }

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
    if (!note(t)) return;
    if (sum_.other_width) return;
    t.running = true;
    const bool may_wait = t.noted ? t.at.is_system_call() : threads_.size() > 1;
    tracee::step(id, std::exchange(t.signal, 0));
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

  // Looks at the next instruction, if it will be recorded. False if the thread is gone.
  bool note(thread& t) {
    t.noted = false;
    if (sum_.skipped < skip_) return true;
    if (!t.at.prepare(program_.pid(), t.id)) {
      t.running = true;  // its end will be told
      return false;
    }
    sum_.other_width = t.at.narrow() != (T == x64dbg::target::x86);
    t.noted = true;
    return true;
  }

  void handle(const event& e) {
    thread* t = find(e.thread);
    if (t == nullptr) {
      if (e.what == event::kind::ended) return end(e);
      t = &add(e.thread);
    }
    using kind = event::kind;
    switch (e.what) {
      case kind::stepped:
        t->running = false;
        return done(*t, true);
      case kind::entered_handler:
        t->running = t->noted = false;
        return;
      case kind::signal:
        t->running = t->noted = false;
        // A new thread starts with a SIGSTOP that nobody sent.
        if (!(std::exchange(t->fresh, false) && e.thread != program_.pid() && e.number == SIGSTOP))
          t->signal = static_cast<int>(e.number);
        return;
      case kind::cloned:
        if (find(static_cast<pid_t>(e.number)) == nullptr) add(static_cast<pid_t>(e.number));
        t = find(e.thread);
        return tracee::step(t->id, 0);
      case kind::executed:
        // The other threads are gone, and this one has the program's id now.
        std::erase_if(threads_, [&](const auto& other) { return other->id != e.thread; });
        return tracee::step(e.thread, 0);
      case kind::ended:
        // Its last instruction, if it was the system call that ended it.
        if (t->noted && t->at.is_system_call()) done(*t, false);
        return end(e);
    }
  }
  void end(const event& e) {
    if (e.thread == program_.pid()) sum_.status = static_cast<int>(e.number);
    remove(e.thread);
  }

  void done(thread& t, bool effect) {
    t.fresh = false;
    if (!t.noted) {
      sum_.skipped += sum_.skipped < skip_;
      return;
    }
    t.noted = false;
    if (enough() || !t.at.decoded()) return;
    t.at.write(static_cast<std::uint32_t>(t.id), effect, out_);
    ++sum_.instructions;
    sum_.incomplete += !t.at.complete();
    sum_.threads.insert(t.id);
  }

  static constexpr unsigned quantum = 200;  // instructions
  static constexpr std::chrono::microseconds patience{500};
  tracee& program_;
  x64dbg::writer<T>& out_;
  std::vector<std::unique_ptr<thread>> threads_ = {};
  std::size_t current_ = 0;
  unsigned turn_ = 0;
  std::uint64_t skip_ = 0, count_ = 0;
  recorded sum_ = {};
};

}  // namespace record
