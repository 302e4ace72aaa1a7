// Where bytes come from: the interface every reader takes, and bytes in memory as one.
// Chunks are meant to be large (64 KiB and more), so that the virtual call costs nothing.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "../error.hpp"

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

  // The last place at or before byte `offset` from which it can be read without what is before: a seek back to
  // `offset` reads on from there. 0 if it must be read from its first byte. What read() and skip() do next stays as
  // it was. Never throws trace_error.
  virtual std::uint64_t entry_before(std::uint64_t offset) {
    static_cast<void>(offset);
    return 0;
  }

  // How much of it was read, 0 to 1, if it knows.
  [[nodiscard]] virtual std::optional<double> progress() const { return std::nullopt; }

  // Bytes in all, where seek() works; nothing for pipes, and for what is decompressed.
  [[nodiscard]] virtual std::optional<std::uint64_t> seekable() const { return std::nullopt; }
  // The next read() begins with byte `offset`, which is at most seekable(); errors that wait are
  // forgotten. Throws trace_error: refused if it is not seekable(), system.
  inline virtual void seek(std::uint64_t offset);
};

// Bytes that lie in memory already and outlive the source. Never throws, if seek() stays in them.
class memory_source final : public source {
 public:
  explicit memory_source(std::span<const std::byte> bytes) : all_(bytes) {}

  inline std::size_t read(std::span<std::byte> out) override;
  inline std::uint64_t skip(std::uint64_t n) override;
  std::uint64_t entry_before(std::uint64_t offset) override { return offset; }
  [[nodiscard]] std::optional<std::uint64_t> seekable() const override { return all_.size(); }
  inline void seek(std::uint64_t offset) override;

 private:
  std::span<const std::byte> all_;
  std::size_t at_ = 0;
};

inline void source::seek(std::uint64_t /*offset*/) {
  throw trace_error(trace_errc::refused, {}, "cannot be read from anywhere but its start");
}

inline std::size_t memory_source::read(std::span<std::byte> out) {
  const std::size_t n = std::min(out.size(), all_.size() - at_);
  if (n != 0) std::memcpy(out.data(), all_.data() + at_, n);
  at_ += n;
  return n;
}

inline std::uint64_t memory_source::skip(std::uint64_t n) {
  const auto step = static_cast<std::size_t>(std::min<std::uint64_t>(n, all_.size() - at_));
  at_ += step;
  return step;
}

inline void memory_source::seek(std::uint64_t offset) {
  at_ = static_cast<std::size_t>(std::min<std::uint64_t>(offset, all_.size()));
}

}  // namespace tracecodec::io
