// Interface for byte sources, which all readers use, and an implementation for bytes in memory.
// Callers should read large chunks (64 KiB or more), so that the cost of the virtual call is
// negligible.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

#include "../error.hpp"

namespace tracecodec::io {

// Entry of an index of records: a position from which records can be read without earlier ones.
struct record_entry {
  std::uint64_t record = 0;   // number of the record
  std::uint64_t offset = 0;   // offset of the record in the content
  std::uint64_t state = 0;    // value that the index stores for the record, such as its address
  std::uint64_t records = 0;  // number of records from this entry to the next one
};

class source {
 public:
  source() = default;
  source(const source&) = delete;
  source& operator=(const source&) = delete;
  virtual ~source() = default;

  // Fills `out` from the front and returns the number of bytes. This number is smaller than the
  // size of `out` only if an error or the end follows. If `out` is not empty, a result of 0 means
  // the end. Throws trace_error only after every byte before the error has been delivered.
  virtual std::size_t read(std::span<std::byte> out) = 0;

  // Moves forward by up to `n` bytes, and returns the number of bytes skipped. Skips bytes only if
  // skipping is cheaper than reading. The caller must read the remaining bytes, possibly all `n`.
  // Never throws trace_error.
  virtual std::uint64_t skip(std::uint64_t n) {
    static_cast<void>(n);
    return 0;
  }

  // Returns the last position at or before `offset` from which a reader can start without earlier
  // bytes. To go back to `offset`, a reader must read from that position. Returns 0 if the reader
  // must start at the first byte. Does not affect the next read() or skip(). Never throws
  // trace_error.
  virtual std::uint64_t entry_before(std::uint64_t offset) {
    static_cast<void>(offset);
    return 0;
  }

  // Returns the last entry at or before record number `record`, or nullopt if the file has no index
  // of records. Does not affect the next read() or skip(). Never throws trace_error.
  virtual std::optional<record_entry> entry_of_record(std::uint64_t record) {
    static_cast<void>(record);
    return std::nullopt;
  }

  // Returns the fraction of the source that has been read, 0 to 1, or nullopt if the fraction is
  // unknown.
  [[nodiscard]] virtual std::optional<double> progress() const { return std::nullopt; }

  // Returns the total size in bytes if the source supports seek(), or nullopt for pipes and
  // decompressors.
  [[nodiscard]] virtual std::optional<std::uint64_t> seekable() const { return std::nullopt; }
  // Makes the next read() begin at `offset`, which must be at most seekable(), and clears pending
  // errors. Throws trace_error(refused) if the source is not seekable(), and trace_error(system) if
  // the operating system reports an error.
  inline virtual void seek(std::uint64_t offset);
};

// Source of bytes in memory. The bytes must outlive the source. Never throws.
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
  throw trace_error(trace_errc::refused, {}, "can only be read from its start");
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
