// Files as sources: a path or standard input, read in chunks of the caller's size.
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

// read() throws trace_error(system) if the operating system does, or if the file ends before it
// did when it was opened.
class file_source final : public source {
 public:
  // Opens `path`; a fifo waits for its writer. Throws trace_error(system): missing, a directory,
  // not permitted.
  explicit file_source(const std::string& path);

  // Standard input, named "<stdin>". Throws trace_error(system) if it is closed or a directory.
  static std::unique_ptr<file_source> standard_input();

  TRACECODEC_FUNC std::size_t read(std::span<std::byte> out) override;

  // In a regular file, up to the size that it has now and had when it was opened.
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n) override;
  std::uint64_t entry_before(std::uint64_t offset) override { return regular() ? offset : 0; }
  [[nodiscard]] std::optional<std::uint64_t> seekable() const override { return size(); }
  TRACECODEC_FUNC void seek(std::uint64_t offset) override;

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool regular() const { return facts_.what == os::kind::regular; }
  // Bytes read or skipped so far.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  // Bytes in all, when opened; nothing for a pipe or a device.
  [[nodiscard]] std::optional<std::uint64_t> size() const {
    return regular() ? std::optional(facts_.size) : std::nullopt;
  }

  // The same now: the file may have grown. Throws trace_error(system).
  [[nodiscard]] std::optional<std::uint64_t> size_now() const;

  // Whether the other one is the same file, whatever their names are.
  [[nodiscard]] bool is(const file_source& other) const {
    return facts_.device == other.facts_.device && facts_.inode == other.facts_.inode;
  }

  // The same file from its first byte, even if its name now belongs to another one; this source is
  // left without a file. Throws trace_error(system) if the file cannot seek.
  std::unique_ptr<file_source> restart();

 private:
  file_source(os::descriptor file, std::string name);

  os::descriptor file_;
  std::string name_;
  os::facts facts_;
  std::uint64_t start_ = 0;  // position in the file when it was opened
  std::uint64_t offset_ = 0;
  int error_ = 0;  // errno that waits for a read() with nothing to deliver
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/file.ipp"
#endif
