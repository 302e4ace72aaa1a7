// Sinks that write a file or standard output. A file appears under its name only once it is
// complete.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "../../config.hpp"
#include "../os/os.hpp"
#include "engine/temporary.hpp"
#include "sink.hpp"

namespace tracecodec::io {

namespace detail {

// Buffered file writer. Small writes are collected, and large writes bypass the buffer.
class file_writer {
 public:
  file_writer(os::descriptor file, std::string name);

  void write(std::span<const std::byte> bytes);
  void flush();
  void patch(std::uint64_t offset, std::span<const std::byte> bytes);

  // Flushes, syncs if `sync` is true, and closes the descriptor. The writer cannot be used
  // afterwards.
  void close(bool sync);

  // Flushes, and returns the open file with its position at the end. The writer cannot be used
  // afterwards.
  [[nodiscard]] os::descriptor release();

  // Closes the file without flushing, because some systems cannot remove an open file.
  void abandon() noexcept { file_.close(); }

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  static constexpr std::size_t capacity = std::size_t{64} << 10;

  void usable() const;

  os::descriptor file_;
  std::string name_;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t used_ = 0;  // number of bytes used in buffer_
};

}  // namespace detail

// Sink that writes to a temporary file in the folder of the target. If the system supports unnamed
// files (O_TMPFILE), the temporary file has no name, so it vanishes when the process ends. finish()
// syncs the file to disk and moves it to its final name. A file that replaces an existing file has
// the same permissions. If the target is a symbolic link, finish() replaces the file to which the
// link points.
//
// An existing target that is not a regular file (/dev/null, a FIFO) is written directly. Error
// messages contain the name of the final file, not of the temporary file.
class atomic_file final : public sink {
 public:
  // Creates the temporary file for the target `path`. Throws trace_error(system) if `path` is a
  // directory, if its folder is missing, or if the user lacks permission to create or overwrite the
  // file.
  explicit atomic_file(const std::string& path);

  TRACECODEC_FUNC ~atomic_file() override;

  TRACECODEC_FUNC void write(std::span<const std::byte> bytes) override;

  [[nodiscard]] TRACECODEC_FUNC bool patchable() const override;
  TRACECODEC_FUNC void patch(std::uint64_t offset, std::span<const std::byte> bytes) override;

  // Syncs the file to disk, so that finish() only has to rename the file. If several files must
  // appear together, call prepare() for each file before the first finish(). Nothing can be written
  // afterwards. Throws trace_error(system).
  void prepare();

  // Removes the existing file that would be replaced. Call this function for files that belong
  // together, so that no old file is mistaken for a file of the new set. Does nothing if the target
  // is written directly.
  void withdraw() noexcept;

  // Moves the file to its final name. Also throws trace_error(system) if a file that the process
  // has mapped has become shorter, because the output may then be incomplete.
  TRACECODEC_FUNC void finish() override;

 private:
  os::descriptor open(const std::string& path);

  // target_ and temporary_ must precede writer_, whose initialiser sets them.
  std::string target_;
  // Empty if the target is written directly, or if the file already has its final name.
  std::optional<detail::temporary_file> temporary_ = {};
  bool prepared_ = false;
  detail::file_writer writer_;
};

// Sink that writes to standard output, which is named "<stdout>" in error messages.
class stdout_sink final : public sink {
 public:
  stdout_sink();
  TRACECODEC_FUNC void write(std::span<const std::byte> bytes) override;
  // Flushes the output. Also throws trace_error(system) if a file that the process has mapped
  // has become shorter.
  TRACECODEC_FUNC void finish() override;

 private:
  detail::file_writer writer_;
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/atomic_file.ipp"
#endif
