// A window that slides over an input: records of variable length are decoded where they lie, in the
// mapped file or in a buffer that refills.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "error.hpp"
#include "open.hpp"

namespace tracecodec::io {

// Memory: nothing for a mapped input; else a buffer of 1 MiB, or twice what look() asks for and the
// input really has; of 16 KiB for what is shorter. Movable; what is moved from can only be assigned
// to or destroyed.
class window {
 public:
  explicit window(input in) : in_(std::move(in)) { start(); }

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

  // Moves `n` bytes on, or to the end; returns how many. What is not at hand is skipped as
  // input::skip() does.
  std::uint64_t skip(std::uint64_t n) {
    const std::uint64_t held = std::min<std::uint64_t>(n, at_hand().size());
    consume(static_cast<std::size_t>(held));
    if (held == n || in_.mapped() || ended_) return held;
    const std::uint64_t skipped = in_.skip(n - held);
    base_ = offset() + skipped;
    begin_ = at_ = end_ = buffer_.get();
    return held + skipped;
  }

  // Moves to `offset`, or to the end if that comes first; returns whether it was reached. At once
  // in a mapped input; in a stream as skip(), from its start if it must go back.
  // Throws trace_error(refused) to go back in a pipe.
  bool seek(std::uint64_t offset) {
    const std::uint64_t held = static_cast<std::uint64_t>(end_ - begin_);
    if (offset >= base_ && offset - base_ <= held) {
      at_ = begin_ + static_cast<std::size_t>(offset - base_);
      return true;
    }
    if (offset < base_) rewind();
    skip(offset - this->offset());
    return this->offset() == offset;
  }

  // Looks again whether there is more behind the end: the file may have grown. offset() stays.
  // A mapped file is mapped anew by its name, unless it is now shorter; one that has become too
  // large for that is read as a stream. Errors are forgotten. Throws trace_error as open_input().
  void resume() {
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

  // Throws what ended the input early, if something did; also that a mapped file became shorter.
  void check_end() const {
    if (failure_) std::rethrow_exception(failure_);
    in_.check();
  }

  // Back to the first byte. Throws trace_error(refused) for standard input and pipes.
  void rewind() {
    if (!in_.mapped()) in_.rewind();
    start();
  }

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
  [[nodiscard]] std::optional<bool> has(std::uint64_t n) const {
    if (at_hand().size() >= n) return true;
    if (in_.mapped() || ended_) return false;
    const auto size = in_.size_now();
    if (!size) return std::nullopt;
    return *size >= offset() && *size - offset() >= n;
  }
  [[nodiscard]] const input& from() const { return in_; }

  // How much of the file on disk was read, 0 to 1; nullopt for pipes.
  [[nodiscard]] std::optional<double> progress() const {
    const auto size = in_.size();
    if (!size || *size == 0) return std::nullopt;
    const std::uint64_t done = in_.mapped() ? offset() : in_.consumed();
    return static_cast<double>(done) / static_cast<double>(*size);
  }

 private:
  static constexpr std::size_t first_chunk = std::size_t{16} << 10, chunk = std::size_t{1} << 20;

  void start() {
    base_ = 0;
    ended_ = false;
    failure_ = nullptr;
    begin_ = at_ = end_ = nullptr;
    if (!in_.mapped()) return;
    begin_ = at_ = in_.bytes().data();
    end_ = begin_ + in_.bytes().size();
  }

  [[gnu::cold, gnu::noinline]] void refill(std::size_t n) {
    if (in_.mapped() || ended_) return;
    std::size_t held = static_cast<std::size_t>(end_ - at_);
    base_ = offset();
    if (held != 0 && at_ != buffer_.get()) std::memmove(buffer_.get(), at_, held);
    // A short input does not pay for a large buffer. It grows by what was really read, not by what
    // is asked for: `n` may be a number from the file.
    const auto small_and_full = [&] { return size_ < chunk && held == size_; };
    bool short_read = false;  // then the end is next, or an error
    while ((held < n || small_and_full() || short_read) && !ended_) {
      if (size_ == 0)
        grow(first_chunk, held);
      else if (!short_read && (small_and_full() || (size_ >= chunk && size_ - held < chunk / 2)))
        grow(std::max(chunk, 2 * size_), held);
      try {
        const std::span<std::byte> room(buffer_.get() + held, size_ - held);
        const std::size_t got = in_.read(room);
        ended_ = got == 0;
        short_read = got < room.size();
        held += got;
      } catch (const trace_error&) {
        failure_ = std::current_exception();
        ended_ = true;
      }
    }
    begin_ = at_ = buffer_.get();
    end_ = begin_ + held;
  }
  // Not a vector: that would fill with zeros what is read next.
  void grow(std::size_t size, std::size_t held) {
    std::unique_ptr<std::byte[]> larger(new std::byte[size]);
    if (held != 0) std::memcpy(larger.get(), buffer_.get(), held);
    buffer_ = std::move(larger);
    size_ = size;
  }

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
