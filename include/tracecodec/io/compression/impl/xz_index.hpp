// Finds the start of each block of an .xz file from the indexes at the ends of the file's streams.
// The header of each block must confirm its index entry. Only xz.ipp includes this file.
#pragma once
#include <lzma.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../../input/lookahead.hpp"
#include "../../input/source.hpp"

namespace tracecodec::io::detail {

// Returns the decompressed size of the LZMA2 chunks that begin at `at`, according to the chunk
// headers. Returns nullopt unless the chunks end with a zero byte right before `end`.
inline std::optional<std::uint64_t> lzma2_content(scattered_reads& from, std::uint64_t at,
                                                  std::uint64_t end) {
  std::uint64_t content = 0;
  while (at < end) {
    const std::span<const std::byte> chunk = from.look(at, 6);
    // At least 6 bytes can be read in a complete file, because a check, padding or an index follows
    // the last chunk.
    if (chunk.size() < 6) return std::nullopt;
    const auto byte = [&](std::size_t i) { return std::to_integer<unsigned>(chunk[i]); };
    const unsigned control = byte(0), size = byte(1) << 8 | byte(2);
    if (control == 0) return at + 1 == end ? std::optional(content) : std::nullopt;
    if (control < 0x80) {  // uncompressed chunk
      if (control > 2) return std::nullopt;
      content += size + 1;
      at += 3 + size + 1;
    } else {
      content += ((control & 0x1F) << 16 | size) + 1;
      // If the control byte is 0xC0 or more, the chunk header also contains a properties byte.
      at += (control < 0xC0 ? 5 : 6) + (byte(3) << 8 | byte(4)) + 1;
    }
  }
  return std::nullopt;
}

// Combined index of all streams of a file. It needs 16 bytes of memory for each block and about 300
// bytes for each stream, but never more than memory_limit.
class xz_index {
 public:
  // Maximum size of an index in bytes, which is sufficient for 125,000 blocks or 7,000 streams. The
  // number of streams must be limited, because liblzma takes time proportional to its square.
  static constexpr std::uint64_t memory_limit = std::uint64_t{2} << 20;

  // Block where decoding can begin.
  struct place {
    std::uint64_t at = 0, content = 0;  // offset in the file, offset in the decompressed data
    lzma_index_iter block = {};
  };

  // Returns the index of `from`. Returns nullopt if the file is incomplete or has no content,
  // or if its index would take more than `memory` or memory_limit bytes. Also returns nullopt
  // if liblzma is older than 5.4.0. Throws trace_error(system).
  static std::optional<xz_index> of(source& from, std::uint64_t memory) {
#if LZMA_VERSION >= 50040002  // 5.4.0
    stream_in decoder;
    lzma_index* found = nullptr;
    const std::uint64_t size = from.seekable().value_or(0);
    lzma_stream& s = decoder.stream;
    if (lzma_file_info_decoder(&s, &found, std::min(memory, memory_limit), size) != LZMA_OK)
      return std::nullopt;
    std::vector<std::byte> buffer(std::size_t{16} << 10);
    from.seek(0);
    lzma_ret ret = LZMA_OK;
    while (ret == LZMA_OK || ret == LZMA_SEEK_NEEDED) {
      if (ret == LZMA_SEEK_NEEDED) {
        from.seek(s.seek_pos);
        s.avail_in = 0;
      }
      if (s.avail_in == 0) {
        s.next_in = reinterpret_cast<const std::uint8_t*>(buffer.data());
        s.avail_in = from.read(buffer);
        if (s.avail_in == 0) return std::nullopt;  // the file has become shorter
      }
      ret = lzma_code(&s, LZMA_RUN);
    }
    if (ret != LZMA_STREAM_END) return std::nullopt;
    xz_index index(found);
    if (lzma_index_uncompressed_size(found) == 0) return std::nullopt;
    return index;
#else
    static_cast<void>(from);
    static_cast<void>(memory);
    return std::nullopt;
#endif
  }

  // Returns the block that contains offset `content` in the decompressed data. If the data end
  // before that offset, returns the last block that is not empty. Returns nullopt if that block
  // or an earlier block contradicts the index. Throws trace_error(system).
  std::optional<place> find(source& from, std::uint64_t content) {
    lzma_index_iter block;
    lzma_index_iter_init(&block, index_.get());
    const std::uint64_t all = lzma_index_uncompressed_size(index_.get());
    if (lzma_index_iter_locate(&block, std::min(content, all - 1))) return std::nullopt;
    scattered_reads reads(from);
    while (sound_ && confirmed_ < block.block.number_in_file) {
      sound_ = !lzma_index_iter_next(&next_, LZMA_INDEX_ITER_BLOCK) && confirms(reads);
      confirmed_ += sound_ ? 1 : 0;
    }
    if (!sound_) return std::nullopt;
    return place{block.block.compressed_file_offset, block.block.uncompressed_file_offset, block};
  }

