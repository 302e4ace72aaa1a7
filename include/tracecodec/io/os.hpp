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

// A name in `folder` that nobody can foresee.
inline std::string temporary_path(const std::string& folder) {
  std::random_device random;
  std::array<char, 32> leaf{};
  std::snprintf(leaf.data(), leaf.size(), ".tracecodec-%08x%08x", random(), random());
  return folder + '/' + leaf.data();
}

// A path in `folder` with which make(path) succeeded: it returns -1 and leaves errno if not.
template <class Make>
std::string make_temporary(const std::string& folder, const std::string& name, Make make) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string path = temporary_path(folder);
    if (make(path) >= 0) return path;
    if (errno != EEXIST && errno != EINTR) break;
  }
  fail(name, errno);
}

}  // namespace detail

// A new file, open for writing, in `folder`, under a name nobody can foresee; `path` receives it.
// `replaced`: its permissions are taken over, or those of the umask if it is missing.
inline descriptor create_temporary(const std::string& folder, const facts& replaced,
                                   std::string& path, const std::string& name) {
  const bool replaces = replaced.what == kind::regular;
  int fd = -1;
  path = detail::make_temporary(folder, name, [&](const std::string& p) {
    return fd = detail::create_file(p, replaces ? replaced.permissions : 0666U, replaces);
  });
  return descriptor(fd);
}

// A new file in `folder` for this user alone, open for reading and writing, that vanishes when it
// is closed or the process ends.
inline descriptor create_vanishing(const std::string& folder, const std::string& name) {
  int fd = -1;
  detail::make_temporary(
      folder, name, [&](const std::string& p) { return fd = detail::create_vanishing_file(p); });
  return descriptor(fd);
}

// A new file under a name of its own, open for writing.
inline descriptor create(const std::string& path, const std::string& name) {
  descriptor file(detail::create_file(path, 0666U, false));
  if (!file) fail(name, errno);
  return file;
}

// A new folder in `folder`, under such a name, which is returned.
inline std::string create_temporary_folder(const std::string& folder, const std::string& name) {
  return detail::make_temporary(folder, name, detail::create_folder);
}

}  // namespace tracecodec::io::os
