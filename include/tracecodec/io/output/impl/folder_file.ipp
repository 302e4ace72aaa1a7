#pragma once
#include "../folder_file.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace tracecodec::io {

TRACECODEC_FUNC folder_file::folder_file(os::descriptor file, std::string name, std::size_t window,
                                         size_limit* limit)
    : file_(std::move(file)), name_(std::move(name)), limit_(limit) {
  allocate(window);
}

TRACECODEC_FUNC void folder_file::write_at_end(std::span<const std::byte> bytes) {
  if (limit_ != nullptr) limit_->take(bytes.size(), name_);
  os::or_close(file_, [&] { os::write_all(file_, bytes, name_); });
  flushed_ += bytes.size();
}

TRACECODEC_FUNC void folder_file::write_through(std::span<const std::byte> bytes) {
  flush();
  write_at_end(bytes);
}

TRACECODEC_FUNC void folder_file::patch(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (offset < flushed_) {
    const std::uint64_t below = std::min<std::uint64_t>(bytes.size(), flushed_ - offset);
    const auto gone = bytes.first(static_cast<std::size_t>(below));
    os::or_close(file_, [&] { os::write_at(file_, offset, gone, name_); });
    offset += below;
    bytes = bytes.subspan(gone.size());
  }
  if (!bytes.empty()) std::memcpy(buffer_.get() + (offset - flushed_), bytes.data(), bytes.size());
}

TRACECODEC_FUNC void folder_file::flush() {
  write_at_end({buffer_.get(), used_});
  used_ = 0;
}

TRACECODEC_FUNC void folder_file::finish() {
  flush();
  os::or_close(file_, [&] { os::sync(file_, name_); });
  if (const int error = file_.close()) os::fail(name_, error);
}

TRACECODEC_FUNC void folder_file::finish_unsynced() {
  flush();
  if (const int error = file_.close()) os::fail(name_, error);
}

TRACECODEC_FUNC void folder_file::make_room(std::size_t n) {
  flush();
  if (n > capacity_) allocate(n);
}

// What is not written is not touched: most files of a small trace are small.
TRACECODEC_FUNC void folder_file::allocate(std::size_t n) {
  buffer_ = std::make_unique_for_overwrite<std::byte[]>(n);
  capacity_ = n;
}

}  // namespace tracecodec::io
