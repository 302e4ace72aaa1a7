// What os.ipp takes of a system: os/posix.ipp and os/windows.ipp have it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>

#include "../os_file.hpp"

namespace tracecodec::io::os::detail {

// Each returns how many bytes, or -1 and leaves errno.
TRACECODEC_FUNC std::int64_t read_some(int fd, std::byte* to, std::size_t n);
TRACECODEC_FUNC std::int64_t write_some(int fd, const std::byte* from, std::size_t n);
TRACECODEC_FUNC std::int64_t write_some_at(int fd, std::uint64_t offset, const std::byte* from,
                                           std::size_t n);

// A new file, open for writing; -1 leaves errno. The umask may take permissions that were asked
// for: `exactly` gives them back. A file system without permissions is no reason to give up.
TRACECODEC_FUNC int create_file(const std::string& path, unsigned permissions, bool exactly);

// A new file without a name, open for writing, which give_name() can give one; -1 where the system
// or the file system has none.
TRACECODEC_FUNC int create_unnamed_file(const std::string& folder, unsigned permissions,
                                        bool exactly);

// Locks what the process has just made as `fd`, named `path` or unnamed: `held` says, as long as it
// is open, that its maker lives. Where there are no locks, nothing is ever taken for abandoned.
// False leaves errno, EEXIST if another process was quick to take it for that.
TRACECODEC_FUNC bool hold(int fd, const std::string& path, descriptor& held);
// The same of a new folder. One that nobody may open is held by that.
TRACECODEC_FUNC bool hold_folder(const std::string& path, descriptor& held);

// A new file for reading and writing, which has no name or vanishes when it is closed; -1 leaves
// errno.
TRACECODEC_FUNC int create_vanishing_file(const std::string& path);

// -1 leaves errno.
TRACECODEC_FUNC int create_folder(const std::string& path);

// What nobody can foresee. Throws trace_error(system), with `name`, if the system does not tell.
TRACECODEC_FUNC std::uint64_t unforeseeable(const std::string& name);

}  // namespace tracecodec::io::os::detail
