// Sources that read a file or standard input, in chunks of a size that the caller chooses.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "../../config.hpp"
#include "../os/os.hpp"
#include "source.hpp"

namespace tracecodec::io {

// Source that reads a file. read() throws trace_error(system) if the operating system reports an
// error, or if the file has become shorter since it was opened.
class file_source final : public source {
 public:
  // Opens `path`. If `path` is a FIFO, waits until another process opens the FIFO for writing.
  // Throws trace_error(system) if `path` is missing, is a directory or cannot be opened.
  explicit file_source(const std::string& path);

  // Opens standard input, named "<stdin>". Throws trace_error(system) if standard input is closed
  // or is a directory.
  static std::unique_ptr<file_source> standard_input();

  TRACECODEC_FUNC std::size_t read(std::span<std::byte> out) override;

  // Skips only in a regular file. Stops at the file's current size or at its size when it was
  // opened, whichever is smaller.
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n) override;
  std::uint64_t entry_before(std::uint64_t offset) override { return regular() ? offset : 0; }
  [[nodiscard]] std::optional<std::uint64_t> seekable() const override { return size(); }
  TRACECODEC_FUNC void seek(std::uint64_t offset) override;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool regular() const { return facts_.what == os::kind::regular; }
  // Returns the number of bytes read or skipped so far.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  // Returns the size in bytes when the file was opened, or nullopt for a pipe or a device.
  [[nodiscard]] std::optional<std::uint64_t> size() const {
    return regular() ? std::optional(facts_.size) : std::nullopt;
  }

  // Returns the current size in bytes, or nullopt for a pipe or a device. Throws
  // trace_error(system).
  [[nodiscard]] std::optional<std::uint64_t> size_now() const;

  // Returns true if `other` reads the same file, even under another name.
  [[nodiscard]] bool is(const file_source& other) const {
    return facts_.device == other.facts_.device && facts_.inode == other.facts_.inode;
  }

  // Returns a new source that reads this file from the first byte, even if its name now refers to
  // another file. The new source takes over the open file, so this source can no longer be used.
  // Throws trace_error(system) if the file cannot seek.
  std::unique_ptr<file_source> restart();

 private:
  file_source(os::descriptor file, std::string name);

  os::descriptor file_;
  std::string name_;
  os::facts facts_;
  std::uint64_t start_ = 0;  // position in the file when it was opened
  std::uint64_t offset_ = 0;
  int error_ = 0;  // pending errno, thrown by the next read() that delivers no bytes
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/file.ipp"
#endif
