// Identifies a file's compression by name, by suffix or by content. This header does not include a
// compression library.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "../os/path.hpp"

namespace tracecodec::io {

enum class codec : std::uint8_t { none, xz, gzip, bzip2, zstd, lz4, snappy, zip, zstf };

// Number of bytes to pass to recognise(). This number is sufficient even if short skippable frames
// precede the data.
inline constexpr std::size_t recognise_window = 4096;

// Returns "none", "xz", "gzip", "bzip2", "zstd", "lz4", "snappy", "zip" or "zstf".
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
    case codec::snappy:
      return "snappy";
    case codec::zip:
      return "zip";
    case codec::zstf:
      return "zstf";
  }
  // `c` is not an enumerator.
  return "unknown";
}

// Returns the codec with the codec_name() `name`, or nullopt if there is no such codec.
constexpr std::optional<codec> codec_of_name(std::string_view name) {
  for (const codec c : {codec::none, codec::xz, codec::gzip, codec::bzip2, codec::zstd, codec::lz4,
                        codec::snappy, codec::zip, codec::zstf}) {
    if (codec_name(c) == name) return c;
  }
  return std::nullopt;
}

// File name suffix and its codec.
struct codec_suffix {
  std::string_view text;
  codec kind;
};
inline constexpr std::array<codec_suffix, 9> codec_suffixes{{{".xz", codec::xz},
                                                             {".gz", codec::gzip},
                                                             {".gzip", codec::gzip},
                                                             {".bz2", codec::bzip2},
                                                             {".zst", codec::zstd},
                                                             {".zstd", codec::zstd},
                                                             {".lz4", codec::lz4},
                                                             {".sz", codec::snappy},
                                                             {".zip", codec::zip}}};

// Returns the element of codec_suffixes that matches the end of `path`, ignoring case. If no
// element matches, returns codec::none with an empty text.
constexpr codec_suffix codec_suffix_of(std::string_view path) {
  for (const codec_suffix& s : codec_suffixes)
    if (ends_in(path, s.text)) return s;
  return {{}, codec::none};
}
constexpr codec codec_of_suffix(std::string_view path) { return codec_suffix_of(path).kind; }

namespace detail {

// Bytes from the start of a file, or from a later offset. Past the end, operator[] returns
// 0x100, which differs from every byte.
struct first_bytes {
  const std::byte* data;
  std::size_t size;

  constexpr unsigned operator[](std::size_t i) const {
    return i < size ? static_cast<unsigned>(data[i]) : 0x100U;
  }

  constexpr first_bytes from(std::size_t at) const {
    return at < size ? first_bytes{data + at, size - at} : first_bytes{data, 0};
  }

  template <std::size_t N> constexpr bool start_with(const char (&magic)[N]) const {
    for (std::size_t i = 0; i + 1 < N; ++i)
      if ((*this)[i] != static_cast<unsigned char>(magic[i])) return false;
    return true;
  }

  constexpr std::uint32_t little_u32(std::size_t at) const {
    std::uint32_t value = 0;
    for (std::size_t i = 4; i-- != 0;) value = value << 8 | (*this)[at + i];
    return value;
  }
};

// Returns the part of `in` that follows its skippable frames. A skippable frame of zstd or lz4
// consists of the bytes 50-5F 2A 4D 18, a 32-bit size and that number of bytes.
constexpr first_bytes skip_skippable_frames(first_bytes in) {
  while (in.size >= 8 && (in.little_u32(0) & 0xFFFFFFF0U) == 0x184D2A50U)
    in = in.from(8).from(in.little_u32(4));
  return in;
}

// Returns true if `in` begins with the local header of a zip member (APPNOTE.TXT 4.3.7): version
// 1.0 to 6.3, no reserved flag, a method below 100, and a name.
constexpr bool is_zip(first_bytes in) {
  return in.start_with("PK\3\4") && in[4] >= 10 && in[4] <= 63 && in[5] == 0 && in[6] < 0x80 &&
         (in[7] & ~0x28U) == 0 && in[8] < 100 && in[9] == 0 && in.size >= 30 &&
         (in[26] != 0 || in[27] != 0);
}

}  // namespace detail

// Recognises the compression of a file by its content. `first` must contain the first
// recognise_window bytes of the file, or the whole file if it is shorter. The function also checks
// header fields, because a magic number alone is not sufficient. For example, an uncompressed trace
// that begins with the address 0x00000000184D2204 also begins with the magic number of lz4.
constexpr codec recognise(std::span<const std::byte> first) {
  const detail::first_bytes file{first.data(), first.size()};
  if (file.start_with("\xFD\x37\x7A\x58\x5A\x00")) return codec::xz;
  // gzip: the method is always 8 (deflate), and the reserved flag bits 5 to 7 are 0.
  if (file.start_with("\x1F\x8B\x08") && file[3] < 0x20) return codec::gzip;
  // bzip2: the level is followed by the magic number of a block or of the end of the stream.
  if (file.start_with("BZh") && file[3] >= '1' && file[3] <= '9') {
    const detail::first_bytes block = file.from(4);
    if (block.start_with("1AY&SY") || block.start_with("\x17rE8P\x90")) return codec::bzip2;
  }
  // Snappy: the first chunk is always the stream identifier of 6 bytes.
  if (file.start_with("\xFF\x06\0\0sNaPpY")) return codec::snappy;
  if (detail::is_zip(file)) return codec::zip;
  // ZSTF: the header of 20 bytes is followed by a zstd frame.
  if (file.start_with("ZSTF") && (file.size < 24 || file.from(20).start_with("\x28\xB5\x2F\xFD")))
    return codec::zstf;
  const detail::first_bytes frame = detail::skip_skippable_frames(file);
  // zstd: the reserved bit 3 of the frame header descriptor is 0.
  if (frame.start_with("\x28\xB5\x2F\xFD") && frame[4] < 0x100 && (frame[4] & 0x08) == 0)
    return codec::zstd;
  // lz4: FLG contains version 01, BD contains a block size code of 4 to 7, and the reserved bits of
  // both bytes are 0.
  if (frame.start_with("\x04\x22\x4D\x18") && (frame[4] & 0x1C2) == 0x40 &&
      (frame[5] & 0x18F) == 0 && frame[5] >= 0x40)
    return codec::lz4;
  return codec::none;
}

}  // namespace tracecodec::io
