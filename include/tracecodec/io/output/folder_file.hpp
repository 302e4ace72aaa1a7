// A file of a folder that is being written: large writes, and patches of what was written lately
// without a system call.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "../../config.hpp"
#include "../os/os.hpp"
#include "sink.hpp"
#include "size_limit.hpp"

namespace tracecodec::io {

// Memory: `window` bytes, or the longest piece that append() was asked for. After an error it can
// only be destroyed.
class folder_file final : public sink {
 public:
  static constexpr std::size_t usual_window = std::size_t{64} << 10;

  // `name` is what errors call the file; `limit`, if there is one, outlives it.
  folder_file(os::descriptor file, std::string name, std::size_t window = usual_window,
              size_limit* limit = nullptr);

  // Bytes so far.
  [[nodiscard]] std::uint64_t size() const noexcept { return flushed_ + used_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  // `n` bytes more, for the caller to fill before anything else is called. Throws
  // trace_error(system) if what came before cannot be written.
  [[nodiscard, gnu::always_inline]] std::byte* append(std::size_t n) {
    if (n > capacity_ - used_) [[unlikely]]
      make_room(n);
    return buffer_.get() + std::exchange(used_, used_ + n);
  }
  void write(std::span<const std::byte> bytes) override {
    if (bytes.size() > capacity_) return write_through(bytes);
    if (!bytes.empty()) std::memcpy(append(bytes.size()), bytes.data(), bytes.size());
  }

  [[nodiscard]] bool patchable() const override { return true; }
  TRACECODEC_FUNC void patch(std::uint64_t offset, std::span<const std::byte> bytes) override;

  // Everything reaches the operating system, so that the file can be read under its name.
  void flush();
  // Everything reaches the disk, and the file is closed.
  TRACECODEC_FUNC void finish() override;
  // Only the file is closed: for what is read again and removed.
  void finish_unsynced();

 private:
  [[gnu::cold]] void make_room(std::size_t n);
  void write_through(std::span<const std::byte> bytes);
  void write_at_end(std::span<const std::byte> bytes);
  void allocate(std::size_t n);

  os::descriptor file_;
  std::string name_;
  size_limit* limit_;
  std::unique_ptr<std::byte[]> buffer_ = {};
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
  std::uint64_t flushed_ = 0;
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/folder_file.ipp"
#endif
