// This is the only file that includes snappy-c.h.
#pragma once
#include "../snappy.hpp"

#include <snappy-c.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <span>
#include <string>
#include <utility>

#include "../../checksum.hpp"

namespace tracecodec::io {

namespace detail {

// Decoder of chunks. A chunk consists of a type byte, a length in 3 bytes (little-endian), and a
// body of that length. The decoder collects the whole body of a chunk of data, because the
// checksum must be verified before any byte is delivered.
class snappy_decoder final : public decoder {
 public:
  snappy_decoder()
      : body_(std::make_unique_for_overwrite<char[]>(largest_body)),
        block_(std::make_unique_for_overwrite<char[]>(largest_block)) {}

  step decode(std::span<const std::byte> in, std::span<std::byte> out) override {
    if (ready_ != 0) return deliver(0, out);
    std::size_t used = collect(in, header_.data(), header_size, held_header_);
    if (held_header_ < header_size) return {used};
    if (!checked_) {
      if (const char* const error = check_header(); error != nullptr) return failure(used, error);
      if (unknown_) return {used, 0, outcome::not_a_member};
      checked_ = true;
    }
    in = in.subspan(used);
    if (skippable()) {
      const std::size_t n = std::min(in.size(), length() - held_);
      held_ += n;
      used += n;
    } else {
      used += collect(in, body_.get(), length(), held_);
    }
    if (held_ < length()) return {used};
    if (const char* const error = finish_chunk(); error != nullptr) return failure(used, error);
    at_ += header_size + length();
    held_header_ = held_ = 0;
    checked_ = false;
    return deliver(used, out);
  }

 private:
  static constexpr std::size_t header_size = 4, checksum_size = 4;
  static constexpr std::size_t largest_block = 65536;  // maximum content of a chunk
  // snappy_max_compressed_length(65536), and the checksum.
  static constexpr std::size_t largest_body = 32 + largest_block + largest_block / 6 + 4;
  static constexpr char identifier[] = "sNaPpY";

  // Chunk types. DynamoRIO adds the types 2 and 3.
  static constexpr unsigned compressed = 0, plain = 1, compressed_unchecked = 2,
                            plain_unchecked = 3, first_skippable = 0x80, stream_start = 0xFF;

  [[nodiscard]] unsigned byte(std::size_t i) const {
    return static_cast<unsigned char>(header_[i]);
  }
  [[nodiscard]] unsigned type() const { return byte(0); }
  [[nodiscard]] std::size_t length() const { return byte(1) | byte(2) << 8 | byte(3) << 16; }
  // Returns true for padding (0xFE) and for chunks that a reader ignores.
  [[nodiscard]] bool skippable() const {
    return type() >= first_skippable && type() != stream_start;
  }
  [[nodiscard]] bool is_checked() const { return type() == compressed || type() == plain; }
  [[nodiscard]] bool is_compressed() const {
    return type() == compressed || type() == compressed_unchecked;
  }

  // Moves bytes from `in` to `to` until `to` holds `wanted` bytes. Returns the number moved.
  static std::size_t collect(std::span<const std::byte> in, char* to, std::size_t wanted,
                             std::size_t& held) {
    const std::size_t n = std::min(in.size(), wanted - held);
    if (n != 0) std::memcpy(to + held, in.data(), n);
    held += n;
    return n;
  }

  // Returns the problem of a chunk header, or null. Sets unknown_ if no stream can continue with
  // this chunk.
  const char* check_header() {
    const bool start = type() == stream_start;
    unknown_ = (at_ == 0 && !(start && length() == 6)) ||
               (type() > plain_unchecked && type() < first_skippable);
    if (unknown_ || skippable()) return nullptr;
    if (start) return length() == 6 ? nullptr : "a stream identifier has a length of 6 bytes";
    if (is_checked() && length() < checksum_size) return "a chunk is too short for its checksum";
    const std::size_t largest = is_compressed() ? largest_body - checksum_size : largest_block;
    if (length() - (is_checked() ? checksum_size : 0) > largest)
      return "a chunk is longer than its format allows";
    return nullptr;
  }

  // Decompresses and verifies a whole chunk. Returns the problem, or null.
  const char* finish_chunk() {
    ready_ = given_ = 0;
    if (skippable()) return nullptr;
    if (type() == stream_start)
      return std::memcmp(body_.get(), identifier, 6) == 0 ? nullptr : "wrong stream identifier";
    const std::size_t before = is_checked() ? checksum_size : 0;
    const char* const data = body_.get() + before;
    const std::size_t size = length() - before;
    if (is_compressed()) {
      std::size_t content = 0;
      if (snappy_uncompressed_length(data, size, &content) != SNAPPY_OK || content > largest_block)
        return "a chunk states a wrong size of its content";
      if (snappy_uncompress(data, size, block_.get(), &content) != SNAPPY_OK)
        return "a chunk cannot be decompressed";
      ready_ = content;
    } else {
      if (size != 0) std::memcpy(block_.get(), data, size);
      ready_ = size;
    }
    if (!is_checked() || checksum() == stored_checksum()) return nullptr;
    ready_ = 0;
    return "wrong checksum";
  }

  // Returns the masked CRC-32C of the content.
  [[nodiscard]] std::uint32_t checksum() const {
    crc32c sum;
    sum.update(std::as_bytes(std::span(block_.get(), ready_)));
    return (sum.value() >> 15 | sum.value() << 17) + 0xA282EAD8;
  }
  [[nodiscard]] std::uint32_t stored_checksum() const {
    std::uint32_t value = 0;
    for (std::size_t i = checksum_size; i-- != 0;)
      value = value << 8 | static_cast<unsigned char>(body_[i]);
    return value;
  }

  step deliver(std::size_t used, std::span<std::byte> out) {
    const std::size_t n = std::min(out.size(), ready_ - given_);
    if (n != 0) std::memcpy(out.data(), block_.get() + given_, n);
    given_ += n;
    if (given_ != ready_) return {used, n};
    ready_ = given_ = 0;
    return {used, n, outcome::member_end};
  }

  [[nodiscard]] step failure(std::size_t used, const char* message) const {
    return {used, 0, outcome::failed, trace_errc::corrupt,
            std::string(message) + " (chunk at offset " + std::to_string(at_) + ")"};
  }

  std::array<char, header_size> header_ = {};
  std::size_t held_header_ = 0;        // number of bytes of the header collected so far
  bool checked_ = false;               // true once the header was checked
  bool unknown_ = false;               // true if the header does not belong to a stream
  std::unique_ptr<char[]> body_;       // body of the current chunk
  std::size_t held_ = 0;               // number of bytes of the body collected or skipped so far
  std::unique_ptr<char[]> block_;      // content of the last chunk
  std::size_t ready_ = 0, given_ = 0;  // size of block_, and number of bytes delivered
  std::uint64_t at_ = 0;               // offset of the current chunk in the file
};

}  // namespace detail

TRACECODEC_FUNC snappy_source::snappy_source(std::unique_ptr<source> compressed, std::string name)
    : decompressor(codec::snappy, std::move(compressed), std::move(name),
                   std::make_unique<detail::snappy_decoder>()) {}

}  // namespace tracecodec::io
