// System calls that os.ipp needs; os/impl/posix.ipp and os/impl/windows.ipp implement them.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "../os_file.hpp"

namespace tracecodec::io::os::detail {

// Read or write up to `n` bytes. Return the number of bytes, or -1 with errno set.
TRACECODEC_FUNC std::int64_t read_some(int fd, std::byte* to, std::size_t n);
TRACECODEC_FUNC std::int64_t write_some(int fd, const std::byte* from, std::size_t n);
TRACECODEC_FUNC std::int64_t write_some_at(int fd, std::uint64_t offset, const std::byte* from,
                                           std::size_t n);

// Creates a file, open for writing; returns -1 with errno set on an error. The umask may clear
// some of `permissions`; if `exactly` is true, they are set again. A file system without
// permissions is not an error.
TRACECODEC_FUNC int create_file(const std::string& path, unsigned permissions, bool exactly);

// Creates a file without a name, open for writing, which give_name() can name later. Returns
// -1 if the system or the file system does not support that.
TRACECODEC_FUNC int create_unnamed_file(const std::string& folder, unsigned permissions,
                                        bool exactly);

// Locks the file that the process has just created as `fd`, named `path` or unnamed. While
// `held` is open, other processes treat the file as in use. If locks are not supported, no file
// is ever treated as abandoned. Returns false with errno set on an error. EEXIST means that
// another process has treated the file as abandoned before it was locked.
TRACECODEC_FUNC bool hold(int fd, const std::string& path, descriptor& held);
// Locks a new folder like hold(). A folder that cannot be opened needs no lock, because no
// other process can open it either.
TRACECODEC_FUNC bool hold_folder(const std::string& path, descriptor& held);

// Creates a file for reading and writing that has no name or vanishes when it is closed;
// returns -1 with errno set on an error.
TRACECODEC_FUNC int create_vanishing_file(const std::string& path);

// Creates a folder; returns -1 with errno set on an error.
TRACECODEC_FUNC int create_folder(const std::string& path);

// Returns an unpredictable number. Throws trace_error(system), with `name`, if the system
// cannot provide such a number.
TRACECODEC_FUNC std::uint64_t unforeseeable(const std::string& name);

}  // namespace tracecodec::io::os::detail
