#include "session.hpp"

#include <fcntl.h>
#include <linux/futex.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <csignal>
#include <cstdio>
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
// Throws the error that memory cannot be shared. If a process limit is the cause, the message names
// that limit.
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
// Creates a file for shared memory. Seals the size of the file, so that no process can shorten the
// file while it is mapped.
int make_shared_file(std::size_t size) {
  const int file = ::memfd_create("tracecodec", MFD_CLOEXEC | MFD_ALLOW_SEALING);
  if (file < 0 || ::ftruncate(file, static_cast<off_t>(size)) != 0 ||
      ::fcntl(file, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL) != 0)
    fail_to_share(size);
  return file;
}
// Returns a random name that other processes cannot guess.
std::string random_name() {
  std::array<unsigned char, 16> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    fail("random bytes");
  std::string name = "tracecodec-";
  for (const unsigned b : bytes) {
    constexpr std::string_view digits = "0123456789abcdef";
    name += digits[b >> 4U];
    name += digits[b & 15U];
  }
  return name;
}
// Creates a socket with a new name and listens on it. Returns the socket, and stores the name in
// `name`.
int listen_at_new_name(std::string& name) {
  const int socket = ::socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
  if (socket < 0) fail("a socket");
  constexpr int tries = 16;
  for (int i = 1;; ++i) {
    name = random_name();
    sockaddr_un address;
    const socklen_t size = address_of(name, address);
    if (::bind(socket, reinterpret_cast<const sockaddr*>(&address), size) == 0) break;
    if (errno != EADDRINUSE || i == tries) fail("a socket");
  }
  if (::listen(socket, 64) != 0) fail("a socket");
  return socket;
}
// Throws the error that the program has overwritten the shared memory, so its values cannot be
// trusted.
[[noreturn]] void refuse_overwritten(const char* what) {
  throw std::runtime_error(
      std::string("the program overwrote the shared memory of the recording (") + what +
      "): it writes to addresses that are not its own");
}
}  // namespace

namespace {
void kill_process(int alive) { ::syscall(SYS_pidfd_send_signal, alive, SIGKILL, nullptr, 0); }
}  // namespace

// Process of the program, and the memory that it shares with the recorder.
struct session::channel {
  channel() = default;
  channel(const channel&) = delete;
  channel& operator=(const channel&) = delete;
  ~channel() {
    if (alive >= 0) ::close(alive);
    if (memory != nullptr) ::munmap(memory, size);
  }

  void kill() const { kill_process(alive); }
  [[nodiscard]] qemu::shared& shared() const { return *reinterpret_cast<qemu::shared*>(memory); }

  // Descriptor of the process (pidfd). It becomes readable when the process has ended.
  int alive = -1;
  std::byte* memory = nullptr;
  std::size_t size = 0;
  qemu::process process = {};
  // Progress when the program started. Nonzero counts if the process was already recorded with an
  // earlier program, before exec.
  progress from = {};
  std::uint64_t delivered = 0;  // number of records of the process that were delivered
  // Address in the process of the program's address 0; nullopt if it is unknown.
  std::optional<std::uint64_t> base = {};
  // Number of chunks taken from each lane.
  std::vector<std::uint32_t> taken = {};
  bool ended = false;
};

