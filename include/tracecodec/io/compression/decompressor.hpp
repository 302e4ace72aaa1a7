// What the decompressors share: the buffer of compressed bytes, the loop of read(), skipping by
// blocks, and errors that know their offset and wait until every byte before them is delivered. A
// codec adds a decoder.
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

// Base of every codec's decoder: the state of the codec's library.
class decoder {
 public:
  enum class outcome : std::uint8_t {
    more,          // wants more input, or more room
    member_end,    // a member (gzip), frame (zstd, lz4) or stream (bzip2) is whole; more may follow
    end,           // the whole input is decoded
    failed,        // `code` and `message` say why
    not_a_member,  // something else stands where a member should start
  };
  struct step {
    std::size_t used = 0;     // bytes taken from the front of `in`
    std::size_t written = 0;  // bytes put at the front of `out`; valid with every outcome
    outcome what = outcome::more;
    trace_errc code = trace_errc::corrupt;
    std::string message = {};
  };
  // Where decoding can begin: bytes from the start of the compressed file, and of the content.
  struct entry {
    std::uint64_t at = 0, content = 0;
  };

  decoder() = default;
  decoder(const decoder&) = delete;
  decoder& operator=(const decoder&) = delete;
  virtual ~decoder() = default;

  // Decodes from `in` to `out`, which is not empty. An empty `in` is the end of the input.
  virtual step decode(std::span<const std::byte> in, std::span<std::byte> out) = 0;

  // Returns the last entry at or before byte `content` of the content, or of all if it has fewer;
  // nothing if none is known for sure. `from` is the compressed file, seekable, and may be left
  // anywhere.
  virtual std::optional<entry> find(source& /*from*/, std::uint64_t /*content*/) {
    return std::nullopt;
  }
  // Makes the next decode() get the bytes at the entry that find() returned last.
  virtual void restart() {}

 protected:
  // In MiB, rounded up, or in bytes below that.
  static std::string size_text(std::uint64_t bytes);

  // Makes `s` fail: a member needs a dictionary or a window of so many bytes, as far as is known,
  // which is above the limit.
  static void refuse_memory(step& s, std::optional<std::uint64_t> need, std::uint64_t limit);
};

}  // namespace detail

// Base of every X_source, which adds a decoder. Errors of read(), all with the compressed file's
// name and the offset the decoder reached in it: trace_error(truncated), (corrupt), also for bytes
// that follow the last member and start no other, (unsupported) for what the codec's library
// refuses to decode; and whatever the compressed bytes' own source throws. An error is thrown again
// by each later read().
class decompressor : public source {
 public:
  std::size_t read(std::span<std::byte> out) final;

  // Goes to the start of the block (xz) or frame (zstd) that byte `n` from here is in, or of the
  // last one, if the file's index says where that is and says the same as the blocks' own headers.
  // If all that is skipped is sound, what follows is what it would have been had all been read;
  // damage to it stays unseen.
  std::uint64_t skip(std::uint64_t n) final;
  // The start of such a block or frame.
  std::uint64_t entry_before(std::uint64_t offset) final;

 protected:
  decompressor(codec kind, std::unique_ptr<source> compressed, std::string name,
               std::unique_ptr<detail::decoder> decoder);

 private:
  using entry = detail::decoder::entry;

  std::size_t advance(std::span<std::byte> out);
  // What the decoder finds, or nothing if it throws.
  std::optional<entry> find_if_any(std::uint64_t content);
  [[nodiscard]] std::string kind_name() const;
  [[nodiscard]] std::string not_a_member_message() const;
  // Keeps the first failure; read() throws it when nothing is left to deliver.
  void fail(trace_errc code, std::uint64_t offset, const std::string& message);

  codec kind_;
  std::unique_ptr<source> compressed_;
  std::string name_;
  std::unique_ptr<std::byte[]> buffer_;  // allocated once, by the first read()
  std::span<const std::byte> in_;        // the part of buffer_ not decoded yet
  std::uint64_t offset_ = 0;             // of in_ in the compressed file
  std::uint64_t content_ = 0;            // bytes delivered or skipped
  std::uint64_t member_start_ = 0;       // offset of the member being decoded
  bool between_members_ = false;         // the input may end here
  bool at_end_ = false;                  // compressed_ has no more
  bool ended_ = false;
  int stalls_ = 0;
  std::exception_ptr failure_;
  std::unique_ptr<detail::decoder> decoder_;
};

}  // namespace tracecodec::io

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/decompressor.ipp"
#endif
