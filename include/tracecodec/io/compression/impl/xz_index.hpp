// Where the blocks of an .xz file begin, by the indexes at the end of its streams, each confirmed
// by the block's own header. For xz.ipp alone.
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

// Bytes of content that the chunks of LZMA2 data say they hold, which begin at `at` and end with a
// zero byte right before `end`; nothing if they do not.
inline std::optional<std::uint64_t> lzma2_content(scattered_reads& from, std::uint64_t at,
                                                  std::uint64_t end) {
  std::uint64_t content = 0;
  while (at < end) {
    const std::span<const std::byte> chunk = from.look(at, 6);
    if (chunk.size() < 6) return std::nullopt;  // a check, padding or an index follows the last one
    const auto byte = [&](std::size_t i) { return std::to_integer<unsigned>(chunk[i]); };
    const unsigned control = byte(0), size = byte(1) << 8 | byte(2);
    if (control == 0) return at + 1 == end ? std::optional(content) : std::nullopt;
    if (control < 0x80) {  // not compressed
      if (control > 2) return std::nullopt;
      content += size + 1;
      at += 3 + size + 1;
    } else {
      content += ((control & 0x1F) << 16 | size) + 1;
      at +=
          (control < 0xC0 ? 5 : 6) + (byte(3) << 8 | byte(4)) + 1;  // from 0xC0 on with properties
    }
  }
  return std::nullopt;
}

// The index of all of a file's streams. Memory: 16 bytes for a block, some 300 for a stream, less
// than the limit.
class xz_index {
 public:
  // Bytes: 125,000 blocks, or 7,000 streams. liblzma's time grows with the square of the latter.
  static constexpr std::uint64_t memory_limit = std::uint64_t{2} << 20;

  // A block that decoding can begin with.
  struct place {
    std::uint64_t at = 0, content = 0;  // bytes from the start of the file, and of its content
    lzma_index_iter block = {};
  };

  // Nothing if the file is not whole, has no content, or its index would take more than `memory`
  // bytes or the limit. Throws trace_error(system).
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
        if (s.avail_in == 0) return std::nullopt;  // shorter than it was
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

  // The block with byte `content` of the content, or the last one with any. Nothing if that block,
  // or one before it, is not what the index says. Throws trace_error(system).
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

  // What makes a whole stream of the blocks from `first` to the end of its stream: a header before
  // them, and behind them an index and a footer. Both are empty if memory is short.
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
  // Bytes of the stream's own index and footer, and of its blocks from `first` on.
  static std::uint64_t tail_size(const place& first) {
    return first.block.stream.flags->backward_size + LZMA_STREAM_HEADER_SIZE;
  }
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

  // Whether the block of next_ says of itself what the index says of it. What its header leaves
  // out, as that of `xz -T1 --block-size` does, its data tell.
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
  lzma_index_iter next_ = {};  // the last block that was confirmed, or none
  std::uint64_t confirmed_ = 0;
  bool sound_ = true;
};

}  // namespace tracecodec::io::detail
