// File of a folder that is being written. The file's buffer combines small writes into large
// writes, and allows recently written bytes to be patched without a system call.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "../os/os.hpp"
#include "sink.hpp"
#include "size_limit.hpp"

namespace tracecodec::io {

// File of an atomic_folder. The file uses `window` bytes of memory, or the size of the largest
// append() if that size is larger. After an error, the file can only be destroyed.
class folder_file final : public sink {
 public:
  static constexpr std::size_t usual_window = std::size_t{64} << 10;

  // Takes ownership of the open `file`. `name` appears in error messages. `limit` must outlive this
  // object unless it is null.
  folder_file(os::descriptor file, std::string name, std::size_t window = usual_window,
              size_limit* limit = nullptr);

  // Returns the number of bytes written so far.
  [[nodiscard]] std::uint64_t size() const noexcept { return flushed_ + used_; }
  [[nodiscard]] const std::string& name() const noexcept { return name_; }

  // Appends `n` bytes and returns a pointer to these bytes. The caller must fill the bytes before
  // any other call. Throws trace_error(system) if earlier bytes cannot be written.
  [[nodiscard, gnu::always_inline]] std::byte* append(std::size_t n) {
    if (n > capacity_ - used_) [[unlikely]]
      grow(n);
    return buffer_.get() + std::exchange(used_, used_ + n);
  }
  void write(std::span<const std::byte> bytes) override {
    if (bytes.size() > capacity_) return write_through(bytes);
    if (!bytes.empty()) std::memcpy(append(bytes.size()), bytes.data(), bytes.size());
  }

  [[nodiscard]] bool patchable() const override { return true; }
  inline void patch(std::uint64_t offset, std::span<const std::byte> bytes) override;

  // Passes all bytes to the operating system, so that the file can be read under its name.
  void flush();
  // Syncs all bytes to disk and closes the file.
  inline void finish() override;
  // Flushes and closes the file without syncing. Used for files that are only read back and then
  // removed.
  void finish_unsynced();

 private:
  [[gnu::cold]] void grow(std::size_t n);
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

inline folder_file::folder_file(os::descriptor file, std::string name, std::size_t window,
                                size_limit* limit)
    : file_(std::move(file)), name_(std::move(name)), limit_(limit) {
  allocate(window);
}

inline void folder_file::write_at_end(std::span<const std::byte> bytes) {
  if (limit_ != nullptr) limit_->take(bytes.size(), name_);
  os::or_close(file_, [&] { os::write_all(file_, bytes, name_); });
  flushed_ += bytes.size();
}

inline void folder_file::write_through(std::span<const std::byte> bytes) {
  flush();
  write_at_end(bytes);
}

inline void folder_file::patch(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (offset < flushed_) {
    const std::uint64_t below = std::min<std::uint64_t>(bytes.size(), flushed_ - offset);
    const auto gone = bytes.first(static_cast<std::size_t>(below));
    os::or_close(file_, [&] { os::write_at(file_, offset, gone, name_); });
    offset += below;
    bytes = bytes.subspan(gone.size());
  }
  if (!bytes.empty()) std::memcpy(buffer_.get() + (offset - flushed_), bytes.data(), bytes.size());
}

inline void folder_file::flush() {
  write_at_end({buffer_.get(), used_});
  used_ = 0;
}

inline void folder_file::finish() {
  flush();
  os::or_close(file_, [&] { os::sync(file_, name_); });
  if (const int error = file_.close()) os::fail(name_, error);
}

inline void folder_file::finish_unsynced() {
  flush();
  if (const int error = file_.close()) os::fail(name_, error);
}

inline void folder_file::grow(std::size_t n) {
  flush();
  if (n > capacity_) allocate(n);
}

// Allocates a buffer without initialising it, so that unused pages do not take memory. Most files
// of a small trace are small.
inline void folder_file::allocate(std::size_t n) {
  buffer_ = std::make_unique_for_overwrite<std::byte[]>(n);
  capacity_ = n;
}

}  // namespace tracecodec::io
