#pragma once
#include "../lookahead.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

namespace tracecodec::io {

TRACECODEC_FUNC lookahead_source::lookahead_source(std::unique_ptr<source> from)
    : from_(std::move(from)) {}

TRACECODEC_FUNC std::span<const std::byte> lookahead_source::peek(std::size_t n) {
  if (held_ - used_ < n && !failure_) {
    reserve(n);
    // Read again after a short read, because only the next read throws the error.
    while (held_ < n) {
      const std::size_t got = attempt({ahead_.get() + held_, n - held_});
      if (got == 0) break;
      held_ += got;
    }
  }
  return {ahead_.get() + used_, std::min(n, held_ - used_)};
}

TRACECODEC_FUNC void lookahead_source::check() const {
  if (failure_) std::rethrow_exception(failure_);
}

TRACECODEC_FUNC std::size_t lookahead_source::read(std::span<std::byte> out) {
  const std::size_t held = std::min(out.size(), held_ - used_);
  if (held != 0) std::memcpy(out.data(), ahead_.get() + used_, held);
  used_ += held;
  const std::size_t n = held == out.size() ? held : held + attempt(out.subspan(held));
  if (n == 0 && !out.empty() && failure_) std::rethrow_exception(failure_);
  return n;
}

TRACECODEC_FUNC std::uint64_t lookahead_source::skip(std::uint64_t n) {
  constexpr std::size_t discarded = std::size_t{128} << 10;  // number of bytes to discard at once
  const std::uint64_t held = std::min<std::uint64_t>(n, held_ - used_);
  used_ += static_cast<std::size_t>(held);
  if (held == n || failure_) return held;
  std::uint64_t done = held + from_->skip(n - held);
  while (done < n) {
    const auto wanted = static_cast<std::size_t>(std::min<std::uint64_t>(n - done, discarded));
    reserve(wanted);
    const std::size_t got = attempt({ahead_.get(), wanted});
    if (got == 0) break;
    done += got;
  }
  return done;
}

TRACECODEC_FUNC std::uint64_t lookahead_source::entry_before(std::uint64_t offset) {
  return from_->entry_before(offset);
}

TRACECODEC_FUNC std::optional<record_entry> lookahead_source::entry_of_record(
    std::uint64_t record) {
  return from_->entry_of_record(record);
}

TRACECODEC_FUNC std::optional<double> lookahead_source::progress() const {
  return from_->progress();
}

TRACECODEC_FUNC std::optional<std::uint64_t> lookahead_source::seekable() const {
  return from_->seekable();
}

TRACECODEC_FUNC void lookahead_source::seek(std::uint64_t offset) {
  from_->seek(offset);
  used_ = held_ = 0;
  failure_ = nullptr;
}

TRACECODEC_FUNC void lookahead_source::reserve(std::size_t n) {
  // Allocate before anything changes, so that the bytes held survive std::bad_alloc.
  std::unique_ptr<std::byte[]> larger(n <= capacity_ ? nullptr : new std::byte[n]);
  const std::byte* const from = ahead_.get() + used_;
  held_ -= std::exchange(used_, 0);
  if (!larger) {
    if (held_ != 0) std::memmove(ahead_.get(), from, held_);
    return;
  }
  if (held_ != 0) std::memcpy(larger.get(), from, held_);
  ahead_ = std::move(larger);
  capacity_ = n;
}

TRACECODEC_FUNC std::size_t lookahead_source::attempt(std::span<std::byte> out) {
  if (failure_) return 0;
  try {
    return from_->read(out);
  } catch (...) {
    failure_ = std::current_exception();
    return 0;
  }
}

TRACECODEC_FUNC scattered_reads::scattered_reads(source& from)
    : from_(&from), size_(from.seekable().value_or(0)) {}

TRACECODEC_FUNC std::span<const std::byte> scattered_reads::look(std::uint64_t offset,
                                                                 std::size_t n) {
  if (offset >= size_) return {};
  n = static_cast<std::size_t>(std::min<std::uint64_t>(n, size_ - offset));
  if (offset < at_ || offset - at_ > held_ || held_ - (offset - at_) < n) {
    held_ = 0;
    from_->seek(offset);
    at_ = offset;
    while (held_ < n) {
      const std::size_t got = from_->read(std::span(buffer_).subspan(held_));
      if (got == 0) break;
      held_ += got;
    }
  }
  const auto skipped = static_cast<std::size_t>(offset - at_);
  return std::span<const std::byte>(buffer_).subspan(skipped, std::min(n, held_ - skipped));
}

}  // namespace tracecodec::io
