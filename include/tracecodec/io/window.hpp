// A window that slides over an input: records of variable length are decoded where they lie, in the
// mapped file or in a buffer that refills.
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

// Memory: nothing for a mapped input; else a buffer of 1 MiB, or twice what look() asks for and the
// input really has; of 16 KiB for what is shorter. Movable; what is moved from can only be assigned
// to or destroyed.
class window {
 public:
  explicit window(input in);

  // The bytes at offset(): at least `n`, or all that remain if there are fewer. Valid until the
  // next call of look(), skip(), seek(), resume() or rewind(). Never throws trace_error:
  // check_end() does, when what is left has been used.
  [[gnu::always_inline]] std::span<const std::byte> look(std::size_t n) {
    if (static_cast<std::size_t>(end_ - at_) < n) [[unlikely]]
      refill(n);
    return {at_, static_cast<std::size_t>(end_ - at_)};
  }

  // What of it is at hand without reading: may be less than remains, and nothing.
  [[gnu::always_inline]] [[nodiscard]] std::span<const std::byte> at_hand() const {
    return {at_, static_cast<std::size_t>(end_ - at_)};
  }

  // Whether that is known to be all that remains: always in a mapped input.
  [[nodiscard]] bool all_at_hand() const { return ended_ || in_.mapped(); }

  // Moves `n` bytes on, which look() or at_hand() has shown.
  [[gnu::always_inline]] void consume(std::size_t n) { at_ += n; }
  // The same, to a place in what they have shown, or its end.
  [[gnu::always_inline]] void consume_to(const std::byte* p) { at_ = p; }
  // Moves past a byte order mark, of a text that begins here.
  void pass_byte_order_mark();

  // Moves `n` bytes on, or to the end; returns how many. What is not at hand is skipped as
  // input::skip() does.
  std::uint64_t skip(std::uint64_t n) {
    if (n > at_hand().size()) return skip_further(n);
    consume(static_cast<std::size_t>(n));
    return n;
  }

  // Moves to `offset`, or to the end if that comes first; returns whether it was reached. At once
  // in a mapped input; in a stream as skip(), from its start if it must go back.
  // Throws trace_error(refused) to go back in a pipe.
  bool seek(std::uint64_t offset) {
    const std::uint64_t held = static_cast<std::uint64_t>(end_ - begin_);
    if (offset < base_ || offset - base_ > held) return seek_further(offset);
    at_ = begin_ + static_cast<std::size_t>(offset - base_);
    return true;
  }

  // As input::entry_before().
  [[nodiscard]] std::uint64_t entry_before(std::uint64_t offset) {
    return in_.entry_before(offset);
  }

  // Looks again whether there is more behind the end: the file may have grown. offset() stays.
  // A mapped file is mapped anew by its name, unless it is now shorter; one that has become too
  // large for that is read as a stream. Errors are forgotten. Throws trace_error as open_input().
  void resume();

  // Throws what ended the input early, if something did; also that a mapped file became shorter.
  void check_end() const;

  // Back to the first byte. Throws trace_error(refused) for standard input and pipes.
  void rewind();

  // Bytes from the start of the content, after decompression.
  [[nodiscard]] std::uint64_t offset() const {
    return base_ + static_cast<std::uint64_t>(at_ - begin_);
  }
  // Bytes behind it, if that is known: in a mapped input.
  [[nodiscard]] std::optional<std::uint64_t> remaining() const {
    return in_.mapped() ? std::optional<std::uint64_t>(at_hand().size()) : std::nullopt;
  }
  // Whether `n` bytes or more are there, without reading them; nothing where only reading tells: of
  // pipes and compressed files. Throws trace_error(system).
  [[nodiscard]] std::optional<bool> has(std::uint64_t n) const;
  [[nodiscard]] const input& from() const { return in_; }

  // How much of the file on disk was read, 0 to 1; nullopt for pipes.
  [[nodiscard]] std::optional<double> progress() const;

 private:
  void start();
  std::uint64_t skip_further(std::uint64_t n);
  bool seek_further(std::uint64_t offset);
  // Apart from look(), which is inlined everywhere.
  [[gnu::cold, gnu::noinline]] void refill(std::size_t n) { read_more(n); }
  void read_more(std::size_t n);
  void grow(std::size_t size, std::size_t held);

  input in_;
  std::unique_ptr<std::byte[]> buffer_ = {};
  std::size_t size_ = 0;              // of the buffer
  const std::byte* begin_ = nullptr;  // what is at hand: the mapped file, or the buffer's content
  const std::byte* at_ = nullptr;
  const std::byte* end_ = nullptr;
  std::uint64_t base_ = 0;  // offset of begin_
  bool ended_ = false;
  std::exception_ptr failure_ = {};
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/window.ipp"
#endif
