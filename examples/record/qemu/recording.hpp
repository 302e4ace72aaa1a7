// The plugin's side of what is shared: chunks are filled, and handed over.
#pragma once
#include <fcntl.h>
#include <linux/futex.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <mutex>
#include <new>
#include <string>
#include <string_view>

#include "messages.hpp"
#include "shared.hpp"

namespace record::qemu {

// One for the process: a child that is made by fork begins anew, in the same place of memory, as translated
// code points into it.
class recording {
 public:
  // Asks the recorder that listens at `name`. False: none does, or it is of another build.
  bool begin(std::string_view name, std::uint64_t parent) {
    name_ = name;
    const int file = ask(parent);
    if (file < 0) return false;
    void* const at = ::mmap(nullptr, shared_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    ::close(file);
    if (at == MAP_FAILED) return false;
    base_ = static_cast<std::byte*>(at);
    shared_ = static_cast<qemu::shared*>(at);
    return start();
  }

  // In the child, by the thread that made it. What was translated stays, all else begins anew. If children
  // are not followed, nothing of them is kept.
  void forked(std::uint64_t parent) {
    new (&mutex_) std::mutex;
    new (&waiting_) std::mutex;
    ::close(socket_);
    socket_ = -1;
    const bool follow = shared_->order.follow_forks;
    const int file = follow ? ask(parent) : -1;
    void* const at = file >= 0
                         ? ::mmap(nullptr, shared_size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
                         : ::mmap(nullptr, shared_size, PROT_READ | PROT_WRITE,
                                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (file >= 0) ::close(file);
    if (at == MAP_FAILED) ::_exit(127);
    if (file < 0) std::memcpy(at, &shared_->order, sizeof shared_->order);
    std::memcpy(static_cast<std::byte*>(at) + arena_offset, base_ + arena_offset, arena_used_);
    ::mremap(at, shared_size, shared_size, MREMAP_MAYMOVE | MREMAP_FIXED, base_);
    state_ = state::counting;
    if (!start() || file < 0) state_ = state::finished;
  }

  void has_child() { ++shared_->children; }

  [[nodiscard]] const qemu::order& order() const { return shared_->order; }
  [[nodiscard]] lane& of(unsigned cpu) { return shared_->lanes[cpu]; }
  [[nodiscard]] const std::string& name() const { return name_; }
  // Nothing more will be recorded.
  [[nodiscard]] bool finished() const { return state_ == state::finished; }

  // Memory that lasts, whatever QEMU forgets; nullptr if there is none left.
  void* allocate(std::size_t size, std::size_t alignment) {
    const std::size_t from = (arena_used_ + alignment - 1) / alignment * alignment;
    if (from + size > arena_size) return nullptr;
    arena_used_ = from + size;
    return base_ + arena_offset + from;
  }

  // The chunk of a thread is full, or it has none yet: room for the next record.
  std::byte* next(lane& l, unsigned cpu) {
    close(l, cpu);
    return open(l, cpu);
  }
  // What the thread has recorded is handed over. It has no chunk afterwards.
  void close(lane& l, unsigned cpu) {
    const std::size_t size = shared_->order.record_size;
    if (l.records && l.at >= l.begin) {
      const std::uint32_t chunk = l.filled.load(std::memory_order_relaxed);
      l.records_in[chunk % chunks] =
          static_cast<std::uint32_t>((l.at - l.begin) / static_cast<std::ptrdiff_t>(size) + 1);
      l.filled.store(chunk + 1, std::memory_order_release);
      if (!tell({.what = message::kind::filled, .lane = cpu})) orphaned();
    }
    l.begin = nullptr;
    l.at = base_ - size;
    l.end = base_;
    l.records = false;
  }

  // The recording begins, or waits, or ends, for all threads; others than the one that calls this go on
  // with the chunk that they have.
  void begin_now() { change(state::waiting, state::counting); }
  void wait_again() { change(state::counting, state::waiting); }
  void stop() {
    const std::lock_guard lock(mutex_);
    state_ = state::finished;
  }

  bool tell(const message& m) { return socket_ >= 0 && send_to(socket_, m); }
  bool look(std::uint64_t ip, std::uint64_t base, answer& to) {
    const std::lock_guard lock(waiting_);
    return tell({.what = message::kind::look, .a = ip, .b = base}) && receive_from(socket_, to);
  }

 private:
  enum class state : std::uint8_t {
    waiting,   // for the place to begin at
    counting,  // what is skipped, and what is recorded
    finished
  };
  void change(state from, state to) {
    const std::lock_guard lock(mutex_);
    if (state_ != from) return;
    state_ = to;
    shared_->now.waits = to == state::waiting;
  }

  int ask(std::uint64_t parent) {
    sockaddr_un to;
    const socklen_t size = address_of(name_, to);
    socket_ = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    // Where the program itself expects no file to be opened: it may close all of the low ones.
    if (const int high = ::fcntl(socket_, F_DUPFD_CLOEXEC, 500); high >= 0) {
      ::close(socket_);
      socket_ = high;
    }
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&to), size) != 0) return -1;
    const message hello{.what = message::kind::hello,
                        .lane = protocol,
                        .a = static_cast<std::uint64_t>(::getpid()),
                        .b = parent};
    return send_to(socket_, hello) ? receive_file(socket_) : -1;
  }
  bool start() {
    if (shared_->order.version != protocol) return false;
    shared_->base = base_;
    shared_->now = shared_->order.from;
    state_ = shared_->now.waits ? state::waiting : state::counting;
    for (lane& l : shared_->lanes) {
      new (&l) lane;
      l.at = base_ - shared_->order.record_size;
      l.end = base_;
    }
    return true;
  }

