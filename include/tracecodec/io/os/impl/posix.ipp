#pragma once
#include "../os.hpp"

#include <fcntl.h>
#include <poll.h>
#include <sys/file.h>
#include <sys/mman.h>
#if __has_include(<sys/random.h>)
#include <sys/random.h>  // declares getentropy() if unistd.h does not
#endif
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "os_primitives.hpp"
#include "spin_lock.hpp"

namespace tracecodec::io::os {

namespace detail {

TRACECODEC_FUNC facts facts_of(const struct stat& s) {
  const kind what = S_ISREG(s.st_mode)   ? kind::regular
                    : S_ISDIR(s.st_mode) ? kind::directory
                                         : kind::other;
#ifdef __APPLE__
  const timespec& t = s.st_mtimespec;
#else
  const timespec& t = s.st_mtim;
#endif
  return {what,
          what == kind::regular ? static_cast<std::uint64_t>(s.st_size) : 0,
          static_cast<unsigned>(s.st_mode) & 0777U,
          static_cast<std::uint64_t>(s.st_dev),
          static_cast<std::uint64_t>(s.st_ino),
          std::int64_t{t.tv_sec} * 1'000'000'000 + t.tv_nsec};
}

// Returns the path in /proc through which Linux provides access to the open file `fd`.
TRACECODEC_FUNC std::string descriptor_path(int fd) {
  return "/proc/self/fd/" + std::to_string(fd);
}

// Waits until `fd` is ready. Waiting is necessary because another process can make a shared
// descriptor, such as a terminal, non-blocking.
TRACECODEC_FUNC void wait_for(int fd, short events) {
  pollfd p{fd, events, 0};
  ::poll(&p, 1, -1);
}

// Calls `transfer` again if it would have blocked, or if a signal that does not end the program has
// interrupted it. Returns the number of bytes, or -1 with errno set.
template <class Transfer> ssize_t retry(int fd, short events, Transfer transfer) {
  for (;;) {
    if (interrupted()) {
      errno = EINTR;
      return -1;
    }
    const ssize_t n = transfer();
    if (n >= 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) return n;
    if (errno != EINTR) wait_for(fd, events);
  }
}

// Maximum number of bytes for each call. POSIX allows up to SSIZE_MAX.
inline constexpr std::size_t largest_transfer = std::size_t{1} << 30;

TRACECODEC_FUNC std::int64_t read_some(int fd, std::byte* to, std::size_t n) {
  return retry(fd, POLLIN, [=] { return ::read(fd, to, std::min(n, largest_transfer)); });
}
TRACECODEC_FUNC std::int64_t write_some(int fd, const std::byte* from, std::size_t n) {
  return retry(fd, POLLOUT, [=] { return ::write(fd, from, std::min(n, largest_transfer)); });
}
TRACECODEC_FUNC std::int64_t write_some_at(int fd, std::uint64_t offset, const std::byte* from,
                                           std::size_t n) {
  return retry(fd, POLLOUT, [=] {
    return ::pwrite(fd, from, std::min(n, largest_transfer), static_cast<off_t>(offset));
  });
}

TRACECODEC_FUNC int create_file(const std::string& path, unsigned permissions, bool exactly) {
  const auto mode = static_cast<mode_t>(permissions);
  const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (fd >= 0 && exactly) static_cast<void>(::fchmod(fd, mode) == 0);
  return fd;
}

TRACECODEC_FUNC int create_unnamed_file([[maybe_unused]] const std::string& folder,
                                        [[maybe_unused]] unsigned permissions,
                                        [[maybe_unused]] bool exactly) {
#ifdef O_TMPFILE
  const auto mode = static_cast<mode_t>(permissions);
  const int fd = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  if (fd >= 0 && ::access(descriptor_path(fd).c_str(), F_OK) == 0) {
    if (exactly) static_cast<void>(::fchmod(fd, mode) == 0);
    return fd;
  }
  // Without /proc, the file cannot be named later, so close it.
  if (fd >= 0) ::close(fd);
#endif
  return -1;
}

// Returns true if `path` is the file or the folder that is open as `fd`.
TRACECODEC_FUNC bool is_at(int fd, const std::string& path) noexcept {
  struct stat open {
  }, there{};
  return ::fstat(fd, &open) == 0 && ::lstat(path.c_str(), &there) == 0 &&
         open.st_dev == there.st_dev && open.st_ino == there.st_ino;
}

TRACECODEC_FUNC bool hold(int fd, const std::string& path, descriptor& held) {
  const bool locked = ::flock(fd, LOCK_EX | LOCK_NB) == 0;
  if (locked ? !path.empty() && !is_at(fd, path) : errno == EWOULDBLOCK) {
    errno = EEXIST;
    return false;
  }
  held = descriptor(::fcntl(fd, F_DUPFD_CLOEXEC, 0));
  return static_cast<bool>(held);
}
TRACECODEC_FUNC bool hold_folder(const std::string& path, descriptor& held) {
  const descriptor folder(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (folder) return hold(folder.get(), path, held) || errno != EEXIST;
  if (errno != ENOENT) return true;
  errno = EEXIST;
  return false;
}

TRACECODEC_FUNC int create_vanishing_file(const std::string& path) {
  const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
  if (fd >= 0) ::unlink(path.c_str());
  return fd;
}

TRACECODEC_FUNC int create_folder(const std::string& path) { return ::mkdir(path.c_str(), 0777); }

TRACECODEC_FUNC bool is_abandoned(const std::string& path, unsigned /*process*/, descriptor& lock) {
  lock = descriptor(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
  struct stat s {};
  if (!lock || ::fstat(lock.get(), &s) != 0 || s.st_uid != ::geteuid()) return false;
  if (!S_ISREG(s.st_mode) && !S_ISDIR(s.st_mode)) return false;
  return ::flock(lock.get(), LOCK_EX | LOCK_NB) == 0 && is_at(lock.get(), path);
}

TRACECODEC_FUNC std::uint64_t random_number(const std::string& name) {
  std::uint64_t random = 0;
  if (::getentropy(&random, sizeof random) != 0) fail(name, errno);
  return random;
}

}  // namespace detail

TRACECODEC_FUNC facts facts_of(const std::string& path) {
  struct stat s {};
  if (::stat(path.c_str(), &s) == 0) return detail::facts_of(s);
  if (errno != ENOENT) fail(path, errno);
  return {};
}

TRACECODEC_FUNC facts facts_of(const descriptor& file, const std::string& name) {
  struct stat s {};
  if (::fstat(file.get(), &s) != 0) fail(name, errno);
  return detail::facts_of(s);
}

TRACECODEC_FUNC descriptor open(const std::string& path, int flags) {
  int fd = -1;
  do {
    if (interrupted()) fail(path, EINTR);
    fd = ::open(path.c_str(), flags | O_CLOEXEC);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) fail(path, errno);
  return descriptor(fd);
}

TRACECODEC_FUNC descriptor standard_input() { return descriptor(STDIN_FILENO, false); }
TRACECODEC_FUNC descriptor standard_output() { return descriptor(STDOUT_FILENO, false); }

TRACECODEC_FUNC descriptor duplicate(int fd, const std::string& name) {
  const int other = ::fcntl(fd, F_DUPFD_CLOEXEC, 0);
  if (other < 0) fail(name, errno);
  return descriptor(other);
}

TRACECODEC_FUNC std::uint64_t position(const descriptor& file) {
  const off_t at = ::lseek(file.get(), 0, SEEK_CUR);
  return at > 0 ? static_cast<std::uint64_t>(at) : 0;
}

TRACECODEC_FUNC void seek(const descriptor& file, std::uint64_t offset, const std::string& name) {
  if (::lseek(file.get(), static_cast<off_t>(offset), SEEK_SET) < 0) fail(name, errno);
}

TRACECODEC_FUNC void require_writable(const std::string& path, const std::string& name) {
  if (::access(path.c_str(), W_OK) != 0) fail(name, errno);
}

// Syncs the file. Ignores EINVAL and ENOTSUP, which mean that the file system or the device cannot
// sync.
TRACECODEC_FUNC void sync(const descriptor& file, const std::string& name) {
  if (::fsync(file.get()) != 0 && errno != EINVAL && errno != ENOTSUP) fail(name, errno);
}

TRACECODEC_FUNC void rename(const std::string& from, const std::string& to,
                            const std::string& name) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail(name, errno);
}

TRACECODEC_FUNC void sync_folder(const std::string& folder) {
  const descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file) static_cast<void>(::fsync(file.get()) == 0);
}

TRACECODEC_FUNC void remove(const std::string& path) noexcept { ::unlink(path.c_str()); }

TRACECODEC_FUNC bool give_name(const descriptor& file, const std::string& path) {
  return ::linkat(AT_FDCWD, detail::descriptor_path(file.get()).c_str(), AT_FDCWD, path.c_str(),
                  AT_SYMLINK_FOLLOW) == 0;
}

TRACECODEC_FUNC unsigned process_id() noexcept { return static_cast<unsigned>(::getpid()); }

namespace detail {

// bus_action_lock serialises calls to on_missing_page(). former_bus_action is set once, before the
// handler is installed.
inline constinit io::detail::spin_lock bus_action_lock = {};
inline constinit struct sigaction former_bus_action {};

// Replaces the page that contains `at`, and all later pages of `all`, with zeros. Returns true
// on success.
TRACECODEC_FUNC bool fill_up(std::span<const std::byte> all, const std::byte* at) noexcept {
  const auto page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  const std::size_t before = static_cast<std::size_t>(at - all.data()) / page * page;
  // The cast is valid because the library owns the mapping.
  void* const from = const_cast<std::byte*>(all.data() + before);
  return ::mmap(from, all.size() - before, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1,
                0) == from;
}

TRACECODEC_FUNC void on_bus_error(int signal, siginfo_t* info, void* context) {
  const int error = errno;
  const auto* const at = static_cast<const std::byte*>(info->si_addr);
  if (info->si_code == BUS_ADRERR)
    if (const auto all = mapped_at(at); !all.empty() && fill_up(all, at)) {
      errno = error;
      return;
    }
  // The signal has another cause, so behave as if this handler did not exist.
  const struct sigaction& former = former_bus_action;
  const bool sent = info->si_code <= 0;  // sent by a process, not caused by a memory access
  if ((former.sa_flags & SA_SIGINFO) != 0) return former.sa_sigaction(signal, info, context);
  if (former.sa_handler == SIG_IGN && sent) return;
  if (former.sa_handler != SIG_DFL && former.sa_handler != SIG_IGN)
    return former.sa_handler(signal);
  // When this handler returns, the access is repeated. The repeated access ends the process with a
  // signal that contains the address of the access.
  ::sigaction(signal, &former, nullptr);
  if (sent) ::raise(signal);  // delivered when this handler returns
}

}  // namespace detail

TRACECODEC_FUNC void on_missing_page(find_mapped find) {
  const io::detail::spin_guard guard(detail::bus_action_lock);
  if (detail::mapped_at != nullptr) return;
  struct sigaction action {};
  action.sa_sigaction = detail::on_bus_error;
  action.sa_flags = SA_SIGINFO | SA_RESTART | SA_ONSTACK;
  sigemptyset(&action.sa_mask);
  // Store the former handler first, because a signal may arrive as soon as the new handler is
  // installed.
  if (::sigaction(SIGBUS, nullptr, &detail::former_bus_action) != 0) fail("SIGBUS", errno);
  detail::mapped_at = find;
  if (::sigaction(SIGBUS, &action, nullptr) == 0) return;
  detail::mapped_at = nullptr;
  fail("SIGBUS", errno);
}

}  // namespace tracecodec::io::os
