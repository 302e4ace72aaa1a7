// The operating system's files, by descriptor: all of the library's platform code (POSIX) is here.
// Errors are trace_error(system) with the text of errno and the name the user knows the file by.
#pragma once
#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <string>
#include <system_error>
#include <utility>

#include "error.hpp"

namespace tracecodec::io::os {

[[noreturn]] inline void fail(const std::string& name, int error) {
  std::string text = std::generic_category().message(error);
  if (error == EISDIR) text = "is a directory, expected a file";
  if (error == EOVERFLOW && sizeof(off_t) < 8)
    text = "over 2 GiB: a 32-bit program reads it if built with -D_FILE_OFFSET_BITS=64";
  throw trace_error(trace_errc::system, {.file = name}, text);
}

// Owns a file descriptor, except the borrowed ones of the standard streams. Closes it, unchecked.
class descriptor {
 public:
  descriptor() = default;
  explicit descriptor(int fd, bool owned = true) : fd_(fd), owned_(owned) {}
  descriptor(descriptor&& other) noexcept
      : fd_(std::exchange(other.fd_, -1)), owned_(other.owned_) {}
  descriptor& operator=(descriptor&& other) noexcept {
    std::swap(fd_, other.fd_);
    std::swap(owned_, other.owned_);
    return *this;
  }
  ~descriptor() { close(); }

  [[nodiscard]] int get() const { return fd_; }
  explicit operator bool() const { return fd_ >= 0; }

  // Closes now; returns errno, 0 for success. A full disk may show only here (NFS, quotas).
  int close() noexcept {
    const int fd = std::exchange(fd_, -1);
    return fd >= 0 && owned_ && ::close(fd) != 0 && errno != EINTR ? errno : 0;
  }

