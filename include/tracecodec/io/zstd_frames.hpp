// Where the frames of a .zst file begin, by the seek table at its end or by walking over the frames'
// blocks, and that table as it is written. The frames' own headers tell how much they hold. The
// table is Zstandard's seekable format: a skippable frame, all numbers little-endian,
//
//   4  magic 0x184D2A5E       4  number of frames
//   4  size of the rest       1  descriptor: bit 7 checksums, bits 6 to 2 zero
//   8 or 12 for each frame:   4  magic 0x8F92EAB1
//     4  size
//     4  content
//    (4  checksum of it)
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "codec.hpp"
#include "source.hpp"

namespace tracecodec::io::detail {

inline constexpr std::uint32_t seek_table_magic = 0x184D2A5E, seek_table_end = 0x8F92EAB1;
inline constexpr std::size_t seek_table_head = 8, seek_table_foot = 9;
inline constexpr std::size_t seek_table_most = 0x8000000;  // frames

// What the first bytes of a frame tell.
struct zstd_header {
  std::uint64_t size = 0;     // of a skippable frame all its bytes, else of the header
  std::uint64_t content = 0;  // bytes that the frame says it holds
  bool skippable = false, checksum = false;
};

// Nothing if it is no frame, or one that does not say how much it holds. `in`: 18 bytes of it, or
// all that remain.
constexpr std::optional<zstd_header> zstd_header_of(std::span<const std::byte> in) {
  if (in.size() < 8) return std::nullopt;  // even an empty frame has 9
  const std::uint32_t magic = little_u32(in, 0);
  if ((magic & 0xFFFFFFF0U) == 0x184D2A50U)
    return zstd_header{std::uint64_t{8} + little_u32(in, 4), 0, true, false};
  if (magic != 0xFD2FB528U) return std::nullopt;
  const unsigned descriptor = byte_at(in, 4), size_code = descriptor >> 6;
  const bool single = (descriptor & 0x20U) != 0;  // its window is its content
  constexpr unsigned dictionary[] = {0, 1, 2, 4};
  const unsigned at = 5 + (single ? 0 : 1) + dictionary[descriptor & 3U];
  const unsigned length = size_code != 0 ? 1U << size_code : single ? 1 : 0;
  if (length == 0 || in.size() < at + length) return std::nullopt;
  std::uint64_t content = size_code == 1 ? 256 : 0, value = 0;
  for (unsigned i = length; i-- != 0;) value = value << 8 | byte_at(in, at + i);
  content += value;
  return zstd_header{at + length, content, false, (descriptor & 4U) != 0};
}

// Goes forward over a file's frames. Memory: two pieces of the file, of 4 KiB each.
class zstd_frames {
 public:
  // Where a frame begins: bytes from the start of the file, and of its content.
  struct place {
    std::uint64_t at = 0, content = 0;
  };

  // Throws trace_error(system), as find() does.
  explicit zstd_frames(source& from) { read_table(from); }

  // The frame with byte `content` of the content, or the last one before it behind which nothing is
  // known for sure. Does not go back: where it has been further, it tells that again.
  place find(source& from, std::uint64_t content) {
    scattered_reads here(from), entries(from);
    while (next_.at != here.size()) {
      const auto header = zstd_header_of(here.look(next_.at, 18));
      std::optional<std::uint64_t> size;
      if (header) {
        if (!header->skippable) {
          frame_ = next_;
          if (content < next_.content || content - next_.content < header->content) break;
        }
        size = header->skippable ? header->size
               : table_          ? by_table(entries, *header)
                                 : by_blocks(here, next_.at + header->size, *header);
      }
      if (size && *size <= here.size() - next_.at) {
        next_.at += *size;
        next_.content += header->content;
      } else if (table_) {  // it is wrong here, and may have been before
        table_.reset();
        next_ = frame_ = {};
      } else {
        break;
      }
    }
    return frame_;
  }

