// Plugin's side of the shared memory. The plugin fills chunks and hands them over to the recorder.
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

// Recording of this process. If the process forks, the child's recording is at the same address,
// because translated code contains pointers to that address.
class recording {
 public:
  // Connects to the recorder that listens on `name`. Returns false if no recorder listens, or if
  // the recorder belongs to a different build.
  bool begin(std::string_view name, tracepack::processor whose) {
    name_ = name;
    processor_ = whose;
    void* const at = request_memory(0);
    if (at == MAP_FAILED) return false;
    base_ = static_cast<std::byte*>(at);
    shared_ = static_cast<qemu::shared*>(at);
    return start();
  }

  [[nodiscard]] bool has_begun() const { return shared_ != nullptr; }

  // Starts a new recording in a forked child. The child has only the calling thread. `own` is the
  // lane of that thread, or null. Only the translated code is kept. If children are not followed,
  // the child is not recorded.
  void forked(std::uint64_t parent, const lane* own) {
    new (&mutex_) std::mutex;
    new (&requesting_) std::mutex;
    const bool waits = waits_;
    void* at = follows() ? request_memory(parent) : MAP_FAILED;
    if (follows() && at == MAP_FAILED && !is_listened_to()) ::kill(::getpid(), SIGKILL);
    const bool followed = at != MAP_FAILED;
    const std::size_t size = shared_size(order_.capacity);
    const std::size_t arena = arena_offset(order_.capacity);
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

  // Counts a child process. With follow_forks, does not count a child that will not be followed.
  void has_child() {
    if (order_.follow_forks == 0 || follows()) ++shared_->children;
  }

  [[nodiscard]] const qemu::order& order() const { return order_; }
  [[nodiscard]] const std::string& name() const { return name_; }
  // Returns true if this process will not be recorded any longer.
  [[nodiscard]] bool finished() const { return finished_; }
  // Returns true if child processes are recorded. Each child process counts its own instructions.
  [[nodiscard]] bool follows() const { return !stopped_ && order_.follow_forks != 0; }
  [[nodiscard]] bool over() const { return finished() && !follows(); }
  [[nodiscard]] bool waiting() const { return waits_; }
  [[nodiscard]] bool has_threads() const { return !over() && shared_->lanes_used > 1; }

  // Allocates memory that is never freed, even if QEMU discards the translated code. Returns
  // nullptr if no memory is left.
  void* allocate(std::size_t size, std::size_t alignment) {
    const std::size_t from = (arena_used_ + alignment - 1) / alignment * alignment;
    if (from + size > order_.capacity.arena) return nullptr;
    arena_used_ = from + size;
    return base_ + arena_offset(order_.capacity) + from;
  }
  // Returns the position of `allocated` in the arena, in units of place_unit.
  [[nodiscard]] std::uint32_t place_of(const void* allocated) const {
    const std::byte* const arena = base_ + arena_offset(order_.capacity);
    const auto from = static_cast<std::size_t>(static_cast<const std::byte*>(allocated) - arena);
    return static_cast<std::uint32_t>(from / place_unit);
  }
  // Returns true if little memory is left. New instructions should then be stored without their
  // code.
  [[nodiscard]] bool is_crowded() const { return arena_used_ > order_.capacity.arena / 4 * 3; }

  // Returns a lane for a thread, or nullptr if there are too many threads.
  lane* new_lane() {
    const std::lock_guard lock(mutex_);
    std::size_t n = 0;
    while (n != order_.capacity.threads && used_[n]) ++n;
    // If the recording has stopped, use a private lane, which the recorder does not read.
    if (n == order_.capacity.threads) return over() ? new lane : nullptr;
    used_.set(n);
    if (shared_->lanes_used <= n) shared_->lanes_used = static_cast<std::uint32_t>(n + 1);
    return &shared_->lanes[n];
  }
  // Releases the lane of a thread that has ended, so another thread can use the lane.
  void free_lane(const lane& l) {
    const std::lock_guard lock(mutex_);
    if (is_shared(l))
      used_.reset(number_of(l));
    else
      delete &l;
  }
  // Ends the process. The recorder then reports the error and also ends.
  [[noreturn]] void end_by_too_many_threads() {
    shared_->too_many_threads = 1;
    ::_exit(127);
  }

  // Returns memory for a thread's next record. Call this function if the thread has no chunk or the
  // chunk is full.
  std::byte* next(lane& l) {
    close(l);
    return open(l);
  }
  // Hands over a thread's records to the recorder. The thread then has no chunk.
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
    fill_chunk(l);
  }
  void fill_chunk(lane& l) const {
    l.at = base_ - order_.record_size;
    l.end = base_;
  }