 private:
  int fd_ = -1;
  bool owned_ = true;
};

// Runs f, and closes the file if that fails: after an error nothing more is written, as the file
// would have a hole.
template <class F> void or_close(descriptor& file, F f) {
  try {
    f();
  } catch (...) {
    file.close();
    throw;
  }
}

enum class kind : std::uint8_t { missing, regular, directory, other };

struct facts {
  kind what = kind::missing;
  std::uint64_t size = 0;               // bytes, of a regular file
  unsigned permissions = 0;             // rwxrwxrwx
  std::uint64_t device = 0, inode = 0;  // together the file's identity
  std::int64_t modified = 0;            // when its content last changed: nanoseconds since 1970
};

namespace detail {

inline facts facts_of(const struct stat& s) {
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

// Waits for a descriptor that another process made non-blocking: terminals are shared that way.
inline void wait_for(int fd, short events) {
  pollfd p{fd, events, 0};
  ::poll(&p, 1, -1);
}

// Calls `transfer` again while it is interrupted or would block. Returns bytes; -1 leaves errno.
template <class Transfer> ssize_t retry(int fd, short events, Transfer transfer) {
  for (;;) {
    const ssize_t n = transfer();
    if (n >= 0 || (errno != EINTR && errno != EAGAIN && errno != EWOULDBLOCK)) return n;
    if (errno != EINTR) wait_for(fd, events);
  }
}

inline constexpr std::size_t largest_transfer = std::size_t{1} << 30;  // POSIX: at most SSIZE_MAX

}  // namespace detail

// What `path` leads to, symbolic links followed; a dangling link is missing.
inline facts facts_of(const std::string& path) {
  struct stat s {};
  if (::stat(path.c_str(), &s) == 0) return detail::facts_of(s);
  if (errno != ENOENT) fail(path, errno);
  return {};
}

inline facts facts_of(const descriptor& file, const std::string& name) {
  struct stat s {};
  if (::fstat(file.get(), &s) != 0) fail(name, errno);
  return detail::facts_of(s);
}

// `flags` as for open(2); O_CLOEXEC is added.
inline descriptor open(const std::string& path, int flags) {
  int fd = -1;
  do {
    fd = ::open(path.c_str(), flags | O_CLOEXEC);
  } while (fd < 0 && errno == EINTR);
  if (fd < 0) fail(path, errno);
  return descriptor(fd);
}

inline descriptor standard_input() { return descriptor(STDIN_FILENO, false); }
inline descriptor standard_output() { return descriptor(STDOUT_FILENO, false); }

// Fills `out` from the file's position up to the end or an error. Returns how many bytes; `error`
// becomes errno, 0 without an error.
inline std::size_t read_full(const descriptor& file, std::span<std::byte> out, int& error) {
  std::size_t done = 0;
  error = 0;
  while (done < out.size()) {
    const std::size_t n = std::min(out.size() - done, detail::largest_transfer);
    const ssize_t got =
        detail::retry(file.get(), POLLIN, [&] { return ::read(file.get(), out.data() + done, n); });
    if (got < 0) error = errno;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

inline void write_all(const descriptor& file, std::span<const std::byte> bytes,
                      const std::string& name) {
  while (!bytes.empty()) {
    const std::size_t n = std::min(bytes.size(), detail::largest_transfer);
    const ssize_t put =
        detail::retry(file.get(), POLLOUT, [&] { return ::write(file.get(), bytes.data(), n); });
    if (put < 0) fail(name, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

// Replaces the bytes at `offset`, which the file has; its position stays.
inline void write_at(const descriptor& file, std::uint64_t offset, std::span<const std::byte> bytes,
                     const std::string& name) {
  while (!bytes.empty()) {
    const ssize_t put = detail::retry(file.get(), POLLOUT, [&] {
      return ::pwrite(file.get(), bytes.data(), bytes.size(), static_cast<off_t>(offset));
    });
    if (put < 0) fail(name, errno);
    offset += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

// Bytes from the file's start to its position.
inline std::uint64_t position(const descriptor& file) {
  const off_t at = ::lseek(file.get(), 0, SEEK_CUR);
  return at > 0 ? static_cast<std::uint64_t>(at) : 0;
}

inline void seek_to_start(const descriptor& file, const std::string& name) {
  if (::lseek(file.get(), 0, SEEK_SET) != 0) fail(name, errno);
}

namespace detail {

// A name in `folder` that nobody can foresee.
inline std::string temporary_path(const std::string& folder) {
  std::random_device random;
  std::array<char, 32> leaf{};
  std::snprintf(leaf.data(), leaf.size(), ".tracecodec-%08x%08x", random(), random());
  return folder + '/' + leaf.data();
}

}  // namespace detail

// A new file, open for writing, in `folder`, under a name nobody can foresee; `path` receives it.
// `replaced`: its permissions are taken over, or those of the umask if it is missing.
inline descriptor create_temporary(const std::string& folder, const facts& replaced,
                                   std::string& path, const std::string& name) {
  const bool replaces = replaced.what == kind::regular;
  const auto mode = static_cast<mode_t>(replaces ? replaced.permissions : 0666U);
  for (int attempt = 0; attempt < 100; ++attempt) {
    path = detail::temporary_path(folder);
    descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode));
    // The umask may have taken permissions that the replaced file has. A file system without
    // permissions is no reason to give up.
    if (file && replaces) static_cast<void>(::fchmod(file.get(), mode) == 0);
    if (file) return file;
    if (errno != EEXIST && errno != EINTR) break;
  }
  fail(name, errno);
}

// A new file under a name of its own, open for writing.
inline descriptor create(const std::string& path, const std::string& name) {
  descriptor file(::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file) fail(name, errno);
  return file;
}

// The permissions of `path`. A file system without them is no reason to give up.
inline void set_permissions(const std::string& path, unsigned permissions) noexcept {
  static_cast<void>(::chmod(path.c_str(), static_cast<mode_t>(permissions)) == 0);
}

// A new folder in `folder`, under such a name, which is returned.
inline std::string create_temporary_folder(const std::string& folder, const std::string& name) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string path = detail::temporary_path(folder);
    if (::mkdir(path.c_str(), 0777) == 0) return path;
    if (errno != EEXIST) break;
  }
  fail(name, errno);
}

// Whether the user may write to the existing file `path`.
inline void require_writable(const std::string& path, const std::string& name) {
  if (::access(path.c_str(), W_OK) != 0) fail(name, errno);
}

// The file's bytes reach the disk. File systems and devices that cannot promise it say EINVAL.
inline void sync(const descriptor& file, const std::string& name) {
  if (::fsync(file.get()) != 0 && errno != EINVAL && errno != ENOTSUP) fail(name, errno);
}

// Gives `from` the name `to` in one step, whatever had it before.
inline void rename(const std::string& from, const std::string& to, const std::string& name) {
  if (::rename(from.c_str(), to.c_str()) != 0) fail(name, errno);
}

// The names in `folder` reach the disk. Errors are ignored: the file is whole under its name by
// then, and a folder one may write to but not read cannot be opened for this.
inline void sync_folder(const std::string& folder) {
  const descriptor file(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (file) static_cast<void>(::fsync(file.get()) == 0);
}

inline void remove(const std::string& path) noexcept { ::unlink(path.c_str()); }

}  // namespace tracecodec::io::os
