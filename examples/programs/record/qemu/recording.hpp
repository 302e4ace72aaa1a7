// The plugin's side of the shared memory: it fills chunks and hands them over to the recorder.
#pragma once
#include <linux/futex.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <bitset>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <functional>
#include <mutex>
#include <new>
#include <string>
#include <string_view>

#include "messages.hpp"
#include "shared.hpp"

namespace record::qemu {

// Recording of this process. A child process that fork creates starts its own recording at the same
// address, because translated code contains pointers to the recording.
class recording {
 public:
  // Connects to the recorder that listens on `name`. Returns false if no recorder listens or if the
  // recorder comes from another build.
  bool begin(std::string_view name, tracepack::processor whose) {
    name_ = name;
    processor_ = whose;
    void* const at = ask(0);
    if (at == MAP_FAILED) return false;
    base_ = static_cast<std::byte*>(at);
    shared_ = static_cast<qemu::shared*>(at);
    return start();
  }

  [[nodiscard]] bool has_begun() const { return shared_ != nullptr; }

  // Starts a new recording in a forked child, in the thread that fork() left in the child. Only the
  // translated code is kept. If children are not followed, nothing of the child is recorded. `own`
  // is the lane of that thread, or null.
  void forked(std::uint64_t parent, const lane* own) {
    new (&mutex_) std::mutex;
    new (&asking_) std::mutex;
    const bool waits = waits_;
    void* at = follows() ? ask(parent) : MAP_FAILED;
    if (follows() && at == MAP_FAILED && !is_listened_to()) ::kill(::getpid(), SIGKILL);
    const bool followed = at != MAP_FAILED;
    const std::size_t size = shared_size(order_.room);
    const std::size_t arena = arena_offset(order_.room);
    if (!followed) {
      at = ::mmap(nullptr, size, PROT_READ | PROT_WRITE,
                  MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
      if (at == MAP_FAILED) ::_exit(127);
      std::memcpy(at, &order_, sizeof order_);
    }
    std::memcpy(static_cast<std::byte*>(at) + arena, base_ + arena, arena_used_);
    if (::mremap(at, size, size, MREMAP_MAYMOVE | MREMAP_FIXED, base_) == MAP_FAILED) ::_exit(127);
    if (!start() || !followed) {
      stop();
    } else {
      set_waits(waits);
    }
    used_.reset();
    if (own == nullptr || !is_shared(*own)) return;
    used_.set(number_of(*own));
    shared_->lanes_used = static_cast<std::uint32_t>(number_of(*own) + 1);
  }

  // Counts a child process. With follow_forks, counts the child only if it will be followed.
  void has_child() {
    if (order_.follow_forks == 0 || follows()) ++shared_->children;
  }

  [[nodiscard]] const qemu::order& order() const { return order_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  // Returns true if nothing more will be recorded of this process.
  [[nodiscard]] bool finished() const { return finished_; }
  // Returns true if child processes are recorded, each with its own instruction count.
  [[nodiscard]] bool follows() const { return !stopped_ && order_.follow_forks != 0; }
  [[nodiscard]] bool over() const { return finished() && !follows(); }
  [[nodiscard]] bool waiting() const { return waits_; }
  [[nodiscard]] bool has_threads() const { return !over() && shared_->lanes_used > 1; }

  // Allocates memory that is never freed, even if QEMU discards its translated code. Returns
  // nullptr if no memory is left.
  void* allocate(std::size_t size, std::size_t alignment) {
    const std::size_t from = (arena_used_ + alignment - 1) / alignment * alignment;
    if (from + size > order_.room.arena) return nullptr;
    arena_used_ = from + size;
    return base_ + arena_offset(order_.room) + from;
  }
  // Returns the position of allocated memory in the arena, in units of place_unit.
  [[nodiscard]] std::uint32_t place_of(const void* allocated) const {
    const std::byte* const arena = base_ + arena_offset(order_.room);
    const auto from = static_cast<std::size_t>(static_cast<const std::byte*>(allocated) - arena);
    return static_cast<std::uint32_t>(from / place_unit);
  }
  // Returns true if little memory is left. Callers then store only the code that they need.
  [[nodiscard]] bool is_crowded() const { return arena_used_ > order_.room.arena / 4 * 3; }

  // Returns a lane for a thread, or nullptr if there are too many threads.
  lane* new_lane() {
    const std::lock_guard lock(mutex_);
    std::size_t n = 0;
    while (n != order_.room.threads && used_[n]) ++n;
    // Once recording has stopped, a private lane suffices, because the recorder never reads it.
    if (n == order_.room.threads) return over() ? new lane : nullptr;
    used_.set(n);
    if (shared_->lanes_used <= n) shared_->lanes_used = static_cast<std::uint32_t>(n + 1);
    return &shared_->lanes[n];
  }
  // Releases the lane of a thread that has ended. Another thread may use the lane afterwards.
  void free_lane(const lane& l) {
    const std::lock_guard lock(mutex_);
    if (is_shared(l))
      used_.reset(number_of(l));
    else
      delete &l;
  }
  // Ends the process. The recorder then reports the error and ends as well.
  [[noreturn]] void end_by_too_many_threads() {
    shared_->too_many_threads = 1;
    ::_exit(127);
  }

  // Returns room for the next record of a thread. Call it if the thread's chunk is full or if the
  // thread has no chunk yet.
  std::byte* next(lane& l) {
    close(l);
    return open(l);
  }
  // Hands over the records of a thread. The thread then has no chunk.
  void close(lane& l) {
    const std::size_t size = order_.record_size;
    if (l.records != 0 && l.at >= l.begin) {
      const std::uint32_t chunk = l.filled.load(std::memory_order_relaxed);
      l.records_in[chunk % chunks] =
          static_cast<std::uint32_t>((l.at - l.begin) / static_cast<std::ptrdiff_t>(size) + 1);
      l.filled.store(chunk + 1, std::memory_order_release);
      ring();
    }
    if (l.begin != nullptr && l.counted != 0) give_back(l);
    l.begin = nullptr;
    l.records = 0;
    have_no_room(l);
  }
  void have_no_room(lane& l) const {
    l.at = base_ - order_.record_size;
    l.end = base_;
  }

  // Starts, suspends or stops the recording for all threads. Threads other than the calling thread
  // first complete their current chunks.
  void begin_now() { change(false); }
  void wait_again() { change(true); }
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    finished_ = true;
  }

  // Notifies the recorder that nothing more will be recorded of this process.
  void tell_finished() {
    shared_->finished = 1;
    ring();
  }
  // Requests the places for the code at `ip` from the recorder, and calls told() with the
  // recorder's answer.
  template <class Told> void ask_about(std::uint64_t ip, std::uint64_t base, Told told) {
    const std::lock_guard lock(asking_);
    question& q = shared_->look;
    q.ip = ip;
    q.base = base;
    q.state = question::asked;
    ring();
    while (q.state == question::asked && !over() && !is_released())
      wait_on(q.state, question::asked);
    const answer found = q.found;
    told(found);
    q.state = question::none;
  }

 private:
  void change(bool waits) {
    const std::lock_guard lock(mutex_);
    set_waits(waits);
  }
  void set_waits(bool waits) {
    waits_ = waits;
    shared_->now.waits = waits ? 1 : 0;
  }

  // Requests shared memory from the recorder. Returns MAP_FAILED if the recorder sends none.
  void* ask(std::uint64_t parent) {
    sockaddr_un to;
    const socklen_t size = address_of(name_, to);
    const int socket = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    two_files files{};
    const hello said{.parent = parent, .processor = processor_};
    void* at = MAP_FAILED;
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&to), size) == 0 &&
        is_of_this_user(socket) && send_to(socket, said) && receive_files(socket, files)) {
      struct stat has {};
      if (::fstat(files[0], &has) == 0)
        at = ::mmap(nullptr, static_cast<std::size_t>(has.st_size), PROT_READ | PROT_WRITE,
                    MAP_SHARED, files[0], 0);
      if (at == MAP_FAILED) std::perror("tracecodec-qemu.so: shared memory");
      if (bell_ == nullptr) {
        void* const b =
            ::mmap(nullptr, sizeof(bell), PROT_READ | PROT_WRITE, MAP_SHARED, files[1], 0);
        if (b == MAP_FAILED) at = MAP_FAILED;
        bell_ = static_cast<bell*>(b);
      }
      for (const int f : files) ::close(f);
    }
    ::close(socket);
    return at;
  }
  // Returns true if the recorder still listens. An existing recorder process would not prove that
  // it listens, because a process may exist after its end.
  [[nodiscard]] bool is_listened_to() const {
    sockaddr_un to;
    const socklen_t size = address_of(name_, to);
    const int socket = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    const bool gone = ::connect(socket, reinterpret_cast<const sockaddr*>(&to), size) != 0 &&
                      errno == ECONNREFUSED;
    ::close(socket);
    return !gone;
  }
  void ring() {
    ++bell_->rung;
    if (bell_->waited_for != 0)
      ::syscall(SYS_futex, &bell_->rung, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }
  bool start() {
    order_ = shared_->order;
    if (order_.version != protocol) return false;
    shared_->finished = 0;
    shared_->base = base_;
    shared_->now = order_.from;
    waits_ = shared_->now.waits != 0;
    finished_ = false;
    stopped_ = false;
    for (lane& l : shared_->lanes) have_no_room(*new (&l) lane);
    return true;
  }

  // Number of instructions that a thread executes before it checks the state again while nothing is
  // recorded.
  static constexpr std::uint64_t glance = 1024;
  // Number of instructions in the next chunk. The flags are true if the instructions are recorded
  // and if they are counted.
  struct quota {
    std::uint64_t instructions = 0;
    bool records = false;
    bool counted = true;
  };
  quota take(std::uint64_t most) {
    const std::lock_guard lock(mutex_);
    const qemu::region& r = order_.region;
    // Another thread may start the recording.
    if (waits_ || finished_) return {std::min(most, glance), false, false};
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
        finished_ = true;
        return {most, false, false};
      }
    }
    shared_->now.position += q.instructions;
    return q;
  }
  // Subtracts the unused part of the thread's quota from the progress.
  void give_back(const lane& l) {
    const auto left = static_cast<std::uint64_t>(l.end - l.at) / order_.record_size - 1;
    const std::lock_guard lock(mutex_);
    shared_->now.position -= left;
    if (l.records != 0) shared_->now.recorded -= left;
  }
  std::byte* open(lane& l) {
    // The thread checks for the recorder once per this number of chunks.
    constexpr std::uint32_t looks = 256;
    if (++l.opened % looks == 0 && !over()) end_without_recorder();
    const std::size_t size = order_.record_size;
    quota q = take(chunk_size / size);
    const std::uint32_t chunk = l.filled.load(std::memory_order_relaxed);
    while (q.records && chunk - l.taken.load(std::memory_order_acquire) >= chunks && !is_released())
      wait(l);
    if (q.records && is_released()) {
      stop();
      q.records = false;
    }
    l.threads[chunk % chunks] = static_cast<std::uint32_t>(::syscall(SYS_gettid));
    if (is_shared(l)) {
      const std::size_t n = number_of(l);
      l.begin = base_ + (q.records ? chunk_offset(n, chunk) : scratch_offset(n));
    } else {
      l.begin = unread_.data();
    }
    l.end = l.begin + q.instructions * size;
    l.at = l.begin - size;
    l.records = q.records ? 1 : 0;
    l.counted = q.counted ? 1 : 0;
    return l.begin;
  }
  // Waits until the recorder has taken a chunk.
  void wait(const lane& l) {
    const std::uint32_t taken = l.taken.load(std::memory_order_acquire);
    if (l.filled.load(std::memory_order_relaxed) - taken >= chunks) wait_on(l.taken, taken);
  }
  // Waits until `what` differs from `value`, for up to one second. Kills the process if the
  // recorder has ended.
  void wait_on(const std::atomic<std::uint32_t>& what, std::uint32_t value) const {
    const timespec second{1, 0};
    ::syscall(SYS_futex, &what, FUTEX_WAIT, value, &second, nullptr, 0);
    if (!is_released() && has_recorder_ended()) ::kill(::getpid(), SIGKILL);
  }
  // Kills the program if the recorder has ended, as under ptrace. The kernel kills only the process
  // that the recorder started, so child processes must check for the recorder themselves.
  void end_without_recorder() const {
    if (::kill(static_cast<pid_t>(order_.recorder), 0) != 0 && errno == ESRCH)
      ::kill(::getpid(), SIGKILL);
  }
  // Returns true if the recorder's process has ended, even if no parent has waited for the process
  // yet. The function opens a file briefly, which another thread may notice, so only a waiting
  // thread calls the function.
  [[nodiscard]] bool has_recorder_ended() const {
    const int recorder =
        static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(order_.recorder), 0));
    if (recorder < 0) return false;
    pollfd one{recorder, POLLIN, 0};
    const bool ended = ::poll(&one, 1, 0) == 1;
    ::close(recorder);
    return ended;
  }
  // Returns true if the recorder takes no more records of this process.
  [[nodiscard]] bool is_released() const { return shared_->released != 0; }
  [[nodiscard]] bool is_shared(const lane& l) const {
    const auto& lanes = shared_->lanes;
    return !std::less<>()(&l, lanes.data()) && std::less<>()(&l, lanes.data() + lanes.size());
  }
  [[nodiscard]] std::size_t number_of(const lane& l) const {
    return static_cast<std::size_t>(&l - shared_->lanes.data());
  }

  std::string name_ = {};
  tracepack::processor processor_ = {};
  std::byte* base_ = nullptr;
  qemu::shared* shared_ = nullptr;
  qemu::order order_ = {};  // private copy, because the shared order may be overwritten
  bell* bell_ = nullptr;
  std::size_t arena_used_ = 0;
  std::mutex mutex_ = {}, asking_ = {};
  // True while the recording waits for the place at which it begins. The flag stays valid after the
  // limit, because child processes inherit it.
  std::atomic<bool> waits_ = false;
  // True if the limit is reached or the recording is stopped.
  std::atomic<bool> finished_ = true;
  // True if nothing more is recorded, including children.
  std::atomic<bool> stopped_ = true;
  std::bitset<most_threads> used_ = {};  // lanes in use
  // Chunk to which all threads without a shared lane write; it is never read.
  alignas(64) std::array<std::byte, chunk_size> unread_ = {};
};

}  // namespace record::qemu
