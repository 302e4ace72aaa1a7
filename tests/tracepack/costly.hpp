// Small pack whose frames require as much memory as possible: full dictionaries and streams,
// with bytes that compress extremely well.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "parts.hpp"
#include "support.hpp"

namespace test {

// Returns a payload like payload_of(), but compressed.
inline bytes packed_payload_of(const pack_streams& streams) {
  bytes headers{static_cast<std::byte>(streams.size())}, bodies;
  tracecodec::io::zstd_packer packer(3);
  for (const auto& [number, content] : streams) {
    const std::size_t stored = packer.pack(content, bodies);
    std::array<std::byte, 16> header{};
    const auto r = tracepack::stream_codec::encode(
        {static_cast<std::uint8_t>(number), static_cast<std::uint32_t>(content.size()),
         static_cast<std::uint32_t>(stored)},
        header);
    headers.insert(headers.end(), header.begin(),
                   header.begin() + static_cast<std::ptrdiff_t>(r.used));
  }
  return headers + bodies;
}

// Returns a pack of CloudSuite's records, whose instructions use all 8 slots. It has 2^15
// static instructions with 2^18 sites, 2^12 units of 64 with 2^21 slots, and 2^24 bytes of
// streams. Each frame consists of `records` records of the first unit, a multiple of 64.
inline bytes costly_pack(std::uint32_t frames, std::uint32_t records) {
  namespace tp = tracepack;
  constexpr std::size_t statics = std::size_t{1} << 15, units = std::size_t{1} << 12;
  pack_streams s;
  s[0] = bytes(24);  // one pattern, with static bytes of 0
  s[0].push_back(std::byte{0xff});
  s[0].push_back(std::byte{0});
  s[1] = s[2] = bytes(statics);
  s[3] = bytes(statics, std::byte{5});  // 4 bytes after the previous instruction
  s[5] = bytes(units, std::byte{64});
  for (std::size_t u = 0; u != units; ++u) {
    if (u % (statics / 64) != 0 || u == 0) {
      s[6].push_back(std::byte{64});  // all members as expected
      continue;
    }
    // No expected member, then the first member, 2^15 before the expected member (zigzag 2^16 - 1),
    // then 63 expected members.
    s[6] += bytes{std::byte{0}, std::byte{0xff}, std::byte{0xff}, std::byte{3}, std::byte{63}};
  }
  // The first unit is coded as new, and then by its number. After that, the prediction that the
  // unit follows itself is correct.
  s[16] = bytes{std::byte{5}, std::byte{6}};
  s[17] = s[18] = s[19] = bytes(1);
  std::size_t streamed = 0;
  for (const auto& [number, content] : s) streamed += content.size();
  s[22] = bytes(tp::most_streamed - streamed);

  pack_parts p = *split(packed({}, {tp::about_cloudsuite(), level::high}));
  const bytes payload = packed_payload_of(s);
  for (std::uint32_t i = 0; i != frames; ++i)
    p.frames.push_back({{.magic = {},
                         .kind = tp::frame_kind::high,
                         .number = i,
                         .content_size = records * 96,
                         .payload_size = 0,
                         .base = i,
                         .content_offset = std::uint64_t{records} * 96 * i,
                         .digest = 0,
                         .payload_crc = 0,
                         .header_crc = {}},
                        payload});
  mend(p, 96);
  return joined(p);
}

}  // namespace test
