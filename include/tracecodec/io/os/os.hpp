// Functions of the operating system for files, based on descriptors. All system-specific code of
// the library is in the files that this header includes: os_posix.hpp, os_windows.hpp, and their
// common part os_file.hpp.
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

// Returns the properties of the file to which `path` refers, following symbolic links. A dangling
// link is reported as missing.
TRACECODEC_FUNC facts facts_of(const std::string& path);
TRACECODEC_FUNC facts facts_of(const descriptor& file, const std::string& name);
// Returns facts_of(path), or kind::missing if the path cannot be examined.
TRACECODEC_FUNC facts facts_if_any(const std::string& path);

// Opens `path` with the flags of open(2), and never translates line endings. Child processes do not
// inherit the descriptor.
TRACECODEC_FUNC descriptor open(const std::string& path, int flags);

TRACECODEC_FUNC descriptor standard_input();
TRACECODEC_FUNC descriptor standard_output();

// Fills `out` from the file's position on, up to the end or an error. Returns the number of
// bytes. Sets `error` to errno, or to 0 if there was no error.
TRACECODEC_FUNC std::size_t read_full(const descriptor& file, std::span<std::byte> out, int& error);

TRACECODEC_FUNC void write_all(const descriptor& file, std::span<const std::byte> bytes,
                               const std::string& name);

// Overwrites existing bytes at `offset`. The file's position does not change.
TRACECODEC_FUNC void write_at(const descriptor& file, std::uint64_t offset,
                              std::span<const std::byte> bytes, const std::string& name);

// Returns the number of bytes from the file's start to its position.
TRACECODEC_FUNC std::uint64_t position(const descriptor& file);

// Moves the position to `offset`, which must be inside the file or at its end.
TRACECODEC_FUNC void seek(const descriptor& file, std::uint64_t offset, const std::string& name);

// Throws if the user may not write to the existing file `path`.
TRACECODEC_FUNC void require_writable(const std::string& path, const std::string& name);

// Syncs the file's bytes to disk. Does nothing if the file system or device does not support
// syncing.
TRACECODEC_FUNC void sync(const descriptor& file, const std::string& name);

// Renames `from` to `to` in one step, and replaces an existing file of that name.
TRACECODEC_FUNC void rename(const std::string& from, const std::string& to,
                            const std::string& name);

// Syncs the names in `folder` to disk. Errors are ignored, because the file is already complete
// under its name. For example, a folder that is writable but not readable cannot be opened for
// syncing.
TRACECODEC_FUNC void sync_folder(const std::string& folder);

TRACECODEC_FUNC void remove(const std::string& path) noexcept;

// Removes a file, or a folder with all its contents. Errors are ignored.
TRACECODEC_FUNC void remove_all(const std::string& path) noexcept;

// Gives a file from create_unnamed() the name `path`, which must not exist yet. Returns false and
// sets errno on an error.
TRACECODEC_FUNC bool give_name(const descriptor& file, const std::string& path);

TRACECODEC_FUNC unsigned process_id() noexcept;

namespace detail {
// Returns true if the process that created `path` has ended. `path` is a file or a folder of this
// user. `process` is the id of that process, as stored in the name. The result is valid as long as
// `lock` is open.
TRACECODEC_FUNC bool is_abandoned(const std::string& path, unsigned process, descriptor& lock);
}  // namespace detail

// Calls remove() if the process that created `path` has ended. `path` is a file or a folder of this
// user. `process` is the id of that process, as stored in the name.
template <class Remove>
void if_abandoned(const std::string& path, unsigned process, Remove remove) {
  // Keep the lock until the file is removed, so that the process that created the file cannot lock
  // it in between.
  descriptor lock;
  if (detail::is_abandoned(path, process, lock)) remove();
}

// Installs a handler for SIGBUS. When an access hits a missing page, the handler calls `find` to
// get the mapped bytes that contain the address. The handler then replaces the missing page and all
// later pages of these bytes with zeros. Only the first call in a process has an effect. Throws
// trace_error(system) if the handler cannot be installed. On Windows, this function does nothing,
// because a mapped file cannot become shorter.
TRACECODEC_FUNC void on_missing_page(find_mapped find);

// Temporary file or folder of this process, with a temporary name or without a name.
struct temporary {
  descriptor file = {};  // open for writing; empty for a folder
  // Lock of the file or folder. While this descriptor is open, no other process treats the file or
  // folder as abandoned. Unused on Windows, because the name identifies the process.
  descriptor held = {};
  std::string path = {};  // empty if there is no name
};

// Creates a file without a name in `folder`. If the system does not support unnamed files, the
// result's `file` is empty. The new file has the permissions of `replaced`, or the default
// permissions if `replaced` is missing.
TRACECODEC_FUNC temporary create_unnamed(const std::string& folder, const facts& replaced);

// Creates a file with a path that begins with `prefix`, which must contain process_id(). The file
// has the permissions of `replaced`, or the default permissions if `replaced` is missing.
TRACECODEC_FUNC temporary create_temporary(const std::string& prefix, const facts& replaced,
                                           const std::string& name);

// Creates a folder with a path that begins with `prefix`, which must contain process_id().
TRACECODEC_FUNC temporary create_held_folder(const std::string& prefix, const std::string& name);

// Gives a temporary name to a file from create_unnamed(), and returns the name. The name begins
// with `prefix`, which must contain process_id().
TRACECODEC_FUNC std::string give_temporary_name(const descriptor& held, const std::string& prefix,
                                                const std::string& name);

// Returns the path of the user's folder for temporary files, or "." if that folder does not exist.
TRACECODEC_FUNC std::string temporary_folder();

// Creates a file in `folder` for this user only, open for reading and writing. The file
// vanishes when it is closed or the process ends.
TRACECODEC_FUNC descriptor create_vanishing(const std::string& folder, const std::string& name);

// Creates the file `path` and opens it for writing. The file must not exist.
TRACECODEC_FUNC descriptor create(const std::string& path, const std::string& name);

}  // namespace tracecodec::io::os

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/os.ipp"
#endif
