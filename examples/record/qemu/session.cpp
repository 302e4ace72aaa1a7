#include "session.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstring>
#include <memory>
#include <new>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "../ending.hpp"
#include "messages.hpp"
#include "translated.hpp"

namespace record::qemu {

namespace {
[[noreturn]] void fail(const std::string& what) {
  throw std::system_error(errno, std::generic_category(), what);
}
bool is_limited(decltype(RLIMIT_AS) what, std::uint64_t to) {
  rlimit r{};
  return ::getrlimit(what, &r) == 0 && r.rlim_cur < to;
}
// Says which limit it is.
[[noreturn]] void fail_to_share(std::size_t size) {
  const int why = errno;
  std::string limit;
  if (why == EFBIG) limit = " (ulimit -f)";
  if (why == ENOMEM && is_limited(RLIMIT_AS, RLIM_INFINITY)) limit = " (ulimit -v)";
  if (why == EMFILE) limit = " (ulimit -n)";
  errno = why;
  const std::size_t mib = size >> 20U;
  fail((mib == 0 ? "shared memory" : "shared memory of " + std::to_string(mib) + " MiB") + limit);
}
}  // namespace

// The socket of a process, and the memory it shares.
struct session::channel {
  channel() = default;
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;
  ~channel() {
    if (alive >= 0) ::close(alive);
    if (memory != nullptr) ::munmap(memory, size);
  }

  void kill() const { ::syscall(SYS_pidfd_send_signal, alive, SIGKILL, nullptr, 0); }
  [[nodiscard]] qemu::shared& shared() const { return *reinterpret_cast<qemu::shared*>(memory); }

