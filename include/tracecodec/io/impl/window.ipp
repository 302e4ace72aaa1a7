#pragma once
#include "../window.hpp"

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>
#include <utility>

#include "../error.hpp"
#include "../input/byte_order_mark.hpp"

namespace tracecodec::io {

TRACECODEC_FUNC window::window(input in) : in_(std::move(in)) { start(); }

TRACECODEC_FUNC std::uint64_t window::skip_further(std::uint64_t n) {
  const std::uint64_t held = buffered().size();
  consume(static_cast<std::size_t>(held));
  if (in_.mapped() || ended_) return held;
  const std::uint64_t skipped = in_.skip(n - held);
  base_ = offset() + skipped;
  begin_ = at_ = end_ = buffer_.get();
  return held + skipped;
}

TRACECODEC_FUNC bool window::seek_further(std::uint64_t offset) {
  if (offset < base_) rewind();
  skip(offset - this->offset());
  return this->offset() == offset;
}

TRACECODEC_FUNC void window::resume() {
  ended_ = false;
  failure_ = nullptr;
  if (!in_.mapped() || in_.in_memory()) return;
  input again = open_input(in_.name(), {.compression = codec::none});
  const auto size = again.size();
  if (!size || *size <= in_.bytes().size()) return;
  const std::uint64_t reached = offset();
  in_ = std::move(again);
  start();
  seek(reached);
}

TRACECODEC_FUNC void window::pass_byte_order_mark() {
  const auto front = look(byte_order_mark.size());
  if (std::string_view(reinterpret_cast<const char*>(front.data()), front.size())
          .starts_with(byte_order_mark))
    consume(byte_order_mark.size());
}

TRACECODEC_FUNC void window::check_end() const {
  if (failure_) std::rethrow_exception(failure_);
  in_.check();
}

TRACECODEC_FUNC void window::rewind() {
  if (!in_.mapped()) in_.rewind();
  start();
}

TRACECODEC_FUNC std::optional<bool> window::has(std::uint64_t n) const {
  if (buffered().size() >= n) return true;
  if (in_.mapped() || ended_) return false;
  const auto size = in_.size_now();
  if (!size) return std::nullopt;
  return *size >= offset() && *size - offset() >= n;
}

TRACECODEC_FUNC std::optional<double> window::progress() const {
  if (!in_.mapped()) return in_.progress();
  const auto size = in_.size();
  if (!size || *size == 0) return std::nullopt;
  return static_cast<double>(offset()) / static_cast<double>(*size);
}

TRACECODEC_FUNC void window::start() {
  base_ = 0;
  ended_ = false;
  failure_ = nullptr;
  begin_ = at_ = end_ = nullptr;
  if (!in_.mapped()) return;
  begin_ = at_ = in_.bytes().data();
  end_ = begin_ + in_.bytes().size();
}

[[gnu::cold]] TRACECODEC_FUNC void window::read_more(std::size_t n) {
  constexpr std::size_t first_chunk = std::size_t{16} << 10, chunk = std::size_t{1} << 20;
  if (in_.mapped() || ended_) return;
  std::size_t held = static_cast<std::size_t>(end_ - at_);
  base_ = offset();
  if (held != 0 && at_ != buffer_.get()) std::memmove(buffer_.get(), at_, held);
  // The buffer starts small, so that a short input does not need a large buffer. The buffer grows
  // with the number of bytes read, not to the requested size, because `n` may be an arbitrary
  // number from the file.
  const auto small_and_full = [&] { return size_ < chunk && held == size_; };
  // True if a read returned fewer bytes than requested, which means that the end or an error
  // follows.
  bool short_read = false;
  while ((held < n || small_and_full() || short_read) && !ended_) {
    if (size_ == 0)
      grow(first_chunk, held);
    else if (!short_read && (small_and_full() || (size_ >= chunk && size_ - held < chunk / 2)))
      grow(std::max(chunk, 2 * size_), held);
    try {
      const std::span<std::byte> available(buffer_.get() + held, size_ - held);
      const std::size_t got = in_.read(available);
      ended_ = got == 0;
      short_read = got < available.size();
      held += got;
    } catch (const trace_error&) {
      failure_ = std::current_exception();
      ended_ = true;
    }
  }
  begin_ = at_ = buffer_.get();
  end_ = begin_ + held;
}

// Replaces the buffer with a buffer of `size` bytes that keeps the first `held` bytes. A vector
// would fill the other bytes with zeros, although read() overwrites them.
TRACECODEC_FUNC void window::grow(std::size_t size, std::size_t held) {
  std::unique_ptr<std::byte[]> larger(new std::byte[size]);
  if (held != 0) std::memcpy(larger.get(), buffer_.get(), held);
  buffer_ = std::move(larger);
  size_ = size;
}

}  // namespace tracecodec::io
