// Sliding window over an input: records of variable length are decoded in place, in the mapped
// file or in a buffer that is refilled.
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "../config.hpp"
#include "open.hpp"

namespace tracecodec::io {

// Window over the bytes of an input. A mapped input needs no buffer. Otherwise the buffer has 1
// MiB, or twice the number of bytes that look() requests if the input has that many. For an
// input of less than 16 KiB, the buffer has 16 KiB. Movable; a moved-from window can only be
// assigned to or destroyed.
class window {
 public:
  explicit window(input in);

  // Returns the bytes at offset(): at least `n`, or all remaining bytes if there are fewer. The
  // span is valid until the next call to look(), skip(), seek(), resume() or rewind(). Never
  // throws trace_error: call check_end() once the remaining bytes have been used.
  [[gnu::always_inline]] std::span<const std::byte> look(std::size_t n) {
    if (static_cast<std::size_t>(end_ - at_) < n) [[unlikely]]
      refill(n);
    return {at_, static_cast<std::size_t>(end_ - at_)};
  }

  // Returns the bytes at offset() that are available without reading: possibly none, even if
  // more bytes remain.
  [[gnu::always_inline]] [[nodiscard]] std::span<const std::byte> at_hand() const {
    return {at_, static_cast<std::size_t>(end_ - at_)};
  }

  // True if at_hand() is known to return all remaining bytes; always true for a mapped input.
  [[nodiscard]] bool all_at_hand() const { return ended_ || in_.mapped(); }

  // Moves forward by `n` bytes, which look() or at_hand() must have returned.
  [[gnu::always_inline]] void consume(std::size_t n) { at_ += n; }
  // Moves forward to `p`, which points into the bytes that look() or at_hand() returned, or to
  // their end.
  [[gnu::always_inline]] void consume_to(const std::byte* p) { at_ = p; }
  // Moves past a byte order mark, if the text that begins here has one.
  void pass_byte_order_mark();

  // Moves forward by `n` bytes, or to the end; returns the number of bytes skipped. Bytes that
  // are not available yet are skipped by input::skip().
  std::uint64_t skip(std::uint64_t n) {
    if (n > at_hand().size()) return skip_further(n);
    consume(static_cast<std::size_t>(n));
    return n;
  }

  // Moves to `offset`, or to the end if that comes first; returns true if `offset` was
  // reached. A mapped input seeks at once. A stream skips forward like skip(), from its start
  // if it must go back. Throws trace_error(refused) if a pipe would have to go back.
  bool seek(std::uint64_t offset) {
    const std::uint64_t held = static_cast<std::uint64_t>(end_ - begin_);
    if (offset < base_ || offset - base_ > held) return seek_further(offset);
    at_ = begin_ + static_cast<std::size_t>(offset - base_);
    return true;
  }

  // Returns input::entry_before() of the underlying input.
  [[nodiscard]] std::uint64_t entry_before(std::uint64_t offset) {
    return in_.entry_before(offset);
  }

  // Continues after the end of the input if it has grown meanwhile. offset() is unchanged, and
  // errors are cleared. A mapped file that has grown is mapped again by its name, or read as a
  // stream if it has become too large to map. Throws trace_error like open_input().
  void resume();

  // Throws the error that ended the input early, if there was one, or trace_error(system) if a
  // mapped file has become shorter.
  void check_end() const;

  // Moves back to the first byte. Throws trace_error(refused) for standard input and pipes.
  void rewind();

  // Returns the position in the content: bytes from its start, after decompression.
  [[nodiscard]] std::uint64_t offset() const {
    return base_ + static_cast<std::uint64_t>(at_ - begin_);
  }
  // Returns the number of bytes after offset(), which is known for a mapped input only.
  [[nodiscard]] std::optional<std::uint64_t> remaining() const {
    return in_.mapped() ? std::optional<std::uint64_t>(at_hand().size()) : std::nullopt;
  }
  // Returns true if at least `n` bytes remain, without reading them. Returns nullopt if only
  // reading can show this, for example for pipes and compressed files. Throws
  // trace_error(system).
  [[nodiscard]] std::optional<bool> has(std::uint64_t n) const;
  [[nodiscard]] const input& from() const { return in_; }

  // Returns the fraction of the file on disk that was read, 0 to 1; nullopt for pipes.
  [[nodiscard]] std::optional<double> progress() const;

 private:
  void start();
  std::uint64_t skip_further(std::uint64_t n);
  bool seek_further(std::uint64_t offset);
  // Separate from read_more(), so that look(), which is inlined everywhere, calls a cold
  // function.
  [[gnu::cold, gnu::noinline]] void refill(std::size_t n) { read_more(n); }
  void read_more(std::size_t n);
  void grow(std::size_t size, std::size_t held);

  input in_;
  std::unique_ptr<std::byte[]> buffer_ = {};
  std::size_t size_ = 0;  // size of buffer_ in bytes
  // Start of the available bytes: the mapped file, or the buffer's content.
  const std::byte* begin_ = nullptr;
  const std::byte* at_ = nullptr;
  const std::byte* end_ = nullptr;
  std::uint64_t base_ = 0;  // offset of begin_ in the content
  bool ended_ = false;
  std::exception_ptr failure_ = {};
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/window.ipp"
#endif
