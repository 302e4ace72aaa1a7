#pragma once
#include "../file.hpp"

#include <algorithm>
#include <cerrno>
#include <memory>
#include <utility>

#include "../../error.hpp"
#include "mapped_places.hpp"

namespace tracecodec::io {

TRACECODEC_FUNC file_source::file_source(const std::string& path)
    : file_source(os::open(path, O_RDONLY), path) {}

TRACECODEC_FUNC std::unique_ptr<file_source> file_source::standard_input() {
  return std::unique_ptr<file_source>(new file_source(os::standard_input(), "<stdin>"));
}

TRACECODEC_FUNC file_source::file_source(os::descriptor file, std::string name)
    : file_(std::move(file)), name_(std::move(name)), facts_(os::facts_of(file_, name_)) {
  if (facts_.what == os::kind::directory) os::fail(name_, EISDIR);
  // Standard input may not start at the file's first byte, because another process may have read a
  // part of it.
  if (regular()) start_ = os::position(file_);
  facts_.size -= std::min(facts_.size, start_);
}

TRACECODEC_FUNC std::size_t file_source::read(std::span<std::byte> out) {
  int error = std::exchange(error_, 0);
  const std::size_t n = error == 0 ? os::read_full(file_, out, error) : 0;
  if (error != 0 && n == 0) os::fail(name_, error);
  error_ = error;
  offset_ += n;
  if (n == 0 && !out.empty() && offset_ < facts_.size && *size_now() < facts_.size) {
    const trace_error cut(trace_errc::system, {.file = name_}, "became shorter while it was read");
    detail::remember_cut(cut);
    throw cut;
  }
  return n;
}

TRACECODEC_FUNC std::uint64_t file_source::skip(std::uint64_t n) {
  if (!regular() || error_ != 0) return 0;
  try {
    const std::uint64_t end = std::min(facts_.size, *size_now());
    n = end > offset_ ? std::min(n, end - offset_) : 0;
    if (n != 0) seek(offset_ + n);
    return n;
  } catch (const trace_error&) {
    return 0;  // a later read() reports the error
  }
}

TRACECODEC_FUNC void file_source::seek(std::uint64_t offset) {
  os::seek(file_, start_ + offset, name_);
  offset_ = offset;
  error_ = 0;
}

TRACECODEC_FUNC std::optional<std::uint64_t> file_source::size_now() const {
  if (!regular()) return std::nullopt;
  const std::uint64_t whole = os::facts_of(file_, name_).size;
  return whole - std::min(whole, start_);
}

TRACECODEC_FUNC std::unique_ptr<file_source> file_source::restart() {
  // Copy the name before the new source takes over this source.
  std::string name = name_;
  os::seek(file_, 0, name_);
  return std::unique_ptr<file_source>(new file_source(std::move(file_), std::move(name)));
}

}  // namespace tracecodec::io
