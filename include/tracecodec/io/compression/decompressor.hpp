// Base class of the decompressors. It owns the buffer of compressed bytes and implements read(),
// skipping of whole blocks, and error handling. read() delivers every byte before an error, and
// then throws the error with its offset. Each codec supplies a decoder.
#pragma once
#include <cstddef>
#include <cstdint>
#include <exception>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "../../config.hpp"
#include "../error.hpp"
#include "../input/source.hpp"
#include "codec.hpp"

namespace tracecodec::io {

namespace detail {

// Base class of the decoders of all codecs. A decoder owns the state of the codec's library.
class decoder {
 public:
  enum class outcome : std::uint8_t {
    more,        // needs more input, or more space for output
    member_end,  // the end of a member (gzip), frame (zstd, lz4) or stream (bzip2); more may follow
    end,         // the whole input is decoded
    failed,      // decoding failed; `code` and `message` describe the error
    not_a_member,  // the input does not contain a member where one should start
  };
  struct step {
    std::size_t used = 0;     // bytes consumed from the front of `in`
    std::size_t written = 0;  // bytes written to the front of `out`; valid with every outcome
    outcome what = outcome::more;
    trace_errc code = trace_errc::corrupt;
    std::string message = {};
  };
  // Position where decoding can begin: offset `at` in the compressed file and offset `content`
  // in the decompressed data.
  struct entry {
    std::uint64_t at = 0, content = 0;
  };

  decoder() = default;
  decoder(const decoder&) = delete;
  decoder& operator=(const decoder&) = delete;
  virtual ~decoder() = default;

  // Decodes bytes from `in` to `out`. `out` must not be empty. An empty `in` means the end of
  // the input.
  virtual step decode(std::span<const std::byte> in, std::span<std::byte> out) = 0;

  // Returns the last entry at or before offset `content` in the decompressed data. If the data end
  // before that offset, returns the file's last entry. Returns nullopt if no entry is certain.
  // `from` is the compressed file, which must be seekable. The position of `from` after the call is
  // unspecified.
  virtual std::optional<entry> find(source& /*from*/, std::uint64_t /*content*/) {
    return std::nullopt;
  }
  // Returns the last entry at or before record number `record` in the file's index of records, or
  // nullopt if the index is missing or uncertain. `from` is as in find().
  virtual std::optional<record_entry> find_record(source& /*from*/, std::uint64_t /*record*/) {
    return std::nullopt;
  }
  // Prepares the decoder to continue at the entry that the last call to find() returned.
  virtual void restart() {}

 protected:
  // Formats a size in MiB, rounded up, or in bytes if the size is below 1 MiB.
  static std::string size_text(std::uint64_t bytes);

  // Sets `s` to a failure, with the message that a member needs a dictionary or window of more than
  // `limit` bytes. `need` is the exact number of bytes, or nullopt if the number is unknown.
  static void refuse_memory(step& s, std::optional<std::uint64_t> need, std::uint64_t limit);
};

}  // namespace detail

// Base class of the decompressing sources. Each source supplies a decoder. read() throws
// trace_error, with the name of the compressed file and the offset that the decoder reached in that
// file:
// - trace_error(truncated) if the compressed data end too early
// - trace_error(corrupt) if the data are inconsistent, or if the bytes after the last member do not
//   start another member
// - trace_error(unsupported) if the codec's library refuses to decode the data
//
// read() also throws the errors of the underlying source. After an error, each later read() throws
// the same error again.
class decompressor : public source {
 public:
  std::size_t read(std::span<std::byte> out) final;

  // Jumps to the start of the block (xz) or frame (zstd) that contains the byte `n` bytes ahead. If
  // the content ends before that byte, jumps to the last block or frame. Jumps only if the position
  // is certain. Therefore, zstd frame headers must store sizes, and xz block headers must confirm
  // the file's index. If the skipped bytes are undamaged, the jump does not affect the bytes that
  // read() then delivers. Damage to the skipped bytes remains undetected.
  std::uint64_t skip(std::uint64_t n) final;
  // Returns the start of the block (xz) or frame (zstd) that contains `offset`, or 0 if the start
  // is unknown.
  std::uint64_t entry_before(std::uint64_t offset) final;
  std::optional<record_entry> entry_of_record(std::uint64_t record) final;

 protected:
  decompressor(codec kind, std::unique_ptr<source> compressed, std::string name,
               std::unique_ptr<detail::decoder> decoder);

 private:
  using entry = detail::decoder::entry;

  std::size_t advance(std::span<std::byte> out);
  // Return the result of the decoder's function, or nullopt if that function throws.
  std::optional<entry> find_if_any(std::uint64_t content);
  std::optional<record_entry> find_record_if_any(std::uint64_t record);
  // Moves the compressed file to the position from which read() continues.
  void return_to_position();
  [[nodiscard]] std::string kind_name() const;
  [[nodiscard]] std::string not_a_member_message() const;
  // Stores the first failure. read() throws the failure when no bytes are left to deliver.
  void fail(trace_errc code, std::uint64_t offset, const std::string& message);

  codec kind_;
  std::unique_ptr<source> compressed_;
  std::string name_;
  std::unique_ptr<std::byte[]> buffer_;  // allocated once, by the first read()
  std::span<const std::byte> in_;        // part of buffer_ that has not been decoded yet
  std::uint64_t offset_ = 0;             // offset of in_ in the compressed file
  std::uint64_t content_ = 0;            // number of bytes of content delivered or skipped
  std::uint64_t member_start_ = 0;       // offset of the current member
  bool between_members_ = false;         // true if the input may end here
  bool at_end_ = false;                  // true if compressed_ has no more bytes
  bool ended_ = false;
  int stalls_ = 0;
  std::exception_ptr failure_;
  std::unique_ptr<detail::decoder> decoder_;
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/decompressor.ipp"
#endif