 private:
  struct listed {
    std::uint64_t at = 0;  // of the first entry
    std::uint64_t entries = 0, entry_size = 0, used = 0;
  };

  // A table is used if it says that the frames end where it begins.
  void read_table(source& from) {
    scattered_reads reads(from);
    const std::uint64_t size = reads.size();
    if (size < seek_table_head + seek_table_foot) return;
    const auto foot = reads.look(size - seek_table_foot, seek_table_foot);
    if (foot.size() < seek_table_foot || little_u32(foot, 5) != seek_table_end) return;
    const unsigned descriptor = byte_at(foot, 4);
    if ((descriptor & 0x7CU) != 0) return;
    listed t{.entries = little_u32(foot, 0), .entry_size = descriptor >= 0x80 ? 12U : 8U};
    const std::uint64_t rest = t.entries * t.entry_size + seek_table_foot;
    if (size - seek_table_head < rest) return;
    const std::uint64_t begin = size - seek_table_head - rest;
    t.at = begin + seek_table_head;
    const auto head = reads.look(begin, seek_table_head);
    if (head.size() < seek_table_head || little_u32(head, 0) != seek_table_magic ||
        little_u32(head, 4) != rest)
      return;
    std::uint64_t frames = 0;
    for (std::uint64_t i = 0; i < t.entries; ++i) {
      const auto entry = reads.look(t.at + i * t.entry_size, 8);
      if (entry.size() < 8) return;
      frames += little_u32(entry, 0);
    }
    if (frames == begin) table_ = t;
  }

  // The size of the frame at next_.
  std::optional<std::uint64_t> by_table(scattered_reads& reads, const zstd_header& header) {
    if (table_->used == table_->entries) return std::nullopt;
    const auto entry = reads.look(table_->at + table_->used++ * table_->entry_size, 8);
    if (entry.size() < 8 || little_u32(entry, 4) != header.content) return std::nullopt;
    // So that a wrong table leads forward: a frame has a block of 3 bytes at least.
    const std::uint64_t size = little_u32(entry, 0);
    return size >= header.size + 3 ? std::optional(size) : std::nullopt;
  }

  // The same by its blocks, of which the first is at `at`.
  std::optional<std::uint64_t> by_blocks(scattered_reads& reads, std::uint64_t at,
                                         const zstd_header& header) const {
    for (;;) {
      const auto block = reads.look(at, 3);
      if (block.size() < 3) return std::nullopt;
      const unsigned bits = byte_at(block, 0) | byte_at(block, 1) << 8 | byte_at(block, 2) << 16;
      const unsigned type = bits >> 1 & 3U;
      if (type == 3) return std::nullopt;
      at += 3 + (type == 1 ? 1U : bits >> 3);  // of one byte that repeats, that byte
      if ((bits & 1U) != 0) return at + (header.checksum ? 4 : 0) - next_.at;
    }
  }

  std::optional<listed> table_ = {};
  place next_ = {}, frame_ = {};  // how far it has come; the last frame that is no skippable one
};

// What a writer knows of a frame.
struct zstd_frame {
  std::uint32_t size = 0, content = 0;
};

// The seek table of `frames`; nothing for more than there can be.
inline std::vector<std::byte> seek_table(std::span<const zstd_frame> frames) {
  std::vector<std::byte> out;
  if (frames.size() > seek_table_most) return out;
  const auto put = [&out](std::uint64_t value, unsigned n) {
    for (unsigned i = 0; i < n; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
  };
  const std::size_t rest = 8 * frames.size() + seek_table_foot;
  out.reserve(seek_table_head + rest);
  put(seek_table_magic, 4);
  put(rest, 4);
  for (const zstd_frame& f : frames) {
    put(f.size, 4);
    put(f.content, 4);
  }
  put(frames.size(), 4);
  put(0, 1);
  put(seek_table_end, 4);
  return out;
}

}  // namespace tracecodec::io::detail
