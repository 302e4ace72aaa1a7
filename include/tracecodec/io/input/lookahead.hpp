// Sources that are looked at: at what comes next, and at a few bytes here and there of one that seeks.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>

#include "../../config.hpp"
#include "source.hpp"

namespace tracecodec::io {

// Another source whose next bytes can be looked at before they are read: content is recognised so,
// also on a pipe. Memory: the bytes looked at.
class lookahead_source final : public source {
 public:
  // `from` must not be null.
  explicit lookahead_source(std::unique_ptr<source> from);

  // The next `n` bytes, or fewer before the end or an error, which read() throws in its turn, and
  // check() at once. The span is valid until the next call. Never throws trace_error.
  std::span<const std::byte> peek(std::size_t n);

  // Whether an error waits behind the bytes that were looked at.
  [[nodiscard]] bool failed() const noexcept { return failure_ != nullptr; }
  // Throws it.
  void check() const;

  TRACECODEC_FUNC std::size_t read(std::span<std::byte> out) override;

  // Fewer than `n` only before the end or an error, which read() throws in its turn: what the other
  // source does not skip is read.
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n) override;

  TRACECODEC_FUNC std::uint64_t entry_before(std::uint64_t offset) override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<double> progress() const override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<std::uint64_t> seekable() const override;
  TRACECODEC_FUNC void seek(std::uint64_t offset) override;

 private:
  // An error waits in failure_ until read() has nothing left to deliver before it.
  std::size_t attempt(std::span<std::byte> out);

  // Makes room in ahead_ for `n` bytes, of which those that are held are the first.
  void reserve(std::size_t n);

  std::unique_ptr<source> from_;
  std::unique_ptr<std::byte[]> ahead_ = {};
  std::size_t capacity_ = 0;         // of ahead_
  std::size_t used_ = 0, held_ = 0;  // bytes of it that are already delivered, and in all
  std::exception_ptr failure_;
};

// A few bytes here and there of a source that is seekable(). Memory: 4 KiB, which are read at once,
// so that places close to each other cost one read.
class scattered_reads {
 public:
  // `from` outlives this; whoever reads from it in between must seek().
  explicit scattered_reads(source& from);

  [[nodiscard]] std::uint64_t size() const { return size_; }

  // The `n` bytes from `offset` on, at most 1024; fewer at the end. Valid until the next call.
  // Throws trace_error(system).
  std::span<const std::byte> look(std::uint64_t offset, std::size_t n);

 private:
  source* from_;
  std::uint64_t size_;
  std::uint64_t at_ = 0;  // offset of buffer_
  std::size_t held_ = 0;  // bytes in it
  std::array<std::byte, 4096> buffer_ = {};
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/lookahead.ipp"
#endif