  int alive = -1;  // readable when the process has ended
  std::byte* memory = nullptr;
  std::size_t size = 0;
  qemu::process process = {};
  bool ended = false;
};

namespace {
// What is known of the last instruction that a thread has begun: it lies where the plugin allocates.
const facts* last_of(const qemu::shared& shared, const room& r, const lane& l,
                     std::size_t record_size) {
  const auto* const base = reinterpret_cast<const std::byte*>(&shared);
  const auto at =
      reinterpret_cast<std::uintptr_t>(l.last) - reinterpret_cast<std::uintptr_t>(shared.base);
  if (at < arena_offset(r) || at > shared_size(r) - record_size - sizeof(facts) || at % 8 != 0)
    return nullptr;
  return reinterpret_cast<const facts*>(base + at + record_size);
}
}  // namespace

kept_code process::code_at(std::uint32_t place) const {
  kept_code k;
  const std::size_t at = std::size_t{place} * place_unit;
  if (at > code.size() || code.size() - at < sizeof k) return k;
  std::memcpy(&k, code.data() + at, sizeof k);
  k.known.length = std::min<std::uint8_t>(k.known.length, tracepack::longest_code);
  return k;
}

session::session(const qemu::order& order) : order_(order) {
  listening_ = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (listening_ < 0) fail("a socket");
  // One that nobody has yet.
  static unsigned sessions = 0;
  name_ = "tracecodec-" + std::to_string(::getpid()) + '-' + std::to_string(sessions++);
  sockaddr_un address;
  const socklen_t size = address_of(name_, address);
  if (::bind(listening_, reinterpret_cast<const sockaddr*>(&address), size) != 0 ||
      ::listen(listening_, 64) != 0)
    fail("a socket");
  bell_file_ = ::memfd_create("tracecodec", MFD_CLOEXEC);
  if (bell_file_ < 0 || ::ftruncate(bell_file_, sizeof(bell)) != 0) fail_to_share(sizeof(bell));
  void* const at = ::mmap(nullptr, sizeof(bell), PROT_READ | PROT_WRITE, MAP_SHARED, bell_file_, 0);
  if (at == MAP_FAILED) fail_to_share(sizeof(bell));
  bell_ = new (at) bell;
  order_.recorder = ::getpid();
  // Each followed process needs as much of the recorder's.
  if (is_limited(RLIMIT_AS, RLIM_INFINITY) || is_limited(RLIMIT_FSIZE, shared_size(order_.room)))
    order_.room = little_room;
}
session::~session() {
  ::close(listening_);
  ::close(bell_file_);
  ::munmap(bell_, sizeof(bell));
  for (const auto& c : channels_) c->kill();
  if (program_ > 0 && !status_ && !goes_on_) {
    ::kill(program_, SIGKILL);
    ::waitpid(program_, nullptr, 0);
  }
}

pid_t session::start(const std::vector<std::string>& command) {
  std::array<int, 2> failure{};
  if (::pipe2(failure.data(), O_CLOEXEC) != 0)
    fail(errno == EMFILE ? "a pipe (ulimit -n)" : "a pipe");
  // Of a program whose end is ignored nobody learns the status. What was ignored the program ignores.
  const auto at_child_end = std::signal(SIGCHLD, SIG_DFL);
  program_ = ::fork();
  if (program_ == 0) {
    std::signal(SIGCHLD, at_child_end);
    ::personality(ADDR_NO_RANDOMIZE);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // until it is recorded no more
    std::vector<char*> arguments;
    for (const std::string& a : command) arguments.push_back(const_cast<char*>(a.c_str()));
    arguments.push_back(nullptr);
    ::execv(arguments[0], arguments.data());
    const int why = errno;
    static_cast<void>(::write(failure[1], &why, sizeof why) == 0);
    ::_exit(127);
  }
  const int fork_error = errno;
  ::close(failure[1]);
  int why = 0;
  const bool failed = program_ > 0 && ::read(failure[0], &why, sizeof why) == sizeof why;
  ::close(failure[0]);
  if (program_ < 0) throw std::runtime_error(std::strerror(fork_error));
  if (failed) {
    ::waitpid(program_, nullptr, 0);
    throw std::runtime_error(command[0] + ": " + std::strerror(why));
  }
  return program_;
}

std::optional<int> session::run(const consumer& to) {
  constexpr timespec moment{0, 5'000'000};  // a process begins, or ends, without ringing
  while (!(status_ || goes_on_) || !channels_.empty() || awaits_children()) {
    const std::uint32_t rung = bell_->rung;
    bool some = false;
    std::vector<pollfd> all{{listening_, POLLIN, 0}};
    for (const auto& c : channels_) {
      some |= take_all(*c, to);
      all.push_back({c->alive, POLLIN, 0});
      if (ended_by != 0) c->kill();
    }
    if (::poll(all.data(), all.size(), 0) > 0) {
      for (std::size_t i = 1; i != all.size(); ++i)
        if (all[i].revents != 0) end(*channels_[i - 1], to);
      if (all[0].revents != 0) accept_one(to);
      some = true;
    }
    std::erase_if(channels_, [](const auto& c) { return c->ended; });
    if (!status_) {
      int status = 0;
      const pid_t ended = ::waitpid(program_, &status, WNOHANG);
      if (ended < 0 && errno == ECHILD) throw std::runtime_error("the program is gone");
      if (ended == program_) {
        observed = 0;
        status_ = status;
        some = true;
      }
    }
    if (some) continue;
    bell_->waited_for = 1;
    if (bell_->rung == rung)
      ::syscall(SYS_futex, &bell_->rung, FUTEX_WAIT, rung, &moment, nullptr, 0);
    bell_->waited_for = 0;
  }
  return status_;
}

bool session::awaits_children() const {
  constexpr std::chrono::seconds patience{2};
  return order_.follow_forks && ended_by == 0 && come_ < made_ &&
         std::chrono::steady_clock::now() - last_end_ < patience;
}

void session::accept_one(const consumer& to) {
  const int socket = ::accept4(listening_, nullptr, nullptr, SOCK_CLOEXEC);
  hello said;
  auto c = std::make_unique<channel>();
  // Anybody may come: who it is the kernel says, and one that is silent is not waited for.
  ucred who{};
  socklen_t size = sizeof who;
  const timeval second{1, 0};
  if (socket >= 0 && ::setsockopt(socket, SOL_SOCKET, SO_RCVTIMEO, &second, sizeof second) == 0 &&
      ::getsockopt(socket, SOL_SOCKET, SO_PEERCRED, &who, &size) == 0 && who.uid == ::geteuid() &&
      receive_from(socket, said) && said.version == protocol && said.layout == layout &&
      (known_.empty()
           ? who.pid == program_
           : known_.count(who.pid) != 0 || known_.count(static_cast<pid_t>(said.parent)) != 0)) {
    known_.insert(who.pid);
    come_ += said.parent != 0;
    c->process.id = who.pid;
    c->process.parent = static_cast<pid_t>(said.parent);
    if (said.processor <= tracepack::processor::riscv64) c->process.processor = said.processor;
    const int file = ::memfd_create("tracecodec", MFD_CLOEXEC);
    const std::size_t shared = shared_size(order_.room);
    if (file < 0 || ::ftruncate(file, static_cast<off_t>(shared)) != 0) fail_to_share(shared);
    void* const at = ::mmap(nullptr, shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) fail_to_share(shared);
    c->memory = static_cast<std::byte*>(at);
    c->size = shared;
    c->process.code = {c->memory + arena_offset(order_.room), order_.room.arena};
    new (&c->shared().order) qemu::order(order_);
    // It was another program before, and has become this one.
    for (const auto& other : channels_)
      if (other->process.id == c->process.id && !other->ended) {
        other->process.becomes = true;
        end(*other, to);
        c->shared().order.from = other->shared().now;
      }
    c->alive = static_cast<int>(::syscall(SYS_pidfd_open, c->process.id, 0));
    if (c->alive >= 0 && send_files(socket, {file, bell_file_})) {
      to.begins(c->process);
      channels_.push_back(std::move(c));
    }
    ::close(file);
  }
  if (socket >= 0) ::close(socket);
}

bool session::take_all(channel& c, const consumer& to) {
  qemu::shared& s = c.shared();
  bool some = false;
  const std::size_t lanes = std::min<std::size_t>(s.lanes_used, order_.room.threads);
  for (std::size_t n = 0; n != lanes; ++n) some |= take(c, n, to);
  if (s.look.state == question::asked) {
    to.looks(c.process, s.look);
    s.look.state = question::answered;
    ::syscall(SYS_futex, &s.look.state, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
    some = true;
  }
  if (s.finished != 0 && !c.ended) {
    end(c, to);
    goes_on_ |= c.process.id == program_;
  }
  return some;
}

bool session::take(channel& c, std::size_t n, const consumer& to) {
  lane& l = c.shared().lanes[n];
  std::uint32_t taken = l.taken.load(std::memory_order_relaxed);
  const std::uint32_t filled = l.filled.load(std::memory_order_acquire);
  // The program shares its memory with what counts here: nothing is believed.
  if (taken == filled || filled - taken > chunks) return false;
  // Who made the first thread of a lane has a lane before it, and has handed over what it did until then: that comes
  // first. (A lane that another thread has left may be before its maker's: its records may come earlier.)
  if (taken == 0)
    for (std::size_t other = 0; other != n; ++other) take(c, other, to);
  while (taken != filled) {
    const std::size_t most = chunk_size / order_.record_size;
    const std::size_t records = std::min<std::size_t>(l.records_in[taken % chunks], most);
    to.records(c.process, l.threads[taken % chunks],
               {c.memory + chunk_offset(n, taken), records * order_.record_size});
    l.taken.store(++taken, std::memory_order_release);
    ::syscall(SYS_futex, &l.taken, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }
  return true;
}

void session::end(channel& c, const consumer& to) {
  if (c.ended) return;
  if (c.shared().too_many_threads != 0)
    throw std::runtime_error(
        "the program has more than " + std::to_string(order_.room.threads) + " threads at once" +
        (order_.room.threads < most_threads ? ", the most with ulimit -v or ulimit -f" : ""));
  const std::size_t size = order_.record_size;
  for (std::size_t n = 0; n != order_.room.threads; ++n) {
    lane& l = c.shared().lanes[n];
    if (l.at == nullptr) continue;
    while (take(c, n, to)) continue;
    c.process.lost += l.lost;
    if (l.begin == nullptr) continue;
    const std::uint32_t chunk = l.filled.load(std::memory_order_relaxed);
    const auto begin = reinterpret_cast<std::uintptr_t>(l.begin);
    const auto base = reinterpret_cast<std::uintptr_t>(c.shared().base);
    if (begin != base + (l.records ? chunk_offset(n, chunk) : scratch_offset(n))) continue;
    const std::uintptr_t used = reinterpret_cast<std::uintptr_t>(l.at) + size - begin;
    const std::uintptr_t given = reinterpret_cast<std::uintptr_t>(l.end) - begin;
    if (given > chunk_size || used > given) continue;
    progress& reached = c.shared().now;
    std::size_t records = used / size;
    if (l.counted) reached.position -= given / size - records;
    if (!l.records) continue;
    reached.recorded -= given / size - records;
    // A process ends with a system call, or by a signal within an instruction, which is not done.
    std::byte* const from = c.memory + chunk_offset(n, chunk);
    const facts* const last = last_of(c.shared(), order_.room, l, size);
    if (records != 0 && (last == nullptr || (last->flags & calling) == 0)) {
      --records;
      if (last != nullptr && last->lost != 0) --c.process.lost;
    }
    if (records != 0) to.records(c.process, l.threads[chunk % chunks], {from, records * size});
  }
  c.process.children = c.shared().children;
  made_ += c.process.children;
  last_end_ = std::chrono::steady_clock::now();
  c.process.skipped = c.shared().now.position - c.shared().now.recorded -
                      (c.shared().order.from.position - c.shared().order.from.recorded);
  to.ends(c.process);
  c.ended = true;
}

}  // namespace record::qemu
