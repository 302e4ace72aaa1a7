// Base of the decompressors: the buffer of compressed bytes, the loop of read(), skipping by
// blocks, and errors. An error carries its offset and is thrown after every byte before it was
// delivered. Each codec adds a decoder.
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

// Base of every codec's decoder, which holds the state of the codec's library.
class decoder {
 public:
  enum class outcome : std::uint8_t {
    more,        // needs more input, or more room for output
    member_end,  // the end of a member (gzip), frame (zstd, lz4) or stream (bzip2); more may follow
    end,         // the whole input is decoded
    failed,      // `code` and `message` describe the error
    not_a_member,  // other bytes are where a member should start
  };
  struct step {
    std::size_t used = 0;     // bytes consumed from the front of `in`
    std::size_t written = 0;  // bytes written to the front of `out`; valid with every outcome
    outcome what = outcome::more;
    trace_errc code = trace_errc::corrupt;
    std::string message = {};
  };
  // Position where decoding can begin: bytes from the start of the compressed file, and of the
  // content.
  struct entry {
    std::uint64_t at = 0, content = 0;
  };

  decoder() = default;
  decoder(const decoder&) = delete;
  decoder& operator=(const decoder&) = delete;
  virtual ~decoder() = default;

  // Decodes from `in` to `out`, which must not be empty. An empty `in` means the end of the
  // input.
  virtual step decode(std::span<const std::byte> in, std::span<std::byte> out) = 0;

  // Returns the last entry at or before byte `content` of the content, or the last one of all
  // if the content is shorter; nothing if no entry is certain. `from` is the compressed file;
  // it must be seekable, and its position afterwards is unspecified.
  virtual std::optional<entry> find(source& /*from*/, std::uint64_t /*content*/) {
    return std::nullopt;
  }
  // Prepares the decoder for bytes from the entry that find() returned last.
  virtual void restart() {}

 protected:
  // Returns a size in MiB, rounded up; below 1 MiB in bytes.
  static std::string size_text(std::uint64_t bytes);

  // Makes `s` fail because a member needs a dictionary or window of `need` bytes, if known,
  // which is above the limit.
  static void refuse_memory(step& s, std::optional<std::uint64_t> need, std::uint64_t limit);
};

}  // namespace detail

// Base of every X_source, which adds a decoder. Errors of read() carry the compressed file's
// name and the offset that the decoder reached in it: trace_error(truncated), (corrupt),
// (unsupported). (corrupt) includes bytes that follow the last member and do not start another
// one. (unsupported) means that the codec's library refuses to decode the data. Errors of the
// underlying source are passed on. Each later read() throws the error again.
class decompressor : public source {
 public:
  std::size_t read(std::span<std::byte> out) final;

  // Jumps to the start of the block (xz) or frame (zstd) that contains byte `n` from here, or
  // of the last one. Does so only if the position is certain: by the headers of zstd frames,
  // or by the index of an .xz file, confirmed by the headers of its blocks. If the skipped
  // bytes are sound, the following bytes are those that reading would have delivered. Damage
  // to the skipped bytes stays undetected.
  std::uint64_t skip(std::uint64_t n) final;
  // Returns the start of the block (xz) or frame (zstd) that contains `offset`; 0 if unknown.
  std::uint64_t entry_before(std::uint64_t offset) final;

 protected:
  decompressor(codec kind, std::unique_ptr<source> compressed, std::string name,
               std::unique_ptr<detail::decoder> decoder);

 private:
  using entry = detail::decoder::entry;

  std::size_t advance(std::span<std::byte> out);
  // Returns the result of decoder::find(), or nothing if it throws.
  std::optional<entry> find_if_any(std::uint64_t content);
  [[nodiscard]] std::string kind_name() const;
  [[nodiscard]] std::string not_a_member_message() const;
  // Stores the first failure; read() throws it when no bytes are left to deliver.
  void fail(trace_errc code, std::uint64_t offset, const std::string& message);

  codec kind_;
  std::unique_ptr<source> compressed_;
  std::string name_;
  std::unique_ptr<std::byte[]> buffer_;  // allocated once, by the first read()
  std::span<const std::byte> in_;        // part of buffer_ that is not decoded yet
  std::uint64_t offset_ = 0;             // offset of in_ in the compressed file
  std::uint64_t content_ = 0;            // bytes of content delivered or skipped
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
