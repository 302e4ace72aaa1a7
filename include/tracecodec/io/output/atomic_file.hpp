// Files as sinks: one that appears under its name only when it is whole, and standard output.
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

// Collects small writes; large ones pass by the buffer.
class file_writer {
 public:
  file_writer(os::descriptor file, std::string name);

  void write(std::span<const std::byte> bytes);
  void flush();
  void patch(std::uint64_t offset, std::span<const std::byte> bytes);

  // Flushes, and syncs if wanted; then the descriptor is closed and the writer is of no more use.
  void close(bool sync);

  // Flushes, and gives the file away: open, its position at the end.
  [[nodiscard]] os::descriptor release();

  // Closes the file as it is: one that is open cannot be removed everywhere.
  void abandon() noexcept { file_.close(); }

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  static constexpr std::size_t capacity = std::size_t{64} << 10;

  void usable() const;

  os::descriptor file_;
  std::string name_;
  std::unique_ptr<std::byte[]> buffer_;
  std::size_t used_ = 0;  // bytes of it
};

}  // namespace detail

// Writes to a temporary file in the same folder, which has no name where the system has such files
// (O_TMPFILE): it vanishes with the process. finish() brings it to the disk and gives it its
// name, replacing the file that had it and keeping that file's permissions. A symbolic link is kept:
// the file it leads to is replaced. What is there but no regular file (/dev/null, a fifo) is written
// to directly. Errors name the final file, never the temporary one.
class atomic_file final : public sink {
 public:
  // Throws trace_error(system): a directory, a missing folder, not permitted; also if the file that
  // would be replaced is one the user may not write to.
  explicit atomic_file(const std::string& path);

  TRACECODEC_FUNC ~atomic_file() override;

  TRACECODEC_FUNC void write(std::span<const std::byte> bytes) override;

  [[nodiscard]] TRACECODEC_FUNC bool patchable() const override;
  TRACECODEC_FUNC void patch(std::uint64_t offset, std::span<const std::byte> bytes) override;

  // Brings it to the disk, so that finish() has only the name left to give: for several files that
  // appear together. Nothing is written after it. Throws trace_error(system).
  void prepare();

  // Removes the file that would be replaced: for one of several that belong together, so that none
  // is taken for the others'. Does nothing for what is written to directly.
  void withdraw() noexcept;

  // Throws also if a file that the process has mapped has become shorter: what was made of it is
  // not whole.
  TRACECODEC_FUNC void finish() override;

 private:
  os::descriptor open(const std::string& path);

  // The two stand before writer_, whose initialiser sets them.
  std::string target_;
  std::optional<detail::temporary_file> temporary_ = {};  // none: written to directly, or named
  bool prepared_ = false;
  detail::file_writer writer_;
};

// Standard output, named "<stdout>" in errors.
class stdout_sink final : public sink {
 public:
  stdout_sink();
  TRACECODEC_FUNC void write(std::span<const std::byte> bytes) override;
  // Throws also if a file that the process has mapped has become shorter, as atomic_file.
  TRACECODEC_FUNC void finish() override;

 private:
  detail::file_writer writer_;
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/atomic_file.ipp"
#endif
