#pragma once
#include "../os.hpp"

#include <direct.h>
#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <wchar.h>

#include <algorithm>
#include <boost/winapi/access_rights.hpp>
#include <boost/winapi/character_code_conversion.hpp>
#include <boost/winapi/file_management.hpp>
#include <boost/winapi/get_current_process_id.hpp>
#include <boost/winapi/get_last_error.hpp>
#include <boost/winapi/handles.hpp>
#include <boost/winapi/process.hpp>
#include <cerrno>
#include <climits>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <random>
#include <span>
#include <string>

#include "os_primitives.hpp"

namespace tracecodec::io::os {

TRACECODEC_FUNC std::wstring native(const std::string& name) {
  namespace winapi = boost::winapi;
  // UTF-16 never needs more units than UTF-8 needs bytes.
  std::wstring wide(name.size(), L'\0');
  const auto size = static_cast<int>(std::min<std::size_t>(name.size(), INT_MAX));
  const int n =
      winapi::MultiByteToWideChar(winapi::CP_UTF8_, 0, name.data(), size, wide.data(), size);
  wide.resize(static_cast<std::size_t>(n));
  return wide;
}

namespace detail {

namespace winapi = boost::winapi;

// Returns the errno for the last error of a Windows function.
TRACECODEC_FUNC int last_error() noexcept {
  switch (winapi::GetLastError()) {
    case 2:    // file not found
    case 3:    // path not found
    case 53:   // network path
    case 123:  // invalid name
    case 161:  // bad path
      return ENOENT;
    case 5:   // access denied
    case 19:  // write protected
    case 32:  // sharing violation
    case 33:  // lock violation
      return EACCES;
    case 80:   // file exists
    case 183:  // already exists
      return EEXIST;
    case 112:  // disk full
      return ENOSPC;
    case 145:  // directory not empty
      return ENOTEMPTY;
    case 17:  // not the same device
      return EXDEV;
    case 206:  // name too long
      return ENAMETOOLONG;
    case 267:  // not a directory
      return ENOTDIR;
    default:
      return EIO;
  }
}

constexpr std::uint64_t wide(winapi::DWORD_ high, winapi::DWORD_ low) noexcept {
  return std::uint64_t{high} << 32 | low;
}

// Returns the properties of a file, or kind::other for a pipe or a console, which has no
// properties.
TRACECODEC_FUNC facts facts_of(winapi::HANDLE_ handle) noexcept {
  winapi::BY_HANDLE_FILE_INFORMATION_ all{};
  if (winapi::GetFileInformationByHandle(handle, &all) == 0) return {.what = kind::other};
  const bool folder = (all.dwFileAttributes & winapi::FILE_ATTRIBUTE_DIRECTORY_) != 0;
  const bool fixed = (all.dwFileAttributes & winapi::FILE_ATTRIBUTE_READONLY_) != 0;
  // Windows stores a time as the number of 100 ns units since 1601.
  const std::uint64_t ticks =
      wide(all.ftLastWriteTime.dwHighDateTime, all.ftLastWriteTime.dwLowDateTime);
  constexpr std::uint64_t to_1970 = 116'444'736'000'000'000;
  return {folder ? kind::directory : kind::regular,
          folder ? 0 : wide(all.nFileSizeHigh, all.nFileSizeLow),
          fixed ? 0444U : 0666U,
          all.dwVolumeSerialNumber,
          wide(all.nFileIndexHigh, all.nFileIndexLow),
          static_cast<std::int64_t>((ticks - to_1970) * 100)};
}

constexpr unsigned transfer_size(std::size_t n) noexcept {
  return static_cast<unsigned>(std::min<std::size_t>(n, std::size_t{1} << 30));
}

TRACECODEC_FUNC std::int64_t read_some(int fd, std::byte* to, std::size_t n) {
  return ::_read(fd, to, transfer_size(n));
}
TRACECODEC_FUNC std::int64_t write_some(int fd, const std::byte* from, std::size_t n) {
  return ::_write(fd, from, transfer_size(n));
}
// Writes at `offset`, and then restores the position.
TRACECODEC_FUNC std::int64_t write_some_at(int fd, std::uint64_t offset, const std::byte* from,
                                           std::size_t n) {
  const std::int64_t position = ::_lseeki64(fd, 0, SEEK_CUR);
  if (position < 0 || ::_lseeki64(fd, static_cast<std::int64_t>(offset), SEEK_SET) < 0) return -1;
  const std::int64_t put = write_some(fd, from, n);
  return ::_lseeki64(fd, position, SEEK_SET) < 0 ? -1 : put;
}

// Creates a file. Windows supports only the permission to write.
TRACECODEC_FUNC int create_file(const std::string& path, unsigned permissions, bool /*exactly*/) {
  return ::_wopen(native(path).c_str(), _O_WRONLY | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT,
                  (permissions & 0200U) != 0 ? _S_IREAD | _S_IWRITE : _S_IREAD);
}

// Always fails, because every file has a name on Windows.
TRACECODEC_FUNC int create_unnamed_file(const std::string& /*folder*/, unsigned /*permissions*/,
                                        bool /*exactly*/) {
  return -1;
}

// No-op, because is_abandoned() identifies the process by the process id in the temporary name.
TRACECODEC_FUNC bool hold(int /*fd*/, const std::string& /*path*/, descriptor& /*held*/) {
  return true;
}
TRACECODEC_FUNC bool hold_folder(const std::string& /*path*/, descriptor& /*held*/) { return true; }

TRACECODEC_FUNC int create_vanishing_file(const std::string& path) {
  return ::_wopen(native(path).c_str(),
                  _O_RDWR | _O_CREAT | _O_EXCL | _O_BINARY | _O_NOINHERIT | _O_TEMPORARY,
                  _S_IREAD | _S_IWRITE);
}

TRACECODEC_FUNC int create_folder(const std::string& path) {
  return ::_wmkdir(native(path).c_str());
}

TRACECODEC_FUNC bool is_abandoned(const std::string& /*path*/, unsigned process,
                                  descriptor& /*lock*/) {
  constexpr winapi::DWORD_ query = 0x1000, no_such_process = 87, still_active = 259;
  const winapi::HANDLE_ handle = winapi::OpenProcess(query, 0, process);
  if (handle == nullptr) return winapi::GetLastError() == no_such_process;
  winapi::DWORD_ status = still_active;
  const bool gone = winapi::GetExitCodeProcess(handle, &status) != 0 && status != still_active;
  winapi::CloseHandle(handle);
  return gone;
}

TRACECODEC_FUNC std::uint64_t random_number(const std::string& /*name*/) {
  std::random_device random;
  return std::uint64_t{random()} << 32 | random();
}

}  // namespace detail

TRACECODEC_FUNC facts facts_of(const std::string& path) {
  namespace winapi = boost::winapi;
  const winapi::HANDLE_ handle = winapi::CreateFileW(
      native(path).c_str(), 0,
      winapi::FILE_SHARE_READ_ | winapi::FILE_SHARE_WRITE_ | winapi::FILE_SHARE_DELETE_, nullptr,
      winapi::OPEN_EXISTING_, winapi::FILE_FLAG_BACKUP_SEMANTICS_, nullptr);
  if (handle == winapi::INVALID_HANDLE_VALUE_) {
    const int error = detail::last_error();
    if (error != ENOENT) fail(path, error);
    return {};
  }
  const facts all = detail::facts_of(handle);
  winapi::CloseHandle(handle);
  return all;
}

TRACECODEC_FUNC facts facts_of(const descriptor& file, const std::string& /*name*/) {
  // NOLINTNEXTLINE: a handle is a pointer
  return detail::facts_of(reinterpret_cast<boost::winapi::HANDLE_>(::_get_osfhandle(file.get())));
}

TRACECODEC_FUNC descriptor open(const std::string& path, int flags) {
  const int fd = ::_wopen(native(path).c_str(), flags | _O_BINARY | _O_NOINHERIT);
  if (fd >= 0) return descriptor(fd);
  // _wopen() sets EACCES for a folder.
  const int error = errno;
  fail(path, error == EACCES && facts_of(path).what == kind::directory ? EISDIR : error);
}

TRACECODEC_FUNC descriptor standard_input() {
  ::_setmode(0, _O_BINARY);
  return descriptor(0, false);
}
TRACECODEC_FUNC descriptor standard_output() {
  ::_setmode(1, _O_BINARY);
  return descriptor(1, false);
}

TRACECODEC_FUNC std::uint64_t position(const descriptor& file) {
  const std::int64_t at = ::_lseeki64(file.get(), 0, SEEK_CUR);
  return at > 0 ? static_cast<std::uint64_t>(at) : 0;
}

TRACECODEC_FUNC void seek(const descriptor& file, std::uint64_t offset, const std::string& name) {
  if (::_lseeki64(file.get(), static_cast<std::int64_t>(offset), SEEK_SET) < 0) fail(name, errno);
}

TRACECODEC_FUNC void require_writable(const std::string& path, const std::string& name) {
  if (::_waccess(native(path).c_str(), 2) != 0) fail(name, errno);
}

// Syncs the file. Ignores EINVAL and EBADF, which mean that the device cannot sync.
TRACECODEC_FUNC void sync(const descriptor& file, const std::string& name) {
  if (::_commit(file.get()) != 0 && errno != EINVAL && errno != EBADF) fail(name, errno);
}

// Renames in one step if `to` is a file or missing. An empty folder is removed first, and created
// again if renaming fails. An open or mapped file cannot be replaced.
TRACECODEC_FUNC void rename(const std::string& from, const std::string& to,
                            const std::string& name) {
  namespace winapi = boost::winapi;
  const std::wstring wide = native(to);
  const bool folder = facts_of(to).what == kind::directory;
  if (folder && ::_wrmdir(wide.c_str()) != 0) fail(name, errno);
  constexpr winapi::DWORD_ replace = 1, write_through = 8;
  if (winapi::MoveFileExW(native(from).c_str(), wide.c_str(), replace | write_through) != 0) return;
  const int error = detail::last_error();
  if (folder) ::_wmkdir(wide.c_str());
  fail(name, error);
}

// No-op, because rename() itself syncs the names in `folder`.
TRACECODEC_FUNC void sync_folder(const std::string& /*folder*/) {}

TRACECODEC_FUNC void remove(const std::string& path) noexcept { ::_wunlink(native(path).c_str()); }

// Always fails, because every file has a name on Windows.
TRACECODEC_FUNC bool give_name(const descriptor& /*file*/, const std::string& /*path*/) {
  errno = EINVAL;
  return false;
}

TRACECODEC_FUNC unsigned process_id() noexcept {
  return static_cast<unsigned>(boost::winapi::GetCurrentProcessId());
}

// No-op, because a mapped file cannot become shorter on Windows.
TRACECODEC_FUNC void on_missing_page(find_mapped /*find*/) {}

}  // namespace tracecodec::io::os
