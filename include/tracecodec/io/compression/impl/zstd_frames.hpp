// Finds the start of each frame of a .zst file from the headers of frames and blocks. Also writes
// the seek table, which stores the sizes of the frames. Only zstd.ipp includes this file.
//
// This code never reads a seek table, because only the block headers can reveal that a table omits
// a frame. Reading the block headers takes half a second for 64 GB. The table follows Zstandard's
// seekable format. It is a skippable frame that consists of the following little-endian numbers.
// The first column contains the sizes in bytes:
//
//   4  magic number 0x184D2A5E
//   4  size of the rest
//   8  for each frame:
//        4  size of the frame
//        4  size of its content
//   4  number of frames
//   1  descriptor: 0, no checksums
//   4  magic number 0x8F92EAB1
#pragma once
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "../../input/lookahead.hpp"
#include "../../input/source.hpp"
#include "../codec.hpp"

namespace tracecodec::io::detail {

// Properties of a frame, decoded from its first bytes.
struct zstd_header {
  std::uint64_t size = 0;     // size of a skippable frame, or of another frame's header
  std::uint64_t content = 0;  // decompressed bytes, according to the header
  bool skippable = false, checksum = false;
};

// Maximum size of a frame's header in bytes (RFC 8878, 3.1.1.1).
inline constexpr std::size_t longest_zstd_header = 18;

// Returns the header of the frame at the start of `in`. Returns nullopt if `in` does not begin with
// a frame, or if the frame header does not store the content size. `in` must contain
// longest_zstd_header bytes, or all remaining bytes of the file.
constexpr std::optional<zstd_header> zstd_header_of(std::span<const std::byte> in) {
  if (in.size() < 8) return std::nullopt;  // shorter than any frame
  const first_bytes head{in.data(), in.size()};
  const std::uint32_t magic = head.little_u32(0);
  if ((magic & 0xFFFFFFF0U) == 0x184D2A50U)
    return zstd_header{std::uint64_t{8} + head.little_u32(4), 0, true, false};
  if (magic != 0xFD2FB528U) return std::nullopt;
  const unsigned descriptor = head[4], size_code = descriptor >> 6;
  const bool single = (descriptor & 0x20U) != 0;  // the window contains the whole content
  constexpr unsigned dictionary[] = {0, 1, 2, 4};
  const unsigned at = 5 + (single ? 0 : 1) + dictionary[descriptor & 3U];
  const unsigned length = size_code != 0 ? 1U << size_code : single ? 1 : 0;
  if (length == 0 || in.size() < at + length) return std::nullopt;
  std::uint64_t content = size_code == 1 ? 256 : 0, value = 0;
  for (unsigned i = length; i-- != 0;) value = value << 8 | head[at + i];
  content += value;
  return zstd_header{at + length, content, false, (descriptor & 4U) != 0};
}

// Returns the size in bytes of the window that a frame needs (RFC 8878, 3.1.1.1.2). Returns nullopt
// for a skippable frame, or if `in` ends inside the header. Also returns nullopt if `in` has fewer
// than 8 bytes and the frame has no window descriptor. Only the headers of frames of less than 64
// KiB can be that short.
constexpr std::optional<std::uint64_t> zstd_window_of(std::span<const std::byte> in) {
  const first_bytes head{in.data(), in.size()};
  if (in.size() < 6 || head.little_u32(0) != 0xFD2FB528U) return std::nullopt;
  if ((head[4] & 0x20U) == 0) {
    const std::uint64_t base = std::uint64_t{1} << (10 + (head[5] >> 3));
    return base + base / 8 * (head[5] & 7U);
  }
  const auto header = zstd_header_of(in);  // the window contains the whole content
  return header ? std::optional(header->content) : std::nullopt;
}

// Iterates forward over the frames of a file.
class zstd_frames {
 public:
  // Start of a frame: offset `at` in the file and offset `content` in the decompressed data.
  struct place {
    std::uint64_t at = 0, content = 0;
  };

  // Returns the frame that contains offset `content` in the decompressed data. If that frame cannot
  // be found, returns the last frame with a certain start. Never moves backwards. If the offset is
  // before the frame that the previous call returned, returns the same frame again. Throws
  // trace_error(system).
  place find(source& from, std::uint64_t content) {
    scattered_reads reads(from);
    for (;;) {
      const auto header = zstd_header_of(reads.look(next_.at, longest_zstd_header));
      if (!header) break;
      if (!header->skippable) {
        frame_ = next_;
        if (content < next_.content || content - next_.content < header->content) break;
      }
      const std::uint64_t end = header->skippable ? next_.at + header->size
                                                  : end_of(reads, next_.at + header->size, *header);
      if (end > reads.size() || header->content > nowhere - next_.content) break;
      next_ = {end, next_.content + header->content};
    }
    return frame_;
  }

 private:
  static constexpr std::uint64_t nowhere = std::numeric_limits<std::uint64_t>::max();

  // Returns the offset of the end of the frame with its first block at `at`. Returns nowhere if the
  // blocks are damaged, or cannot contain as many bytes as the header states.
  static std::uint64_t end_of(scattered_reads& reads, std::uint64_t at, const zstd_header& header) {
    constexpr unsigned repeated = 1, compressed = 2, block_most = 1U << 17;
    std::uint64_t least = 0, most = 0;
    for (;;) {
      const auto seen = reads.look(at, 3);
      if (seen.size() < 3) return nowhere;
      const first_bytes block{seen.data(), seen.size()};
      const unsigned bits = block[0] | block[1] << 8 | block[2] << 16;
      const unsigned type = bits >> 1 & 3U, size = bits >> 3;
      if (type > compressed || size > block_most) return nowhere;
      at += 3 + (type == repeated ? 1 : size);
      least += type == compressed ? 0 : size;
      most += type == compressed ? block_most : size;
      if ((bits & 1U) == 0) continue;
      const bool possible = least <= header.content && header.content <= most;
      return possible ? at + (header.checksum ? 4 : 0) : nowhere;
    }
  }

  // Position reached so far, and the last frame before this position that is not skippable.
  place next_ = {}, frame_ = {};
};

// Size of a written frame, and size of the frame's content, in bytes.
struct zstd_frame {
  std::uint32_t size = 0, content = 0;
};

inline constexpr std::size_t most_frames = 0x8000000;  // maximum for a seek table

// Returns the seek table of `frames`, or an empty vector if there are more than most_frames frames.
inline std::vector<std::byte> seek_table(std::span<const zstd_frame> frames) {
  constexpr std::size_t foot = 9;
  std::vector<std::byte> out;
  if (frames.size() > most_frames) return out;
  const auto put = [&out](std::uint64_t value, unsigned n) {
    for (unsigned i = 0; i < n; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
  };
  const std::size_t rest = 8 * frames.size() + foot;
  out.reserve(8 + rest);
  put(0x184D2A5E, 4);
  put(rest, 4);
  for (const zstd_frame& f : frames) {
    put(f.size, 4);
    put(f.content, 4);
  }
  put(frames.size(), 4);
  put(0, 1);
  put(0x8F92EAB1, 4);
  return out;
}

}  // namespace tracecodec::io::detail
