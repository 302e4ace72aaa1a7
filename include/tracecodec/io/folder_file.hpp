// A file of a folder that is being written: large writes, and patches of what was written lately
// without a system call.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "os.hpp"
#include "sink.hpp"

namespace tracecodec::io {

// Memory: `window` bytes, or the longest piece that append() was asked for. After an error it can
// only be destroyed.
class folder_file final : public sink {
 public:
  static constexpr std::size_t usual_window = std::size_t{64} << 10;

  // `name` is what errors call the file.
  folder_file(os::descriptor file, std::string name, std::size_t window = usual_window)
      : file_(std::move(file)), name_(std::move(name)), buffer_(window) {}

  // Bytes so far.
  [[nodiscard]] std::uint64_t size() const noexcept { return flushed_ + used_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  // `n` bytes more, for the caller to fill before anything else is called. Throws
  // trace_error(system) if what came before cannot be written.
  [[nodiscard, gnu::always_inline]] std::byte* append(std::size_t n) {
    if (n > buffer_.size() - used_) [[unlikely]]
      make_room(n);
    return buffer_.data() + std::exchange(used_, used_ + n);
  }
  void write(std::span<const std::byte> bytes) override {
    if (bytes.size() <= buffer_.size()) {
      if (!bytes.empty()) std::memcpy(append(bytes.size()), bytes.data(), bytes.size());
      return;
    }
    flush();
    os::or_close(file_, [&] { os::write_all(file_, bytes, name_); });
    flushed_ += bytes.size();
  }

  [[nodiscard]] bool patchable() const override { return true; }
  void patch(std::uint64_t offset, std::span<const std::byte> bytes) override {
    if (offset < flushed_) {
      const std::uint64_t below = std::min<std::uint64_t>(bytes.size(), flushed_ - offset);
      const auto gone = bytes.first(static_cast<std::size_t>(below));
      os::or_close(file_, [&] { os::write_at(file_, offset, gone, name_); });
      offset += below;
      bytes = bytes.subspan(gone.size());
    }
    if (!bytes.empty())
      std::memcpy(buffer_.data() + (offset - flushed_), bytes.data(), bytes.size());
  }

  // Everything reaches the operating system, so that the file can be read under its name.
  void flush() {
    os::or_close(file_, [&] { os::write_all(file_, std::span(buffer_).first(used_), name_); });
    flushed_ += std::exchange(used_, 0);
  }
  // Everything reaches the disk, and the file is closed.
  void finish() override {
    flush();
    os::or_close(file_, [&] { os::sync(file_, name_); });
    if (const int error = file_.close()) os::fail(name_, error);
  }

 private:
  [[gnu::cold]] void make_room(std::size_t n) {
    flush();
    if (n > buffer_.size()) buffer_.resize(n);
  }

  os::descriptor file_;
  std::string name_;
  std::vector<std::byte> buffer_;
  std::size_t used_ = 0;
  std::uint64_t flushed_ = 0;
};

}  // namespace tracecodec::io
