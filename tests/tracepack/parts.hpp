// Tracepack file split into parts, for tests that change parts and join them again. joined()
// recomputes checksums of headers. Only mend() updates the other values that describe the parts.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

#include "tracecodec/io/compression/zstd_block.hpp"
#include "tracecodec/tracepack/impl/crc.hpp"
#include "tracecodec/tracepack/layout.hpp"

namespace test {

namespace tracepack = tracecodec::tracepack;

struct pack_frame {
  tracepack::frame_header header = {};
  std::vector<std::byte> payload = {};
};
struct pack_parts {
  tracepack::front front = {};
  std::vector<std::byte> about = {};
  std::vector<pack_frame> frames = {};
  tracepack::index_header index = {};
  std::vector<tracepack::index_entry> entries = {};
  tracepack::end_of_file end = {};
  std::vector<std::byte> behind = {};
};

// Splits a file. Returns nullopt if the file is invalid, or if there is anything but frames between
// front and index.
inline std::optional<pack_parts> split(std::span<const std::byte> in) {
  namespace tp = tracepack;
  pack_parts all;
  const auto take = [&in](std::size_t n) {
    const auto part = in.first(n);
    in = in.subspan(n);
    return std::vector<std::byte>(part.begin(), part.end());
  };
  if (!tp::front_codec::decode(in, all.front)) return std::nullopt;
  take(tp::front_codec::size);
  if (all.front.about_size > in.size()) return std::nullopt;
  all.about = take(all.front.about_size);
  for (pack_frame f; tp::frame_codec::decode(in, f.header);) {
    if (f.header.payload_size > in.size() - tp::frame_codec::size) return std::nullopt;
    take(tp::frame_codec::size);
    f.payload = take(f.header.payload_size);
    all.frames.push_back(f);
  }
  if (!tp::index_codec::decode(in, all.index)) return std::nullopt;
  take(tp::index_codec::size);
  if (in.size() / tp::entry_codec::size < all.index.frames) return std::nullopt;
  for (std::uint32_t i = 0; i != all.index.frames; ++i)
    all.entries.push_back(tp::entry_codec::load(take(tp::entry_codec::size).data()));
  if (!tp::end_codec::decode(in, all.end)) return std::nullopt;
  take(tp::end_codec::size);
  all.behind = take(in.size());
  return all;
}

inline std::vector<std::byte> bytes_of(std::span<const tracepack::index_entry> entries) {
  std::vector<std::byte> out(entries.size() * tracepack::entry_codec::size);
  for (std::size_t i = 0; i != entries.size(); ++i)
    tracepack::entry_codec::store(entries[i], out.data() + i * tracepack::entry_codec::size);
  return out;
}

// Updates sizes, checksums of parts, and the index to match the frames. `record_size` must equal
// the record size in `about`.
inline void mend(pack_parts& p, std::size_t record_size) {
  namespace tp = tracepack;
  p.front.about_size = static_cast<std::uint32_t>(p.about.size());
  p.front.about_crc = tp::detail::crc_of(p.about);
  std::uint64_t at = tp::front_codec::size + p.about.size(), content = 0;
  p.entries.clear();
  for (pack_frame& f : p.frames) {
    f.header.payload_size = static_cast<std::uint32_t>(f.payload.size());
    f.header.payload_crc = tp::detail::crc_of(f.payload);
    p.entries.push_back({at, f.header.content_offset, f.header.base, f.header.payload_crc});
    at += tp::frame_codec::size + f.payload.size();
    content += f.header.content_size;
  }
  p.index.frames = static_cast<std::uint32_t>(p.frames.size());
  p.index.entries_crc = tp::detail::crc_of(bytes_of(p.entries));
  p.end.index_offset = at;
  p.end.frames = p.frames.size();
  p.end.content_size = content;
  p.end.records = content / record_size;
}

// Joins the parts as they are, with correct checksums of headers.
inline std::vector<std::byte> joined(const pack_parts& p) {
  namespace tp = tracepack;
  std::vector<std::byte> out;
  const auto put = [&out](std::span<const std::byte> b) {
    out.insert(out.end(), b.begin(), b.end());
  };
  const auto put_record = [&put]<class Codec>(const typename Codec::value_type& r, Codec*) {
    std::array<std::byte, Codec::size> b{};
    Codec::encode(r, b);
    put(b);
  };
  put_record(p.front, static_cast<tp::front_codec*>(nullptr));
  put(p.about);
  for (const pack_frame& f : p.frames) {
    put_record(f.header, static_cast<tp::frame_codec*>(nullptr));
    put(f.payload);
  }
  put_record(p.index, static_cast<tp::index_codec*>(nullptr));
  put(bytes_of(p.entries));
  put_record(p.end, static_cast<tp::end_codec*>(nullptr));
  put(p.behind);
  return out;
}

// Streams of a model frame by number. streams_in() decompresses the streams, and returns nullopt if
// decompression fails.
using pack_streams = std::map<unsigned, std::vector<std::byte>>;
inline std::optional<pack_streams> streams_in(std::span<const std::byte> payload,
                                              std::size_t most = std::size_t{1} << 24) {
  if (payload.empty()) return std::nullopt;
  std::vector<tracepack::stream_header> headers(std::to_integer<std::size_t>(payload[0]));
  payload = payload.subspan(1);
  for (tracepack::stream_header& h : headers) {
    const auto r = tracepack::stream_codec::decode(payload, h);
    if (!r || h.content_size > most) return std::nullopt;
    payload = payload.subspan(r.used);
  }
  pack_streams all;
  tracecodec::io::zstd_unpacker unpacker;
  for (const tracepack::stream_header& h : headers) {
    if (h.stored_size > payload.size()) return std::nullopt;
    const auto stored = payload.first(h.stored_size);
    payload = payload.subspan(h.stored_size);
    std::vector<std::byte>& to = all[h.number];
    to.assign(stored.begin(), stored.end());
    if (h.stored_size == h.content_size) continue;
    to.resize(h.content_size);
    if (!unpacker.unpack(stored, to)) return std::nullopt;
  }
  return all;
}
// Returns a payload with these streams, uncompressed.
inline std::vector<std::byte> payload_of(const pack_streams& streams) {
  std::vector<std::byte> out{static_cast<std::byte>(streams.size())};
  for (const auto& [number, content] : streams) {
    std::array<std::byte, 16> header{};
    const auto size = static_cast<std::uint32_t>(content.size());
    const auto r =
        tracepack::stream_codec::encode({static_cast<std::uint8_t>(number), size, size}, header);
    out.insert(out.end(), header.begin(), header.begin() + static_cast<std::ptrdiff_t>(r.used));
  }
  for (const auto& [number, content] : streams)
    out.insert(out.end(), content.begin(), content.end());
  return out;
}

}  // namespace test
