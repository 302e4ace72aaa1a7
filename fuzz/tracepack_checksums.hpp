// Corrects the checksums of a tracepack file. Otherwise the reader would stop at a wrong checksum.
#pragma once
#include <string_view>

#include "target.hpp"
#include "tracecodec/tracepack/impl/crc.hpp"
#include "tracecodec/tracepack/layout.hpp"

namespace fuzz {

namespace detail {
inline std::uint32_t number_at(view b, std::size_t at) {
  std::uint32_t v = 0;
  for (unsigned i = 0; i != 4; ++i) v |= std::to_integer<std::uint32_t>(b[at + i]) << 8 * i;
  return v;
}
inline void put_crc(bytes& b, std::size_t to, std::size_t from, std::size_t size) {
  const std::uint32_t sum = tracecodec::tracepack::detail::crc_of(view(b).subspan(from, size));
  for (unsigned i = 0; i != 4; ++i) b[to + i] = static_cast<std::byte>(sum >> 8 * i);
}
}  // namespace detail

// Corrects the checksums of the front, of consecutive frames, and of the index and the end.
inline void mend_checksums(bytes& b) {
  using namespace tracecodec::tracepack;
  using fuzz::detail::number_at, fuzz::detail::put_crc;
  constexpr std::size_t entry = entry_codec::size;
  if (b.size() < front_codec::size) return;
  const std::size_t about = number_at(b, 12);
  if (about <= b.size() - front_codec::size) put_crc(b, 16, front_codec::size, about);
  put_crc(b, 20, 0, 20);
  if (about > b.size() - front_codec::size) return;
  std::size_t at = front_codec::size + about;
  const auto is = [&](std::string_view magic) {
    return text_of(view(b).subspan(at)).starts_with(magic);
  };
  while (is("TPF1") && b.size() - at >= frame_codec::size) {
    const std::size_t left = b.size() - at - frame_codec::size, size = number_at(b, at + 16);
    if (size <= left) put_crc(b, at + 40, at + frame_codec::size, size);
    put_crc(b, at + 44, at, 44);
    if (size > left) break;
    at += frame_codec::size + size;
  }
  if (is("TPIX") && b.size() - at >= index_codec::size) {
    const std::size_t frames = number_at(b, at + 4);
    if (frames <= (b.size() - at - index_codec::size) / entry)
      put_crc(b, at + 8, at + index_codec::size, entry * frames);
    put_crc(b, at + 12, at, 12);
  }
  if (b.size() - at >= end_codec::size) put_crc(b, b.size() - 8, b.size() - end_codec::size, 32);
}

}  // namespace fuzz
