// Files as sinks: one that appears under its name only when it is whole, and standard output.
#pragma once
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "cut_files.hpp"
#include "error.hpp"
#include "filesystem.hpp"
#include "os.hpp"
#include "sink.hpp"
#include "temporary.hpp"

namespace tracecodec::io {

namespace detail {

// Collects small writes; large ones pass by the buffer.
class file_writer {
 public:
  file_writer(os::descriptor file, std::string name)
      : file_(std::move(file)), name_(std::move(name)) {
    buffer_.reserve(capacity);
  }

  void write(std::span<const std::byte> bytes) {
    usable();
    if (buffer_.size() + bytes.size() > capacity) flush();
    if (bytes.size() >= capacity) {
      os::or_close(file_, [&] { os::write_all(file_, bytes, name_); });
    } else {
      buffer_.insert(buffer_.end(), bytes.begin(), bytes.end());
    }
  }

  void flush() {
    usable();
    os::or_close(file_, [&] { os::write_all(file_, buffer_, name_); });
    buffer_.clear();
  }

  void patch(std::uint64_t offset, std::span<const std::byte> bytes) {
    flush();
    os::or_close(file_, [&] { os::write_at(file_, offset, bytes, name_); });
  }

  // Flushes, and syncs if wanted; then the descriptor is closed and the writer is of no more use.
  void close(bool sync) {
    flush();
    if (sync) os::or_close(file_, [&] { os::sync(file_, name_); });
    if (const int error = file_.close()) os::fail(name_, error);
  }

  // Flushes, and gives the file away: open, its position at the end.
  [[nodiscard]] os::descriptor release() {
    flush();
    return std::move(file_);
  }

  // Closes the file as it is: one that is open cannot be removed everywhere.
  void abandon() noexcept { file_.close(); }

  [[nodiscard]] const std::string& name() const { return name_; }

 private:
  static constexpr std::size_t capacity = std::size_t{64} << 10;

  void usable() const {
    if (!file_) {
      throw trace_error(trace_errc::refused, {.file = name_}, "already finished or failed");
    }
  }

  os::descriptor file_;
  std::string name_;
  std::vector<std::byte> buffer_;
};

// Where the symbolic links of `path`'s last component lead, also if nothing is there yet.
inline std::filesystem::path behind_links(std::filesystem::path path, const std::string& name) {
  std::error_code error;
  for (int hops = 0; std::filesystem::is_symlink(std::filesystem::symlink_status(path, error));) {
    if (++hops > 40) os::fail(name, ELOOP);
    path = path.parent_path() / std::filesystem::read_symlink(path, error);
    if (error) os::fail(name, error.value());
  }
  return path;
}

}  // namespace detail

// Writes to a temporary file in the same folder, which has no name where the system has such files
// (O_TMPFILE): it vanishes with the process. finish() brings it to the disk and gives it its name, replacing the file that had it and keeping that file's permissions. A symbolic link is
// kept: the file it leads to is replaced. What is there but no regular file (/dev/null, a fifo) is
// written to directly. Errors name the final file, never the temporary one.
class atomic_file final : public sink {
 public:
  // Throws trace_error(system): a directory, a missing folder, not permitted; also if the file that
  // would be replaced is one the user may not write to.
  explicit atomic_file(const std::string& path) : writer_(open(path), path) {}

  ~atomic_file() override { writer_.abandon(); }

  void write(std::span<const std::byte> bytes) override { writer_.write(bytes); }

  [[nodiscard]] bool patchable() const override { return temporary_.has_value(); }
  void patch(std::uint64_t offset, std::span<const std::byte> bytes) override {
    if (!patchable()) return sink::patch(offset, bytes);
    writer_.patch(offset, bytes);
  }

  // Brings it to the disk, so that finish() has only the name left to give: for several files that
  // appear together. Nothing is written after it. Throws trace_error(system).
  void prepare() {
    writer_.close(temporary_.has_value());
    prepared_ = true;
  }

  // Removes the file that would be replaced: for one of several that belong together, so that none
  // is taken for the others'. Does nothing for what is written to directly.
  void withdraw() noexcept {
    if (!temporary_) return;
    os::remove(name_of(target_));
    os::sync_folder(detail::folder_of(target_));
  }

  // Throws also if a file that the process has mapped has become shorter: what was made of it is
  // not whole.
  void finish() override {
    if (!prepared_) prepare();
    prepared_ = false;
    if (!temporary_) return;
    check_mapped_files();
    temporary_->appear(writer_.name());
    temporary_.reset();
    os::sync_folder(detail::folder_of(target_));
  }

 private:
  os::descriptor open(const std::string& path) {
    const os::facts there = os::facts_of(path);
    if (there.what == os::kind::directory) os::fail(path, EISDIR);
    if (there.what == os::kind::other) return os::open(path, O_WRONLY);
    target_ = detail::behind_links(path_of(path), path);
    if (!target_.has_filename()) os::fail(path, ENOENT);
    if (there.what == os::kind::regular) os::require_writable(path, path);
    return temporary_.emplace(target_, there, path).take();
  }

  // The two stand before writer_, whose initialiser sets them.
  std::filesystem::path target_;
  std::optional<detail::temporary_file> temporary_ = {};  // none: written to directly, or named
  bool prepared_ = false;
  detail::file_writer writer_;
};

// Standard output, named "<stdout>" in errors.
class stdout_sink final : public sink {
 public:
  stdout_sink() : writer_(os::standard_output(), "<stdout>") {}
  void write(std::span<const std::byte> bytes) override { writer_.write(bytes); }
  // Throws also if a file that the process has mapped has become shorter, as atomic_file.
  void finish() override {
    writer_.close(false);
    check_mapped_files();
  }

 private:
  detail::file_writer writer_;
};

}  // namespace tracecodec::io