  // Functions that return the bytes needed to turn `first` and the later blocks of its stream into
  // a complete stream. header() returns the stream header before the blocks, and tail() returns the
  // index and the footer after the blocks. The result is empty if liblzma cannot encode these
  // parts, for example because memory is exhausted.
  static std::vector<std::byte> header(const place& first) {
    std::vector<std::byte> out(LZMA_STREAM_HEADER_SIZE);
    const lzma_stream_flags flags = *first.block.stream.flags;
    if (lzma_stream_header_encode(&flags, bytes(out)) != LZMA_OK) return {};
    return out;
  }
  static std::vector<std::byte> tail(const place& first) {
    const std::unique_ptr<lzma_index, release> rest(lzma_index_init(nullptr));
    lzma_index_iter block = first.block;
    const lzma_vli stream = block.stream.number;
    do {
      if (!rest || lzma_index_append(rest.get(), nullptr, block.block.unpadded_size,
                                     block.block.uncompressed_size) != LZMA_OK)
        return {};
    } while (!lzma_index_iter_next(&block, LZMA_INDEX_ITER_BLOCK) && block.stream.number == stream);
    lzma_stream_flags flags = *first.block.stream.flags;
    flags.backward_size = lzma_index_size(rest.get());
    const auto size = static_cast<std::size_t>(flags.backward_size);
    std::vector<std::byte> out(size + LZMA_STREAM_HEADER_SIZE);
    std::size_t used = 0;
    if (lzma_index_buffer_encode(rest.get(), bytes(out), &used, size) != LZMA_OK ||
        lzma_stream_footer_encode(&flags, bytes(out) + size) != LZMA_OK)
      return {};
    return out;
  }
  // Returns the size in bytes of the index and the footer of the stream that contains `first`.
  static std::uint64_t tail_size(const place& first) {
    return first.block.stream.flags->backward_size + LZMA_STREAM_HEADER_SIZE;
  }
  // Returns the total size in bytes of `first` and the later blocks of its stream.
  static std::uint64_t blocks_size(const place& first) {
    const auto& stream = first.block.stream;
    return stream.compressed_offset + stream.compressed_size - tail_size(first) - first.at;
  }

 private:
  struct stream_in {
    lzma_stream stream = LZMA_STREAM_INIT;
    ~stream_in() { lzma_end(&stream); }
  };
  struct release {
    void operator()(lzma_index* index) const { lzma_index_end(index, nullptr); }
  };

  explicit xz_index(lzma_index* index) : index_(index) { lzma_index_iter_init(&next_, index); }

  static std::uint8_t* bytes(std::vector<std::byte>& out) {
    return reinterpret_cast<std::uint8_t*>(out.data());
  }

  // Returns true if the header of block next_ agrees with the index. If the header does not store
  // sizes, the function computes them from the block's chunks. For example, `xz -T1 --block-size`
  // does not store sizes. Always returns false if liblzma is older than 5.4.0.
  [[nodiscard]] bool confirms([[maybe_unused]] scattered_reads& reads) const {
#if LZMA_VERSION >= 50040002
    const auto& said = next_.block;
    const std::uint64_t at = said.compressed_file_offset;
    const auto first = reads.look(at, 1);
    if (first.empty() || first[0] == std::byte{0}) return false;
    lzma_filter filters[LZMA_FILTERS_MAX + 1];
    lzma_block block{};
    block.version = 1;
    block.header_size = lzma_block_header_size_decode(std::to_integer<std::uint32_t>(first[0]));
    block.check = next_.stream.flags->check;
    block.filters = filters;
    const auto header = reads.look(at, block.header_size);
    if (header.size() < block.header_size) return false;
    const auto* raw = reinterpret_cast<const std::uint8_t*>(header.data());
    if (lzma_block_header_decode(&block, nullptr, raw) != LZMA_OK) return false;
    std::size_t last = 0;
    while (filters[last + 1].id != LZMA_VLI_UNKNOWN) ++last;
    const bool lzma2 = filters[last].id == LZMA_FILTER_LZMA2;
    lzma_filters_free(filters, nullptr);
    const bool complete =
        block.compressed_size != LZMA_VLI_UNKNOWN && block.uncompressed_size != LZMA_VLI_UNKNOWN;
    if (lzma_block_compressed_size(&block, said.unpadded_size) != LZMA_OK) return false;
    if (complete) return block.uncompressed_size == said.uncompressed_size;
    const std::uint64_t data = at + block.header_size;
    return lzma2 && lzma2_content(reads, data, data + block.compressed_size) ==
                        std::optional<std::uint64_t>(said.uncompressed_size);
#else
    return false;
#endif
  }

  std::unique_ptr<lzma_index, release> index_;
  lzma_index_iter next_ = {};  // last confirmed block, or a position before the first block
  std::uint64_t confirmed_ = 0;
  bool sound_ = true;
};

}  // namespace tracecodec::io::detail
