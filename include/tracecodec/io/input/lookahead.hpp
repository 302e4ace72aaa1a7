// Classes that read ahead. lookahead_source returns the next bytes of a source without consuming
// them, and scattered_reads returns a few bytes anywhere in a seekable source.
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

// Source that wraps another source, and returns the next bytes without consuming them. The library
// uses this class to recognise content, even on a pipe. The bytes that peek() returns are buffered.
class lookahead_source final : public source {
 public:
  // Takes ownership of `from`, which must not be null.
  explicit lookahead_source(std::unique_ptr<source> from);

  // Returns the next `n` bytes, or fewer if the end or an error comes first. check() throws the
  // error at once, whereas read() first delivers the bytes before the error. The span is valid
  // until the next call. Never throws trace_error.
  std::span<const std::byte> peek(std::size_t n);

  // Returns true if an error follows the bytes that peek() returns.
  [[nodiscard]] bool failed() const noexcept { return failure_ != nullptr; }
  // If failed() is true, throws the error that follows the bytes of peek().
  void check() const;

  TRACECODEC_FUNC std::size_t read(std::span<std::byte> out) override;

  // Skips `n` bytes, or fewer if the end or an error comes first. A later read() throws the error.
  // Bytes that the underlying source does not skip are read and discarded.
  TRACECODEC_FUNC std::uint64_t skip(std::uint64_t n) override;

  TRACECODEC_FUNC std::uint64_t entry_before(std::uint64_t offset) override;
  TRACECODEC_FUNC std::optional<record_entry> entry_of_record(std::uint64_t record) override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<double> progress() const override;
  [[nodiscard]] TRACECODEC_FUNC std::optional<std::uint64_t> seekable() const override;
  TRACECODEC_FUNC void seek(std::uint64_t offset) override;

 private:
  // Reads from the underlying source. Stores an error in failure_ until read() has delivered
  // all bytes before it.
  std::size_t attempt(std::span<std::byte> out);

  // Makes room for `n` bytes in ahead_, and moves the undelivered bytes to the front.
  void reserve(std::size_t n);

  std::unique_ptr<source> from_;
  std::unique_ptr<std::byte[]> ahead_ = {};
  std::size_t capacity_ = 0;         // size of ahead_ in bytes
  std::size_t used_ = 0, held_ = 0;  // numbers of delivered bytes and of valid bytes in ahead_
  std::exception_ptr failure_;
};

// Reads a few bytes at any position of a seekable() source. Each read fills a buffer of 4 KiB, so
// nearby positions need only one read.
class scattered_reads {
 public:
  // Prepares to read from `from`, which must outlive this object. look() changes the position
  // of `from`, so other code must call seek() before it reads from `from`.
  explicit scattered_reads(source& from);

  [[nodiscard]] std::uint64_t size() const { return size_; }

  // Returns the `n` bytes at `offset`, or fewer at the end of the source. `n` must be at most
  // 1024. The span is valid until the next call. Throws trace_error(system).
  std::span<const std::byte> look(std::uint64_t offset, std::size_t n);

 private:
  source* from_;
  std::uint64_t size_;
  std::uint64_t at_ = 0;  // offset of buffer_ in the source
  std::size_t held_ = 0;  // number of bytes in buffer_
  std::array<std::byte, 4096> buffer_ = {};
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/lookahead.ipp"
#endif
