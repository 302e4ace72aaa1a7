#pragma once
#include "../atomic_file.hpp"

#include <cerrno>
#include <cstring>
#include <memory>
#include <utility>

#include "../../error.hpp"
#include "../../input/truncation.hpp"
#include "../../os/path.hpp"

namespace tracecodec::io {

namespace detail {

TRACECODEC_FUNC file_writer::file_writer(os::descriptor file, std::string name)
    : file_(std::move(file)),
      name_(std::move(name)),
      buffer_(std::make_unique_for_overwrite<std::byte[]>(capacity)) {}

TRACECODEC_FUNC void file_writer::write(std::span<const std::byte> bytes) {
  usable();
  if (bytes.size() > capacity - used_) flush();
  if (bytes.size() >= capacity) {
    os::or_close(file_, [&] { os::write_all(file_, bytes, name_); });
  } else if (!bytes.empty()) {
    std::memcpy(buffer_.get() + used_, bytes.data(), bytes.size());
    used_ += bytes.size();
  }
}

TRACECODEC_FUNC void file_writer::flush() {
  usable();
  os::or_close(file_, [&] { os::write_all(file_, {buffer_.get(), used_}, name_); });
  used_ = 0;
}

TRACECODEC_FUNC void file_writer::patch(std::uint64_t offset, std::span<const std::byte> bytes) {
  flush();
  os::or_close(file_, [&] { os::write_at(file_, offset, bytes, name_); });
}

TRACECODEC_FUNC void file_writer::close(bool sync) {
  flush();
  if (sync) os::or_close(file_, [&] { os::sync(file_, name_); });
  if (const int error = file_.close()) os::fail(name_, error);
}

TRACECODEC_FUNC os::descriptor file_writer::release() {
  flush();
  return std::move(file_);
}

TRACECODEC_FUNC void file_writer::usable() const {
  if (!file_) throw trace_error(trace_errc::refused, {.file = name_}, "already finished or failed");
}

}  // namespace detail

TRACECODEC_FUNC atomic_file::atomic_file(const std::string& path) : writer_(open(path), path) {}

TRACECODEC_FUNC atomic_file::~atomic_file() { writer_.abandon(); }

TRACECODEC_FUNC os::descriptor atomic_file::open(const std::string& path) {
  const os::facts there = os::facts_of(path);
  if (there.what == os::kind::directory) os::fail(path, EISDIR);
  if (there.what == os::kind::other) return os::open(path, O_WRONLY);
  target_ = detail::resolve_links(path, path);
  if (file_name_at(target_) == target_.size()) os::fail(path, ENOENT);
  if (there.what == os::kind::regular) os::require_writable(path, path);
  return temporary_.emplace(target_, there, path).take();
}

TRACECODEC_FUNC void atomic_file::write(std::span<const std::byte> bytes) { writer_.write(bytes); }

TRACECODEC_FUNC bool atomic_file::patchable() const { return temporary_.has_value(); }

TRACECODEC_FUNC void atomic_file::patch(std::uint64_t offset, std::span<const std::byte> bytes) {
  if (!patchable()) return sink::patch(offset, bytes);
  writer_.patch(offset, bytes);
}

TRACECODEC_FUNC void atomic_file::prepare() {
  writer_.close(temporary_.has_value());
  prepared_ = true;
}

TRACECODEC_FUNC void atomic_file::withdraw() noexcept {
  if (!temporary_) return;
  os::remove(target_);
  os::sync_folder(detail::folder_of(target_));
}

TRACECODEC_FUNC void atomic_file::finish() {
  if (!prepared_) prepare();
  prepared_ = false;
  if (!temporary_) return;
  check_mapped_files();
  temporary_->appear(writer_.name());
  temporary_.reset();
  os::sync_folder(detail::folder_of(target_));
}

TRACECODEC_FUNC stdout_sink::stdout_sink() : writer_(os::standard_output(), "<stdout>") {}

TRACECODEC_FUNC void stdout_sink::write(std::span<const std::byte> bytes) { writer_.write(bytes); }

TRACECODEC_FUNC void stdout_sink::finish() {
  writer_.close(false);
  check_mapped_files();
}

}  // namespace tracecodec::io
