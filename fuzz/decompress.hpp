// Code that the targets for decompressing sources share.
#pragma once
#include <tracecodec/io/compression/codecs.hpp>
#include <tracecodec/io/input/lookahead.hpp>

#include <algorithm>
#include <memory>

#include "input.hpp"

namespace fuzz {

inline constexpr std::size_t most = std::size_t{4} << 20;
// Limits memory below the default, because the size that a file requests is allocated at once.
inline constexpr io::xz_options small_memory{.threads = 1, .memory = std::uint64_t{16} << 20};

// Bytes that are delivered before the end or an error, limited to about `most`.
struct decompressed {
  bytes content = {};
  std::optional<trace_error> error = {};
};
inline decompressed decompress(io::codec kind, view in, std::size_t chunk) {
  decompressed all;
  all.error = error_of([&] {
    const auto from = io::decompress(kind, std::make_unique<io::memory_source>(in), "fuzz",
                                     small_memory, {.memory = std::uint64_t{1} << 20});
    const auto piece = std::make_unique_for_overwrite<std::byte[]>(chunk);
    while (all.content.size() < most) {
      const std::size_t n = from->read({piece.get(), chunk});
      if (n == 0) break;
      all.content.insert(all.content.end(), piece.get(), piece.get() + n);
    }
  });
  return all;
}

inline bool is_prefix(const bytes& a, const bytes& b) {
  return a.size() <= b.size() && std::equal(a.begin(), a.end(), b.begin());
}

// Tests that skipping has the same effect as reading and discarding, unless there is an error.
inline void try_skip(io::codec kind, view in, std::size_t wanted, const decompressed& all) {
  io::lookahead_source from(io::decompress(kind, std::make_unique<io::memory_source>(in), "fuzz",
                                           small_memory, {.memory = std::uint64_t{1} << 20}));
  const std::uint64_t skipped = from.skip(wanted);
  if (all.error || all.content.size() >= most) return;
  const std::size_t there = std::min(wanted, all.content.size());
  require(skipped == there, "as many bytes to skip as to read");
  bytes next(std::min<std::size_t>(4096, all.content.size() - there));
  require(from.read(next) == next.size() &&
              std::equal(next.begin(), next.end(),
                         all.content.begin() + static_cast<std::ptrdiff_t>(there)),
          "the same bytes behind what is skipped");
}

// Compressor for a codec: the project's, or the codec's own library for codecs that the
// project only reads.
using compressor = bytes (*)(io::codec kind, view content);
// Compresses in small blocks, which need little memory. Clearing more memory would take most of the
// time.
inline bytes compress(io::codec kind, view content) {
  bytes out;
  const auto to =
      io::compress(kind, sink_to(out), "out", {.level = 1, .threads = 1, .block_size = 4096});
  to->write(content);
  to->finish();
  return out;
}

// Tests a codec. The first byte selects the size of the pieces to read and the number of bytes
// to skip. If both of its lowest bits are set, the output is compressed again.
inline void try_codec(io::codec kind, view in, compressor compressed = compress) {
  const unsigned how = take_byte(in);
  std::size_t chunk = 1 + 16 * how;
  const decompressed all = decompress(kind, in, std::size_t{64} << 10);
  if (all.content.size() < (std::size_t{256} << 10)) {
    chunk = std::max(chunk, all.content.size() / 1024);
    const decompressed pieces = decompress(kind, in, chunk);
    require(pieces.error.has_value() == all.error.has_value(),
            "the same end, in pieces or at once");
    // The codec's library may output part of a damaged block before it detects the damage. The
    // length of this output depends on the buffer size.
    const bool same =
        all.error ? is_prefix(pieces.content, all.content) || is_prefix(all.content, pieces.content)
                  : pieces.content == all.content;
    require(same, "the same bytes in pieces of any size");
  }
  try_skip(kind, in, all.content.size() * how / 200, all);
  if (all.error) return;
  if ((how & 3U) != 3 || all.content.size() > 4096) return;
  const decompressed again = decompress(kind, compressed(kind, all.content), chunk);
  require(!again.error && again.content == all.content, "decode(encode(x)) == x");
}

}  // namespace fuzz
