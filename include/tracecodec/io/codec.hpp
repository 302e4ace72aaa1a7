// Which compression a file has: by name, by suffix, by content.
// Light: no compression library is included here.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace tracecodec::io {

enum class codec : std::uint8_t { none, xz, gzip, bzip2, zstd, lz4 };

// How many bytes recognise() wants to see: enough to look behind short skippable frames.
inline constexpr std::size_t recognise_window = 4096;

// "none", "xz", "gzip", "bzip2", "zstd" or "lz4".
constexpr std::string_view codec_name(codec c) {
  switch (c) {
    case codec::none:
      return "none";
    case codec::xz:
      return "xz";
    case codec::gzip:
      return "gzip";
    case codec::bzip2:
      return "bzip2";
    case codec::zstd:
      return "zstd";
    case codec::lz4:
      return "lz4";
  }
  return "unknown";  // no enumerator
}

// The codec of that codec_name(), or nothing.
constexpr std::optional<codec> codec_of_name(std::string_view name) {
  for (const codec c :
       {codec::none, codec::xz, codec::gzip, codec::bzip2, codec::zstd, codec::lz4}) {
    if (codec_name(c) == name) return c;
  }
  return std::nullopt;
}

// By the path's end, in lower case: .xz .gz .bz2 .zst .lz4; any other end is codec::none.
constexpr codec codec_of_suffix(std::string_view path) {
  constexpr std::array<std::pair<std::string_view, codec>, 5> suffixes{{{".xz", codec::xz},
                                                                        {".gz", codec::gzip},
                                                                        {".bz2", codec::bzip2},
                                                                        {".zst", codec::zstd},
                                                                        {".lz4", codec::lz4}}};
  for (const auto& [suffix, c] : suffixes) {
    if (path.ends_with(suffix)) return c;
  }
  return codec::none;
}

namespace detail {

constexpr unsigned byte_at(std::span<const std::byte> in, std::size_t i) {
  return i < in.size() ? std::to_integer<unsigned>(in[i]) : 0x100U;  // 0x100 equals no byte
}

constexpr std::uint32_t little_u32(std::span<const std::byte> in, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 4; i-- != 0;) value = value << 8 | byte_at(in, at + i);
  return value;
}

constexpr bool starts_with(std::span<const std::byte> in, std::string_view magic) {
  for (std::size_t i = 0; i < magic.size(); ++i) {
    if (byte_at(in, i) != static_cast<unsigned char>(magic[i])) return false;
  }
  return true;
}

// zstd and lz4 share the skippable frame: 50-5F 2A 4D 18, a 32-bit size, that many bytes.
constexpr std::span<const std::byte> behind_skippable_frames(std::span<const std::byte> in) {
  while (in.size() >= 8 && (little_u32(in, 0) & 0xFFFFFFF0U) == 0x184D2A50U) {
    const std::uint32_t size = little_u32(in, 4);
    if (size >= in.size() - 8) return {};
    in = in.subspan(8 + size);
  }
  return in;
}

}  // namespace detail

// By content. `first` holds the first bytes of a file: recognise_window of them, or all there are.
// More than the magic is checked, as the first 8 bytes of an uncompressed trace are often an
// address, and 0x00000000184D2204 holds the magic of lz4.
constexpr codec recognise(std::span<const std::byte> first) {
  const auto at = [](std::span<const std::byte> in, std::size_t i) {
    return detail::byte_at(in, i);
  };
  constexpr std::string_view xz_magic{"\xFD\x37\x7A\x58\x5A\x00", 6};
  if (detail::starts_with(first, xz_magic)) return codec::xz;
  // gzip: the method is always 8, deflate; flag bits 5 to 7 are reserved.
  if (detail::starts_with(first, "\x1F\x8B\x08") && at(first, 3) < 0x20) return codec::gzip;
  // bzip2: the level, then the magic of a block or of the end of the stream.
  if (detail::starts_with(first, "BZh") && at(first, 3) >= '1' && at(first, 3) <= '9' &&
      (detail::starts_with(first.subspan(4), "1AY&SY") ||
       detail::starts_with(first.subspan(4), "\x17rE8P\x90"))) {
    return codec::bzip2;
  }
  const std::span<const std::byte> frame = detail::behind_skippable_frames(first);
  // zstd: bit 3 of the frame header descriptor is reserved.
  if (detail::starts_with(frame, "\x28\xB5\x2F\xFD") && at(frame, 4) < 0x100 &&
      (at(frame, 4) & 0x08) == 0) {
    return codec::zstd;
  }
  // lz4: FLG holds version 01 and a reserved bit; BD a block size code of 4 to 7 and reserved bits.
  if (detail::starts_with(frame, "\x04\x22\x4D\x18") && (at(frame, 4) & 0x1C2) == 0x40 &&
      (at(frame, 5) & 0x18F) == 0 && at(frame, 5) >= 0x40) {
    return codec::lz4;
  }
  return codec::none;
}

}  // namespace tracecodec::io
