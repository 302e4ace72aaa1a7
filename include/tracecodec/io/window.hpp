// Sliding window over an input. Records of variable length are decoded in place, either in the
// mapped file or in a buffer that is refilled.
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

// Window over the bytes of an input. A mapped input needs no buffer. A stream needs a buffer of 16
// KiB for a short input and 1 MiB for a longer input. If look() requests more bytes and the input
// contains them, the buffer grows to at most about twice the requested size. Movable. A moved-from
// window can only be assigned to or destroyed.
class window {
 public:
  explicit window(input in);

  // Returns at least `n` bytes at offset(), or all remaining bytes if there are fewer. The span is
  // valid until the next call to look(), skip(), seek(), resume() or rewind(). Never throws
  // trace_error. Therefore, call check_end() once the remaining bytes have been used.
  [[gnu::always_inline]] std::span<const std::byte> look(std::size_t n) {
    if (static_cast<std::size_t>(end_ - at_) < n) [[unlikely]]
      refill(n);
    return {at_, static_cast<std::size_t>(end_ - at_)};
  }

  // Returns the bytes at offset() that are available without reading. The span may be empty even if
  // more bytes remain.
  [[gnu::always_inline]] [[nodiscard]] std::span<const std::byte> buffered() const {
    return {at_, static_cast<std::size_t>(end_ - at_)};
  }

  // Returns true if buffered() is known to return all remaining bytes. Always true for a mapped
  // input.
  [[nodiscard]] bool has_all() const { return ended_ || in_.mapped(); }

  // Moves forward by `n` bytes, which look() or buffered() must have returned.
  [[gnu::always_inline]] void consume(std::size_t n) { at_ += n; }
  // Moves forward to `p`. `p` must point into the bytes that look() or buffered() returned, or to
  // their end.
  [[gnu::always_inline]] void consume_to(const std::byte* p) { at_ = p; }
  // Moves past the byte order mark at offset(), if there is one.
  void pass_byte_order_mark();

  // Moves forward by `n` bytes, or to the end, and returns the number of bytes skipped. Uses
  // input::skip() for bytes that are not buffered.
  std::uint64_t skip(std::uint64_t n) {
    if (n > buffered().size()) return skip_further(n);
    consume(static_cast<std::size_t>(n));
    return n;
  }

  // Moves to `offset`, or to the end if the input is shorter. Returns true if `offset` was reached.
  // A mapped input seeks in constant time. A stream moves forward like skip(). To move backwards, a
  // stream starts again at the first byte. Throws trace_error(refused) for a backward seek on a
  // pipe.
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

  // Returns input::entry_of_record() of the underlying input.
  [[nodiscard]] std::optional<record_entry> entry_of_record(std::uint64_t record) {
    return in_.entry_of_record(record);
  }

  // Continues reading after the end was reached, if the input has grown in the meantime. Keeps
  // offset() and clears errors. A mapped file that has grown is mapped again by its name, or read
  // as a stream if the file has become too large to map. Throws the errors of open_input().
  void resume();

  // If an error ended the input early, throws that error. Throws trace_error(system) if a mapped
  // file has become shorter.
  void check_end() const;

  // Moves back to the first byte. Throws trace_error(refused) for standard input and pipes.
  void rewind();

  // Returns the position in the content, as a number of decompressed bytes.
  [[nodiscard]] std::uint64_t offset() const {
    return base_ + static_cast<std::uint64_t>(at_ - begin_);
  }
  // Returns the number of bytes after offset() for a mapped input, and nullopt for a stream.
  [[nodiscard]] std::optional<std::uint64_t> remaining() const {
    return in_.mapped() ? std::optional<std::uint64_t>(buffered().size()) : std::nullopt;
  }
  // Returns true if at least `n` bytes remain, without reading them. Returns nullopt if this cannot
  // be determined without reading, for example for pipes and compressed files. Throws
  // trace_error(system).
  [[nodiscard]] std::optional<bool> has(std::uint64_t n) const;
  [[nodiscard]] const input& from() const { return in_; }

  // Returns the fraction of the file on disk that has been read, 0 to 1, or nullopt for pipes.
  [[nodiscard]] std::optional<double> progress() const;

 private:
  void start();
  std::uint64_t skip_further(std::uint64_t n);
  bool seek_further(std::uint64_t offset);
  // This function is separate from read_more(), because look(), which is inlined everywhere, must
  // call a cold function.
  [[gnu::cold, gnu::noinline]] void refill(std::size_t n) { read_more(n); }
  void read_more(std::size_t n);
  void grow(std::size_t size, std::size_t held);

  input in_;
  std::unique_ptr<std::byte[]> buffer_ = {};
  std::size_t size_ = 0;  // size of buffer_ in bytes
  // Start of the available bytes, which are the mapped file or the buffer's content.
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
