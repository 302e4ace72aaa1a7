// The operating system's files, by descriptor. All of the library that knows a system is in this
// header's own includes: os_posix.hpp, os_windows.hpp, and what they share, os_file.hpp.
#pragma once
#ifdef _WIN32
#include "os_windows.hpp"
#else
#include "os_posix.hpp"
#endif

#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <string>

namespace tracecodec::io::os {

// Fills `out` from the file's position up to the end or an error. Returns how many bytes; `error`
// becomes errno, 0 without an error.
inline std::size_t read_full(const descriptor& file, std::span<std::byte> out, int& error) {
  std::size_t done = 0;
  error = 0;
  while (done < out.size()) {
    const std::int64_t got = detail::read_some(file.get(), out.data() + done, out.size() - done);
    if (got < 0) error = errno;
    if (got <= 0) break;
    done += static_cast<std::size_t>(got);
  }
  return done;
}

inline void write_all(const descriptor& file, std::span<const std::byte> bytes,
                      const std::string& name) {
  while (!bytes.empty()) {
    const std::int64_t put = detail::write_some(file.get(), bytes.data(), bytes.size());
    if (put < 0) fail(name, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

// Replaces the bytes at `offset`, which the file has; its position stays.
inline void write_at(const descriptor& file, std::uint64_t offset, std::span<const std::byte> bytes,
                     const std::string& name) {
  while (!bytes.empty()) {
    const std::int64_t put = detail::write_some_at(file.get(), offset, bytes.data(), bytes.size());
    if (put < 0) fail(name, errno);
    offset += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

namespace detail {

// `prefix` and what nobody can foresee.
inline std::string temporary_path(const std::string& prefix) {
  std::random_device random;
  std::array<char, 32> end{};
  std::snprintf(end.data(), end.size(), "%08x%08x", random(), random());
  return prefix + end.data();
}

// Such a path with which make(path) succeeded: it returns false and leaves errno if not.
template <class Make>
std::string make_temporary(const std::string& prefix, const std::string& name, Make make) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string path = temporary_path(prefix);
    if (make(path)) return path;
    if (errno != EEXIST && errno != EINTR) break;
  }
  fail(name, errno);
}

inline constexpr unsigned usual_permissions = 0666;  // but for the umask

}  // namespace detail

// What a process makes, and has no name yet or a temporary one.
struct temporary {
  descriptor file = {};  // open for writing; not of a folder
  // While it is open, nobody takes the rest for what a process that is gone has left. (On Windows
  // its name tells that.)
  descriptor held = {};
  std::string path = {};  // empty: no name
};

// A new file without a name in `folder`; without a file where there are none. `replaced`: its
// permissions are taken over, or those of the umask if it is missing.
inline temporary create_unnamed(const std::string& folder, const facts& replaced) {
  const bool replaces = replaced.what == kind::regular;
  temporary made;
  made.file = descriptor(detail::create_unnamed_file(
      folder, replaces ? replaced.permissions : detail::usual_permissions, replaces));
  if (made.file && !detail::hold(made.file.get(), {}, made.held)) made.file.close();
  return made;
}

// A new file; its path begins with `prefix`, which tells the process_id(). `replaced` as above.
inline temporary create_temporary(const std::string& prefix, const facts& replaced,
                                  const std::string& name) {
  const bool replaces = replaced.what == kind::regular;
  temporary made;
  made.path = detail::make_temporary(prefix, name, [&](const std::string& p) {
    made.file = descriptor(detail::create_file(
        p, replaces ? replaced.permissions : detail::usual_permissions, replaces));
    if (!made.file) return false;
    if (detail::hold(made.file.get(), p, made.held)) return true;
    const int error = errno;
    made.file.close();
    if (error != EEXIST) os::remove(p);
    errno = error;
    return false;
  });
  return made;
}

// A new folder, whose path begins with `prefix`, as above.
inline temporary create_held_folder(const std::string& prefix, const std::string& name) {
  temporary made;
  made.path = detail::make_temporary(prefix, name, [&](const std::string& p) {
    return detail::create_folder(p) >= 0 && detail::hold_folder(p, made.held);
  });
  return made;
}

// Gives a file of create_unnamed() a name that begins with `prefix`, as above, and returns it.
inline std::string give_temporary_name(const descriptor& held, const std::string& prefix,
                                       const std::string& name) {
  return detail::make_temporary(prefix, name,
                                [&](const std::string& p) { return give_name(held, p); });
}

// A new file in `folder` for this user alone, open for reading and writing, that vanishes when it
// is closed or the process ends.
inline descriptor create_vanishing(const std::string& folder, const std::string& name) {
  int fd = -1;
  detail::make_temporary(folder + "/.tracecodec-", name, [&](const std::string& p) {
    return (fd = detail::create_vanishing_file(p)) >= 0;
  });
  return descriptor(fd);
}

// A new file under a name of its own, open for writing.
inline descriptor create(const std::string& path, const std::string& name) {
  descriptor file(detail::create_file(path, 0666U, false));
  if (!file) fail(name, errno);
  return file;
}

}  // namespace tracecodec::io::os
