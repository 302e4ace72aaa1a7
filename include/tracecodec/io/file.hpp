// Files as sources: a path or standard input, read in chunks of the caller's size.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "error.hpp"
#include "os.hpp"
#include "source.hpp"

namespace tracecodec::io {

// read() throws trace_error(system) if the operating system does, or if the file ends before it
// did when it was opened.
class file_source final : public source {
 public:
  // Opens `path`; a fifo waits for its writer. Throws trace_error(system): missing, a directory,
  // not permitted.
  explicit file_source(const std::string& path) : file_source(os::open(path, O_RDONLY), path) {}

  // Standard input, named "<stdin>". Throws trace_error(system) if it is closed or a directory.
  static std::unique_ptr<file_source> standard_input() {
    return std::unique_ptr<file_source>(new file_source(os::standard_input(), "<stdin>"));
  }

  std::size_t read(std::span<std::byte> out) override {
    int error = std::exchange(error_, 0);
    const std::size_t n = error == 0 ? os::read_full(file_, out, error) : 0;
    if (error != 0 && n == 0) os::fail(name_, error);
    error_ = error;
    offset_ += n;
    if (n == 0 && !out.empty() && offset_ < facts_.size && *size_now() < facts_.size)
      throw trace_error(trace_errc::system, {.file = name_}, "became shorter while it was read");
    return n;
  }

  // In a regular file, up to the size that it has now and had when it was opened.
  std::uint64_t skip(std::uint64_t n) override {
    if (!regular() || error_ != 0) return 0;
    try {
      const std::uint64_t end = std::min(facts_.size, *size_now());
      n = end > offset_ ? std::min(n, end - offset_) : 0;
      if (n != 0) seek(offset_ + n);
      return n;
    } catch (const trace_error&) {
      return 0;  // reading on tells
    }
  }
  [[nodiscard]] std::optional<std::uint64_t> seekable() const override { return size(); }
  void seek(std::uint64_t offset) override {
    os::seek(file_, start_ + offset, name_);
    offset_ = offset;
    error_ = 0;
  }

  [[nodiscard]] const std::string& name() const { return name_; }
  [[nodiscard]] bool regular() const { return facts_.what == os::kind::regular; }
  // Bytes read or skipped so far.
  [[nodiscard]] std::uint64_t offset() const { return offset_; }
  // Bytes in all, when opened; nothing for a pipe or a device.
  [[nodiscard]] std::optional<std::uint64_t> size() const {
    return regular() ? std::optional(facts_.size) : std::nullopt;
  }

  // The same now: the file may have grown. Throws trace_error(system).
  [[nodiscard]] std::optional<std::uint64_t> size_now() const {
    if (!regular()) return std::nullopt;
    const std::uint64_t whole = os::facts_of(file_, name_).size;
    return whole - std::min(whole, start_);
  }

  // Whether the other one is the same file, whatever their names are.
  [[nodiscard]] bool is(const file_source& other) const {
    return facts_.device == other.facts_.device && facts_.inode == other.facts_.inode;
  }

  // The same file from its first byte, even if its name now belongs to another one; this source is
  // left without a file. Throws trace_error(system) if the file cannot seek.
  std::unique_ptr<file_source> restart() {
    os::seek(file_, 0, name_);
    return std::unique_ptr<file_source>(new file_source(std::move(file_), name_));
  }

 private:
  file_source(os::descriptor file, std::string name)
      : file_(std::move(file)), name_(std::move(name)), facts_(os::facts_of(file_, name_)) {
    if (facts_.what == os::kind::directory) os::fail(name_, EISDIR);
    // Standard input may have been read before it came to us.
    if (regular()) start_ = os::position(file_);
    facts_.size -= std::min(facts_.size, start_);
  }

  os::descriptor file_;
  std::string name_;
  os::facts facts_;
  std::uint64_t start_ = 0;  // position in the file when it was opened
  std::uint64_t offset_ = 0;
  int error_ = 0;  // errno that waits for a read() with nothing to deliver
};

}  // namespace tracecodec::io
