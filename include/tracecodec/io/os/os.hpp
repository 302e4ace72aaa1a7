// The operating system's files, by descriptor. All of the library that knows a system is in this
// header's own includes: os_posix.hpp, os_windows.hpp, and what they share, os_file.hpp.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "os_file.hpp"
#ifdef _WIN32
#include "os_windows.hpp"
#else
#include "os_posix.hpp"
#endif

namespace tracecodec::io::os {

// What `path` leads to, symbolic links followed; a dangling link is missing.
TRACECODEC_FUNC facts facts_of(const std::string& path);
TRACECODEC_FUNC facts facts_of(const descriptor& file, const std::string& name);
// facts_of(path), but what cannot be looked at is missing.
TRACECODEC_FUNC facts facts_if_any(const std::string& path);

// `flags` as for open(2); bytes are not changed, and other processes do not inherit it.
TRACECODEC_FUNC descriptor open(const std::string& path, int flags);

TRACECODEC_FUNC descriptor standard_input();
TRACECODEC_FUNC descriptor standard_output();

// Fills `out` from the file's position up to the end or an error. Returns how many bytes; `error`
// becomes errno, 0 without an error.
TRACECODEC_FUNC std::size_t read_full(const descriptor& file, std::span<std::byte> out, int& error);

TRACECODEC_FUNC void write_all(const descriptor& file, std::span<const std::byte> bytes,
                               const std::string& name);

// Replaces the bytes at `offset`, which the file has; its position stays.
TRACECODEC_FUNC void write_at(const descriptor& file, std::uint64_t offset,
                              std::span<const std::byte> bytes, const std::string& name);

// Bytes from the file's start to its position.
TRACECODEC_FUNC std::uint64_t position(const descriptor& file);

// To `offset`, which the file has.
TRACECODEC_FUNC void seek(const descriptor& file, std::uint64_t offset, const std::string& name);

// Whether the user may write to the existing file `path`.
TRACECODEC_FUNC void require_writable(const std::string& path, const std::string& name);

// The file's bytes reach the disk. File systems and devices that cannot promise it are no error.
TRACECODEC_FUNC void sync(const descriptor& file, const std::string& name);

// Gives `from` the name `to` in one step, whatever had it before.
TRACECODEC_FUNC void rename(const std::string& from, const std::string& to,
                            const std::string& name);

// The names in `folder` reach the disk. Errors are ignored: the file is whole under its name by
// then, and a folder one may write to but not read cannot be opened for this.
TRACECODEC_FUNC void sync_folder(const std::string& folder);

TRACECODEC_FUNC void remove(const std::string& path) noexcept;

// Removes a file, or a folder and all that is in it; what cannot be removed stays.
TRACECODEC_FUNC void remove_all(const std::string& path) noexcept;

// Gives what create_unnamed() has made a name that is free. False leaves errno.
TRACECODEC_FUNC bool give_name(const descriptor& file, const std::string& path);

TRACECODEC_FUNC unsigned process_id() noexcept;

namespace detail {
// Whether `path`, a file or a folder of this user, was held by a process that is gone, `process` as
// it seems. It stays so while `lock` is open.
TRACECODEC_FUNC bool is_abandoned(const std::string& path, unsigned process, descriptor& lock);
}  // namespace detail

// Calls remove() if `path`, a file or a folder of this user, was held by a process that is gone,
// `process` as it seems.
template <class Remove>
void if_abandoned(const std::string& path, unsigned process, Remove remove) {
  // The lock stays until it is removed, lest its maker should take it before.
  descriptor lock;
  if (detail::is_abandoned(path, process, lock)) remove();
}

// From now on a page that is gone (SIGBUS) from what `find` finds is replaced by zeros, and all
// behind it; `find` is called by a signal handler. The first call in a process counts. Throws
// trace_error(system) if the system takes no handler. On Windows a mapped file cannot become
// shorter, and nothing is done.
TRACECODEC_FUNC void on_missing_page(find_mapped find);

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
TRACECODEC_FUNC temporary create_unnamed(const std::string& folder, const facts& replaced);

// A new file; its path begins with `prefix`, which tells the process_id(). `replaced` as above.
TRACECODEC_FUNC temporary create_temporary(const std::string& prefix, const facts& replaced,
                                           const std::string& name);

// A new folder, whose path begins with `prefix`, as above.
TRACECODEC_FUNC temporary create_held_folder(const std::string& prefix, const std::string& name);

// Gives a file of create_unnamed() a name that begins with `prefix`, as above, and returns it.
TRACECODEC_FUNC std::string give_temporary_name(const descriptor& held, const std::string& prefix,
                                                const std::string& name);

// Where the user wants what vanishes; "." if that is no folder.
TRACECODEC_FUNC std::string temporary_folder();

// A new file in `folder` for this user alone, open for reading and writing, that vanishes when it
// is closed or the process ends.
TRACECODEC_FUNC descriptor create_vanishing(const std::string& folder, const std::string& name);

// A new file under a name of its own, open for writing.
TRACECODEC_FUNC descriptor create(const std::string& path, const std::string& name);

}  // namespace tracecodec::io::os

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/os.ipp"
#endif
