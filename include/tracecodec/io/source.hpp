// Where bytes come from: the interface every reader takes, bytes in memory as one, look-ahead, and
// a few bytes here and there of a source that seeks.
// Chunks are meant to be large (64 KiB and more), so that the virtual call costs nothing.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "error.hpp"

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

  // Moves on by at most `n` bytes, as far as that costs less than to read them; returns how many:
  // the rest, which may be all of it, must be read. Never throws trace_error.
  virtual std::uint64_t skip(std::uint64_t n) {
    static_cast<void>(n);
    return 0;
  }

  // Bytes in all, where seek() works; nothing for pipes, and for what is decompressed.
  [[nodiscard]] virtual std::optional<std::uint64_t> seekable() const { return std::nullopt; }
  // The next read() begins with byte `offset`, which is at most seekable(); errors that wait are
  // forgotten. Throws trace_error: refused if it is not seekable(), system.
  virtual void seek(std::uint64_t offset) {
    static_cast<void>(offset);
    throw trace_error(trace_errc::refused, {}, "cannot be read from anywhere but its start");
  }
};

// Bytes that lie in memory already and outlive the source. Never throws, if seek() stays in them.
class memory_source final : public source {
 public:
  explicit memory_source(std::span<const std::byte> bytes) : all_(bytes) {}

  std::size_t read(std::span<std::byte> out) override {
    const std::size_t n = std::min(out.size(), all_.size() - at_);
    if (n != 0) std::memcpy(out.data(), all_.data() + at_, n);
    at_ += n;
    return n;
  }
  std::uint64_t skip(std::uint64_t n) override {
    const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(n, all_.size() - at_));
    at_ += step;
    return step;
  }
  [[nodiscard]] std::optional<std::uint64_t> seekable() const override { return all_.size(); }
  void seek(std::uint64_t offset) override {
    at_ = static_cast<std::size_t>(std::min<std::uint64_t>(offset, all_.size()));
  }

 private:
  std::span<const std::byte> all_;
  std::size_t at_ = 0;
};

// Another source whose next bytes can be looked at before they are read: content is recognised so,
// also on a pipe. Memory: the bytes looked at.
class lookahead_source final : public source {
 public:
  // `from` must not be null.
  explicit lookahead_source(std::unique_ptr<source> from) : from_(std::move(from)) {}

  // The next `n` bytes, or fewer before the end or an error, which read() throws in its turn, and
  // check() at once. The span is valid until the next call. Never throws trace_error.
  std::span<const std::byte> peek(std::size_t n) {
    if (ahead_.size() - used_ < n && !failure_) {
      ahead_.erase(ahead_.begin(), ahead_.begin() + static_cast<std::ptrdiff_t>(used_));
      const std::size_t held = ahead_.size();
      used_ = 0;
      ahead_.resize(n);
      // A short read may come before an error, which only the next one tells.
      std::size_t end = held;
      while (end < n) {
        const std::size_t got = attempt(std::span(ahead_).subspan(end));
        if (got == 0) break;
        end += got;
      }
      ahead_.resize(end);
    }
    return std::span<const std::byte>(ahead_).subspan(used_, std::min(n, ahead_.size() - used_));
  }

  // Whether an error waits behind the bytes that were looked at.
  [[nodiscard]] bool failed() const noexcept { return failure_ != nullptr; }
  // Throws it.
  void check() const {
    if (failure_) std::rethrow_exception(failure_);
  }

  std::size_t read(std::span<std::byte> out) override {
    const std::size_t held = std::min(out.size(), ahead_.size() - used_);
    if (held != 0) std::memcpy(out.data(), ahead_.data() + used_, held);
    used_ += held;
    const std::size_t n = held == out.size() ? held : held + attempt(out.subspan(held));
    if (n == 0 && !out.empty() && failure_) std::rethrow_exception(failure_);
    return n;
  }

  // Fewer than `n` only before the end or an error, which read() throws in its turn: what the other
  // source does not skip is read.
  std::uint64_t skip(std::uint64_t n) override {
    const std::uint64_t held = std::min<std::uint64_t>(n, ahead_.size() - used_);
    used_ += static_cast<std::size_t>(held);
    if (held == n || failure_) return held;
    std::uint64_t done = held + from_->skip(n - held);
    used_ = 0;
    while (done < n) {
      ahead_.resize(static_cast<std::size_t>(std::min<std::uint64_t>(n - done, discarded)));
      const std::size_t got = attempt(ahead_);
      if (got == 0) break;
      done += got;
    }
    ahead_.clear();
    return done;
  }

  [[nodiscard]] std::optional<std::uint64_t> seekable() const override { return from_->seekable(); }
  void seek(std::uint64_t offset) override {
    from_->seek(offset);
    ahead_.clear();
    used_ = 0;
    failure_ = nullptr;
  }

 private:
  static constexpr std::size_t discarded = std::size_t{128} << 10;  // bytes at once

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

// A few bytes here and there of a source that is seekable(). Memory: 4 KiB, which are read at once,
// so that places close to each other cost one read.
class scattered_reads {
 public:
  // `from` outlives this; whoever reads from it in between must seek().
  explicit scattered_reads(source& from) : from_(&from), size_(from.seekable().value_or(0)) {}

  [[nodiscard]] std::uint64_t size() const { return size_; }

  // The `n` bytes from `offset` on, at most 1024; fewer at the end. Valid until the next call.
  // Throws trace_error(system).
  std::span<const std::byte> look(std::uint64_t offset, std::size_t n) {
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

 private:
  source* from_;
  std::uint64_t size_;
  std::uint64_t at_ = 0;  // offset of buffer_
  std::size_t held_ = 0;  // bytes in it
  std::array<std::byte, 4096> buffer_ = {};
};

}  // namespace tracecodec::io
