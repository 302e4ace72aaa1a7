// System calls that os.ipp needs, implemented in os/impl/posix.ipp and os/impl/windows.ipp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "../os_file.hpp"

namespace tracecodec::io::os::detail {

// Functions that read or write up to `n` bytes. They return the number of bytes, or -1 with errno
// set.
TRACECODEC_FUNC std::int64_t read_some(int fd, std::byte* to, std::size_t n);
TRACECODEC_FUNC std::int64_t write_some(int fd, const std::byte* from, std::size_t n);
TRACECODEC_FUNC std::int64_t write_some_at(int fd, std::uint64_t offset, const std::byte* from,
                                           std::size_t n);

// Creates a file, open for writing. Returns -1 with errno set on an error. The umask may clear some
// of `permissions`. If `exactly` is true, the function then sets exactly `permissions`. Does not
// fail if the file system does not support permissions.
TRACECODEC_FUNC int create_file(const std::string& path, unsigned permissions, bool exactly);

// Creates a file without a name, open for writing. give_name() can give it a name later. Returns -1
// if the system or the file system does not support unnamed files.
TRACECODEC_FUNC int create_unnamed_file(const std::string& folder, unsigned permissions,
                                        bool exactly);

// Locks the new file `fd`, which the process has just created. `path` is empty if the file has no
// name. While `held` is open, other processes treat the file as in use. If locks are not supported,
// no file is ever treated as abandoned. Returns false with errno set on an error. EEXIST means that
// another process treated the file as abandoned before it was locked.
TRACECODEC_FUNC bool hold(int fd, const std::string& path, descriptor& held);
// Locks a new folder like hold(). A folder that cannot be opened needs no lock, because no
// other process can open it either.
TRACECODEC_FUNC bool hold_folder(const std::string& path, descriptor& held);

// Creates a file for reading and writing that has no name or vanishes when it is closed. Returns -1
// with errno set on an error.
TRACECODEC_FUNC int create_vanishing_file(const std::string& path);

// Creates a folder. Returns -1 with errno set on an error.
TRACECODEC_FUNC int create_folder(const std::string& path);

// Returns an unpredictable number. Throws trace_error(system), with `name`, if the system
// cannot provide such a number.
TRACECODEC_FUNC std::uint64_t random_number(const std::string& name);

}  // namespace tracecodec::io::os::detail
