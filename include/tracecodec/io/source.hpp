// Where bytes come from: the interface every reader takes, bytes in memory as one, and look-ahead.
// Chunks are meant to be large (64 KiB and more), so that the virtual call costs nothing.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstring>
#include <exception>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace tracecodec::io {

class source {
 public:
  source() = default;
  source(const source&) = delete;
  source& operator=(const source&) = delete;
  virtual ~source() = default;

  // Fills `out` from its front; returns how many bytes. Fewer than asked for come only before an
  // error or the end; 0 for a non-empty `out` is the end.
  // Throws trace_error only from a call that could deliver nothing: every byte before the error has
  // been delivered by then.
  virtual std::size_t read(std::span<std::byte> out) = 0;
};

// Bytes that lie in memory already and outlive the source. Never throws.
class memory_source final : public source {
 public:
  explicit memory_source(std::span<const std::byte> bytes) : rest_(bytes) {}

  std::size_t read(std::span<std::byte> out) override {
    const std::size_t n = std::min(out.size(), rest_.size());
    if (n != 0) std::memcpy(out.data(), rest_.data(), n);
    rest_ = rest_.subspan(n);
    return n;
  }

 private:
  std::span<const std::byte> rest_;
};

// Another source whose next bytes can be looked at before they are read: content is recognised so,
// also on a pipe. Memory: the bytes looked at.
class lookahead_source final : public source {
 public:
  // `from` must not be null.
  explicit lookahead_source(std::unique_ptr<source> from) : from_(std::move(from)) {}

  // The next `n` bytes, or fewer before the end or an error, which read() throws in its turn. The
  // span is valid until the next call. Never throws trace_error.
  std::span<const std::byte> peek(std::size_t n) {
    if (ahead_.size() - used_ < n && !failure_) {
      ahead_.erase(ahead_.begin(), ahead_.begin() + static_cast<std::ptrdiff_t>(used_));
      const std::size_t held = ahead_.size();
      used_ = 0;
      ahead_.resize(n);
      ahead_.resize(held + attempt(std::span(ahead_).subspan(held)));
    }
    return std::span<const std::byte>(ahead_).subspan(used_, std::min(n, ahead_.size() - used_));
  }

  std::size_t read(std::span<std::byte> out) override {
    const std::size_t held = std::min(out.size(), ahead_.size() - used_);
    if (held != 0) std::memcpy(out.data(), ahead_.data() + used_, held);
    used_ += held;
    const std::size_t n = held == out.size() ? held : held + attempt(out.subspan(held));
    if (n == 0 && !out.empty() && failure_) std::rethrow_exception(failure_);
    return n;
  }

 private:
  // An error waits in failure_ until read() has nothing left to deliver before it.
  std::size_t attempt(std::span<std::byte> out) {
    if (failure_) return 0;
    try {
      return from_->read(out);
    } catch (...) {
      failure_ = std::current_exception();
      return 0;
    }
  }

  std::unique_ptr<source> from_;
  std::vector<std::byte> ahead_;
  std::size_t used_ = 0;  // bytes of ahead_ already delivered
  std::exception_ptr failure_;
};

}  // namespace tracecodec::io
