#pragma once
#include "../os.hpp"

#include <array>
#include <cerrno>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <span>
#include <string>
#include <system_error>

#include "../filesystem.hpp"
#include "os_primitives.hpp"

namespace tracecodec::io::os {

TRACECODEC_FUNC facts facts_if_any(const std::string& path) {
  try {
    return facts_of(path);
  } catch (const trace_error&) {
    return {};
  }
}

TRACECODEC_FUNC std::size_t read_full(const descriptor& file, std::span<std::byte> out,
                                      int& error) {
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

TRACECODEC_FUNC void write_all(const descriptor& file, std::span<const std::byte> bytes,
                               const std::string& name) {
  while (!bytes.empty()) {
    const std::int64_t put = detail::write_some(file.get(), bytes.data(), bytes.size());
    if (put < 0) fail(name, errno);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

TRACECODEC_FUNC void write_at(const descriptor& file, std::uint64_t offset,
                              std::span<const std::byte> bytes, const std::string& name) {
  while (!bytes.empty()) {
    const std::int64_t put = detail::write_some_at(file.get(), offset, bytes.data(), bytes.size());
    if (put < 0) fail(name, errno);
    offset += static_cast<std::uint64_t>(put);
    bytes = bytes.subspan(static_cast<std::size_t>(put));
  }
}

TRACECODEC_FUNC void remove_all(const std::string& path) noexcept {
  try {
    std::error_code ignored;
    std::filesystem::remove_all(path_of(path), ignored);
  } catch (const std::exception&) {
    // Memory is insufficient, so nothing is removed.
  }
}

namespace detail {

// Returns `prefix` followed by a random number.
TRACECODEC_FUNC std::string temporary_path(const std::string& prefix, const std::string& name) {
  const std::uint64_t random = random_number(name);
  std::array<char, 32> end{};
  std::snprintf(end.data(), end.size(), "%08x%08x", static_cast<unsigned>(random >> 32),
                static_cast<unsigned>(random & 0xFFFFFFFF));
  return prefix + end.data();
}

// Tries temporary paths until make(path) succeeds, and returns that path. On failure, make()
// returns false and sets errno.
template <class Make>
std::string make_temporary(const std::string& prefix, const std::string& name, Make make) {
  for (int attempt = 0; attempt < 100; ++attempt) {
    std::string path = temporary_path(prefix, name);
    if (make(path)) return path;
    if (errno != EEXIST && errno != EINTR) break;
  }
  fail(name, errno);
}

inline constexpr unsigned usual_permissions = 0666;  // reduced by the umask

}  // namespace detail

TRACECODEC_FUNC temporary create_unnamed(const std::string& folder, const facts& replaced) {
  const bool replaces = replaced.what == kind::regular;
  temporary made;
  made.file = descriptor(detail::create_unnamed_file(
      folder, replaces ? replaced.permissions : detail::usual_permissions, replaces));
  if (made.file && !detail::hold(made.file.get(), {}, made.held)) made.file.close();
  return made;
}

TRACECODEC_FUNC temporary create_temporary(const std::string& prefix, const facts& replaced,
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

TRACECODEC_FUNC temporary create_held_folder(const std::string& prefix, const std::string& name) {
  temporary made;
  made.path = detail::make_temporary(prefix, name, [&](const std::string& p) {
    return detail::create_folder(p) >= 0 && detail::hold_folder(p, made.held);
  });
  return made;
}

TRACECODEC_FUNC std::string give_temporary_name(const descriptor& held, const std::string& prefix,
                                                const std::string& name) {
  return detail::make_temporary(prefix, name,
                                [&](const std::string& p) { return give_name(held, p); });
}

TRACECODEC_FUNC std::string temporary_folder() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  return error ? "." : name_of(folder);
}

TRACECODEC_FUNC descriptor create_vanishing(const std::string& folder, const std::string& name) {
  int fd = -1;
  detail::make_temporary(folder + "/.tracecodec-", name, [&](const std::string& p) {
    return (fd = detail::create_vanishing_file(p)) >= 0;
  });
  return descriptor(fd);
}

TRACECODEC_FUNC descriptor create(const std::string& path, const std::string& name) {
  descriptor file(detail::create_file(path, 0666U, false));
  if (!file) fail(name, errno);
  return file;
}

}  // namespace tracecodec::io::os

#ifdef _WIN32
#include "windows.ipp"
#else
#include "posix.ipp"
#endif