namespace {
// Returns the properties of the instruction that a thread began last. The properties are in the
// plugin's arena. Returns nullptr if the thread's pointer to the properties is invalid.
const facts* last_of(const qemu::shared& shared, const capacity& r, const lane& l,
                     std::size_t record_size) {
  const auto* const base = reinterpret_cast<const std::byte*>(&shared);
  const auto at = reinterpret_cast<std::uintptr_t>(read_once(l.last)) -
                  reinterpret_cast<std::uintptr_t>(read_once(shared.base));
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

session::session(const qemu::order& order) : order_(order), copy_(chunk_size) {
  listening_ = listen_at_new_name(name_);
  bell_file_ = make_shared_file(sizeof(bell));
  void* const at = ::mmap(nullptr, sizeof(bell), PROT_READ | PROT_WRITE, MAP_SHARED, bell_file_, 0);
  if (at == MAP_FAILED) fail_to_share(sizeof(bell));
  bell_ = new (at) bell;
  order_.recorder = ::getpid();
  // Process limits also apply to the recorder, which maps the shared memory of every followed
  // process.
  if (is_limited(RLIMIT_AS, RLIM_INFINITY) ||
      is_limited(RLIMIT_FSIZE, shared_size(order_.capacity)))
    order_.capacity = small_capacity;
}
session::~session() {
  ::close(listening_);
  ::close(bell_file_);
  ::munmap(bell_, sizeof(bell));
  for (const auto& c : channels_) c->kill();
  for (const int alive : running_) {
    if (!complete_) kill_process(alive);
    ::close(alive);
  }
  if (program_ > 0 && !status_ && !complete_) {
    ::kill(program_, SIGKILL);
    ::waitpid(program_, nullptr, 0);
  }
}

pid_t session::start(const std::vector<std::string>& command) {
  std::array<int, 2> failure{};
  if (::pipe2(failure.data(), O_CLOEXEC) != 0)
    fail(errno == EMFILE ? "a pipe (ulimit -n)" : "a pipe");
  // Restore the default, because waitpid() cannot return the exit status if SIGCHLD is ignored. The
  // program itself inherits the original setting.
  const auto at_child_end = std::signal(SIGCHLD, SIG_DFL);
  program_ = ::fork();
  if (program_ == 0) {
    std::signal(SIGCHLD, at_child_end);
    ::personality(ADDR_NO_RANDOMIZE);
    // Set the parent-death signal. It ends the program if the recorder ends before the recording is
    // finished.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
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
  // A process that begins or ends does not ring the bell. Therefore wait only for a short time.
  constexpr timespec moment{0, 5'000'000};
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
      if (ended < 0 && errno == ECHILD) throw std::runtime_error("the program has disappeared");
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
  // Any process can connect, so use the process id that the kernel provides. Drop a process that
  // does not send anything for a second.
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
    const std::size_t shared = shared_size(order_.capacity);
    const int file = make_shared_file(shared);
    void* const at = ::mmap(nullptr, shared, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED) fail_to_share(shared);
    c->memory = static_cast<std::byte*>(at);
    c->size = shared;
    c->process.code = {c->memory + arena_offset(order_.capacity), order_.capacity.arena};
    c->taken.resize(order_.capacity.threads);
    c->from = order_.from;
    // If a channel for this process exists, the process has called exec to run another program.
    for (const auto& other : channels_)
      if (other->process.id == c->process.id && !other->ended) {
        other->process.becomes = true;
        end(*other, to);
        c->from = reached(*other);
        c->delivered = other->delivered;
      }
    new (&c->shared().order) qemu::order(order_);
    c->shared().order.from = c->from;
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
  const std::size_t lanes = std::min<std::size_t>(s.lanes_used, order_.capacity.threads);
  for (std::size_t n = 0; n != lanes; ++n) some |= take(c, n, to);
  if (s.request.state == trigger_request::pending) {
    serve_request(c, to);
    some = true;
  }
  if (s.finished != 0 && !c.ended) {
    end(c, to);
    keep(c);
    goes_on_ |= c.process.id == program_;
  }
  return some;
}

void session::serve_request(channel& c, const consumer& to) {
  trigger_request& q = c.shared().request;
  const std::uint64_t base = read_once(q.base);
  if (c.base.value_or(base) != base) refuse_overwritten("a request");
  c.base = base;
  q.found = to.find_triggers(c.process, read_once(q.ip), base);
  q.state = trigger_request::served;
  ::syscall(SYS_futex, &q.state, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
}

void session::keep(channel& c) {
  std::atomic<std::uint32_t>& released = c.shared().released;
  released = ~std::uint32_t{0};
  // Remove the descriptors of processes that have ended in the meantime.
  std::erase_if(running_, [](int alive) {
    pollfd one{alive, POLLIN, 0};
    const bool ended = ::poll(&one, 1, 0) == 1;
    if (ended) ::close(alive);
    return ended;
  });
  running_.push_back(std::exchange(c.alive, -1));
}

bool session::take(channel& c, std::size_t n, const consumer& to) {
  lane& l = c.shared().lanes[n];
  std::uint32_t& taken = c.taken[n];
  const std::uint32_t filled = l.filled.load(std::memory_order_acquire);
  if (taken == filled) return false;
  if (filled - taken > chunks) refuse_overwritten("the number of chunks");
  // A thread hands over its records before it creates a thread, which usually gets a higher lane.
  // Therefore take the records of the lower lanes first. (If the new thread reuses a lower lane,
  // its records may precede the records of the thread that created it.)
  if (taken == 0)
    for (std::size_t other = 0; other != n; ++other) take(c, other, to);
  while (taken != filled) {
    const std::size_t records = read_once(l.records_in[taken % chunks]);
    if (records > chunk_size / order_.record_size) refuse_overwritten("the size of a chunk");
    deliver(c, read_once(l.threads[taken % chunks]), c.memory + chunk_offset(n, taken), records,
            to);
    l.taken.store(++taken, std::memory_order_release);
    ::syscall(SYS_futex, &l.taken, FUTEX_WAKE, INT_MAX, nullptr, nullptr, 0);
  }
  return true;
}

void session::deliver(channel& c, std::uint32_t thread, const std::byte* from, std::size_t records,
                      const consumer& to) {
  records = std::min<std::uint64_t>(records, order_.region.count - c.delivered);
  if (records == 0) return;
  const std::size_t size = records * order_.record_size;
  std::memcpy(copy_.data(), from, size);
  c.delivered += records;
  to.records(c.process, thread, {copy_.data(), size});
}

// Returns the progress that the process reports. Limits the values to the possible range, because
// the program can overwrite them.
progress session::reached(const channel& c) {
  const progress& now = c.shared().now;
  progress p{read_once(now.position), read_once(now.recorded), read_once(now.waits) != 0 ? 1U : 0U};
  p.position = std::max(p.position, c.from.position);
  p.recorded =
      std::clamp(p.recorded, c.from.recorded, c.from.recorded + (p.position - c.from.position));
  return p;
}

void session::end(channel& c, const consumer& to) {
  if (c.ended) return;
  const std::uint32_t too_many = c.shared().too_many_threads;
  if (too_many > 1) refuse_overwritten("a flag");
  if (too_many != 0)
    throw std::runtime_error(
        "the program has more than " + std::to_string(order_.capacity.threads) +
        " threads at once" +
        (order_.capacity.threads < most_threads ? ", the most with ulimit -v or ulimit -f" : ""));
  for (std::size_t n = 0; n != order_.capacity.threads; ++n) end_lane(c, n, to);
  c.process.lost = std::min(c.process.lost, c.delivered);
  c.process.children = c.shared().children;
  made_ += c.process.children;
  last_end_ = std::chrono::steady_clock::now();
  const progress now = reached(c);
  c.process.skipped = now.position - now.recorded - (c.from.position - c.from.recorded);
  to.ends(c.process);
  c.ended = true;
}

void session::end_lane(channel& c, std::size_t n, const consumer& to) {
  lane& l = c.shared().lanes[n];
  const auto at = reinterpret_cast<std::uintptr_t>(read_once(l.at));
  if (at == 0) return;
  for (std::size_t i = 0; i != chunks && take(c, n, to); ++i) continue;
  c.process.lost += read_once(l.lost);
  const auto begin = reinterpret_cast<std::uintptr_t>(read_once(l.begin));
  if (begin == 0) return;
  const std::uint32_t chunk = c.taken[n];
  const bool recorded = read_once(l.records) != 0;
  const auto base = reinterpret_cast<std::uintptr_t>(read_once(c.shared().base));
  if (begin != base + (recorded ? chunk_offset(n, chunk) : scratch_offset(n))) return;
  const std::size_t size = order_.record_size;
  const std::uintptr_t used = at + size - begin;
  const std::uintptr_t available = reinterpret_cast<std::uintptr_t>(read_once(l.end)) - begin;
  if (available > chunk_size || used > available) return;
  progress& reached = c.shared().now;
  std::size_t records = used / size;
  if (read_once(l.counted) != 0) reached.position -= available / size - records;
  if (!recorded) return;
  reached.recorded -= available / size - records;
  // A process ends either in a system call, or when a signal kills it partway through an
  // instruction. An interrupted instruction was not executed, so remove its record.
  const facts* const last = last_of(c.shared(), order_.capacity, l, size);
  if (records != 0 && (last == nullptr || (read_once(last->flags) & calling) == 0)) {
    --records;
    if (last != nullptr && read_once(last->lost) != 0 && c.process.lost != 0) --c.process.lost;
  }
  deliver(c, read_once(l.threads[chunk % chunks]), c.memory + chunk_offset(n, chunk), records, to);
}

}  // namespace record::qemu
