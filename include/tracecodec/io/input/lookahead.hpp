// Sources with lookahead: at the next bytes, and at a few bytes anywhere in a seekable source.
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

// Wraps a source, so that its next bytes can be inspected before they are read. Content is
// recognised that way, even on a pipe. Memory: the bytes of the lookahead.
class lookahead_source final : public source {
 public:
  // `from` must not be null.
  explicit lookahead_source(std::unique_ptr<source> from);

  // Returns the next `n` bytes; fewer only before the end or an error. check() throws the
  // error at once, read() once it is reached. The span is valid until the next call. Never
  // throws trace_error.
  std::span<const std::byte> peek(std::size_t n);

  // True if an error follows the bytes of the lookahead.
  [[nodiscard]] bool failed() const noexcept { return failure_ != nullptr; }
  // Throws the error of failed(), if there is one.
  void check() const;

  TRACECODEC_FUNC std::size_t read(std::span<std::byte> out) override;

  // Skips fewer than `n` bytes only before the end or an error, which a later read() throws.
  // Bytes that the underlying source does not skip are read.
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n) override;

  TRACECODEC_FUNC std::uint64_t entry_before(std::uint64_t offset) override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<double> progress() const override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<std::uint64_t> seekable() const override;
  TRACECODEC_FUNC void seek(std::uint64_t offset) override;

 private:
  // Reads from the underlying source. An error is kept in failure_ until read() has delivered
  // all bytes before it.
  std::size_t attempt(std::span<std::byte> out);

  // Makes room in ahead_ for `n` bytes; the bytes that it holds move to its front.
  void reserve(std::size_t n);

  std::unique_ptr<source> from_;
  std::unique_ptr<std::byte[]> ahead_ = {};
  std::size_t capacity_ = 0;         // bytes of ahead_
  std::size_t used_ = 0, held_ = 0;  // bytes of ahead_ that are already delivered, and in all
  std::exception_ptr failure_;
};

// Random access to a few bytes of a seekable() source. Memory: a buffer of 4 KiB, filled by
// one read, so that nearby positions cost a single read.
class scattered_reads {
 public:
  // `from` must outlive this object. Other code that reads from `from` in between must seek()
  // first.
  explicit scattered_reads(source& from);

  [[nodiscard]] std::uint64_t size() const { return size_; }

  // Returns the `n` bytes from `offset` on, at most 1024; fewer at the end. Valid until the
  // next call. Throws trace_error(system).
  std::span<const std::byte> look(std::uint64_t offset, std::size_t n);

 private:
  source* from_;
  std::uint64_t size_;
  std::uint64_t at_ = 0;  // offset of buffer_ in the source
  std::size_t held_ = 0;  // bytes in buffer_
  std::array<std::byte, 4096> buffer_ = {};
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/lookahead.ipp"
#endif