  // How many instructions the next chunk is for, and whether they are recorded.
  struct quota {
    std::uint64_t instructions = 0;
    bool records = false;
    bool counted = true;
  };
  quota take(std::uint64_t most) {
    const std::lock_guard lock(mutex_);
    const qemu::region& r = shared_->order.region;
    // Another thread may begin: it is looked after every so many instructions.
    if (state_ != state::counting) return {std::min<std::uint64_t>(most, 1024), false, false};
    quota q{most, true, true};
    if (shared_->now.position < r.skip) {
      q = {std::min(most, r.skip - shared_->now.position), false, true};
    } else if (r.length != 0) {
      const std::uint64_t within = (shared_->now.position - r.skip) % r.every;
      q.records = within < r.length;
      q.instructions = std::min(most, (q.records ? r.length : r.every) - within);
    }
    if (q.records) {
      q.instructions = std::min(q.instructions, r.count - shared_->now.recorded);
      shared_->now.recorded += q.instructions;
      if (q.instructions == 0) {
        state_ = state::finished;
        return {most, false, false};
      }
    }
    shared_->now.position += q.instructions;
    return q;
  }
  std::byte* open(lane& l, unsigned cpu) {
    const std::size_t size = shared_->order.record_size;
    const quota q = take(chunk_size / size);
    const std::uint32_t chunk = l.filled.load(std::memory_order_relaxed);
    while (chunk - l.taken.load(std::memory_order_acquire) >= chunks && !finished()) wait(l);
    l.threads[chunk % chunks] = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    l.begin = base_ + chunk_offset(cpu, chunk);
    l.end = l.begin + q.instructions * size;
    l.at = l.begin - size;
    l.records = q.records && !finished();
    l.counted = q.counted;
    return l.begin;
  }
  // Who recorded the program is gone: so ends the program, as by ptrace.
  void orphaned() {
    if (!finished()) ::kill(::getpid(), SIGKILL);
  }
  // Until the recorder has taken a chunk. Wakes up now and then, to see whether it is still there.
  void wait(lane& l) {
    const std::uint32_t taken = l.taken.load(std::memory_order_acquire);
    if (l.filled.load(std::memory_order_relaxed) - taken < chunks) return;
    const timespec second{1, 0};
    ::syscall(SYS_futex, &l.taken, FUTEX_WAIT, taken, &second, nullptr, 0);
    char byte = 0;
    if (::recv(socket_, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0) orphaned();
  }

  std::string name_ = {};
  std::byte* base_ = nullptr;
  qemu::shared* shared_ = nullptr;
  int socket_ = -1;
  std::size_t arena_used_ = 0;
  std::mutex mutex_ = {}, waiting_ = {};
  std::atomic<state> state_ = state::waiting;
};

}  // namespace record::qemu