  // The following functions start, suspend or stop the recording for all threads. Threads other
  // than the calling thread first complete their current chunks.
  void begin_now() { change(false); }
  void wait_again() { change(true); }
  void stop() {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
    finished_ = true;
  }

  // Notifies the recorder that this process will not be recorded any longer.
  void report_finished() {
    shared_->finished = 1;
    ring();
  }
  // Requests from the recorder the places near `ip` at which the recording begins or ends. Passes
  // these places to use(). `base` is the address of the program's address 0 in the emulator's
  // process.
  template <class Found> void find_triggers(std::uint64_t ip, std::uint64_t base, Found use) {
    const std::lock_guard lock(requesting_);
    trigger_request& q = shared_->request;
    q.ip = ip;
    q.base = base;
    q.state = trigger_request::pending;
    ring();
    while (q.state == trigger_request::pending && !over() && !is_released())
      wait_on(q.state, trigger_request::pending);
    const trigger_range found = q.found;
    use(found);
    q.state = trigger_request::none;
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

  // Requests shared memory from the recorder. Returns MAP_FAILED if the recorder does not send the
  // memory.
  void* request_memory(std::uint64_t parent) {
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
  // Returns true if the recorder still listens. It is not enough to check that the recorder's
  // process exists, because a process id remains valid for a time after the process has ended
  // (zombie).
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
    for (lane& l : shared_->lanes) fill_chunk(*new (&l) lane);
    return true;
  }

  // Number of instructions after which a thread checks the state again while nothing is recorded.
  static constexpr std::uint64_t glance = 1024;
  // Size of a thread's next chunk, in instructions. `records` is true if these instructions are
  // recorded. `counted` is true if the progress includes them.
  struct quota {
    std::uint64_t instructions = 0;
    bool records = false;
    bool counted = true;
  };
  quota take(std::uint64_t most) {
    const std::lock_guard lock(mutex_);
    const qemu::region& r = order_.region;
    // Use a short chunk, because another thread may start the recording.
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
  // Subtracts from the progress the instructions that did not fill the thread's chunk.
  void give_back(const lane& l) {
    const auto left = static_cast<std::uint64_t>(l.end - l.at) / order_.record_size - 1;
    const std::lock_guard lock(mutex_);
    shared_->now.position -= left;
    if (l.records != 0) shared_->now.recorded -= left;
  }
  std::byte* open(lane& l) {
    // Number of chunks after which a thread checks whether the recorder is still running.
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
  // If the ring is full, waits until the recorder has taken a chunk.
  void wait(const lane& l) {
    const std::uint32_t taken = l.taken.load(std::memory_order_acquire);
    if (l.filled.load(std::memory_order_relaxed) - taken >= chunks) wait_on(l.taken, taken);
  }
  // Waits until `what` differs from `value`, but for at most one second. Kills the process if the
  // recorder has ended.
  void wait_on(const std::atomic<std::uint32_t>& what, std::uint32_t value) const {
    const timespec second{1, 0};
    ::syscall(SYS_futex, &what, FUTEX_WAIT, value, &second, nullptr, 0);
    if (!is_released() && has_recorder_ended()) ::kill(::getpid(), SIGKILL);
  }
  // Kills this process if the recorder has ended. When the recorder ends, the kernel kills only the
  // process that the recorder started. Therefore child processes must check for the recorder
  // themselves.
  void end_without_recorder() const {
    if (::kill(static_cast<pid_t>(order_.recorder), 0) != 0 && errno == ESRCH)
      ::kill(::getpid(), SIGKILL);
  }
  // Returns true if the recorder's process has ended, even if its parent has not waited for it.
  // This function briefly opens a file, which another thread may notice. Therefore only a waiting
  // thread calls it.
  [[nodiscard]] bool has_recorder_ended() const {
    const int recorder =
        static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(order_.recorder), 0));
    if (recorder < 0) return false;
    pollfd one{recorder, POLLIN, 0};
    const bool ended = ::poll(&one, 1, 0) == 1;
    ::close(recorder);
    return ended;
  }
  // Returns true if the recorder no longer takes records of this process.
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
  std::mutex mutex_ = {}, requesting_ = {};
  // True while the recording has not reached the place at which it begins. The flag keeps its value
  // after the limit is reached, because child processes inherit it.
  std::atomic<bool> waits_ = false;
  // True if the limit was reached or the recording was stopped.
  std::atomic<bool> finished_ = true;
  // True if this process and its children are no longer recorded.
  std::atomic<bool> stopped_ = true;
  std::bitset<most_threads> used_ = {};  // lanes in use
  // Chunk for all threads that have no shared lane. The chunk is never read.
  alignas(64) std::array<std::byte, chunk_size> unread_ = {};
};

}  // namespace record::qemu
