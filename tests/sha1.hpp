// SHA-1 (FIPS 180-4), as a user of the library would supply it.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

namespace test {

class sha1 {
 public:
  constexpr void update(std::span<const std::byte> bytes) noexcept {
    for (const std::byte b : bytes) {
      block_[size_++ % 64] = std::to_integer<std::uint8_t>(b);
      if (size_ % 64 == 0) mix();
    }
  }
  [[nodiscard]] constexpr std::array<std::uint8_t, 20> value() const noexcept {
    sha1 last = *this;
    const std::uint64_t bits = 8 * size_;
    last.pad(0x80);
    while (last.size_ % 64 != 56) last.pad(0);
    for (int shift = 56; shift >= 0; shift -= 8)
      last.pad(static_cast<std::uint8_t>(bits >> shift & 0xff));
    std::array<std::uint8_t, 20> out{};
    for (std::size_t i = 0; i < 20; ++i)
      out[i] = static_cast<std::uint8_t>(last.h_[i / 4] >> (24 - 8 * (i % 4)) & 0xff);
    return out;
  }

 private:
  constexpr void pad(std::uint8_t b) noexcept {
    const std::byte one[1] = {std::byte{b}};
    update(one);
  }
  constexpr void mix() noexcept {
    std::array<std::uint32_t, 80> w{};
    for (std::size_t i = 0; i < 64; ++i) w[i / 4] = w[i / 4] << 8 | block_[i];
    for (std::size_t i = 16; i < 80; ++i)
      w[i] = std::rotl(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);
    auto [a, b, c, d, e] = h_;
    for (std::size_t i = 0; i < 80; ++i) {
      const std::uint32_t f = i < 20   ? ((b & c) | (~b & d)) + 0x5a827999
                              : i < 40 ? (b ^ c ^ d) + 0x6ed9eba1
                              : i < 60 ? ((b & c) | (b & d) | (c & d)) + 0x8f1bbcdc
                                       : (b ^ c ^ d) + 0xca62c1d6;
      const std::uint32_t next = std::rotl(a, 5) + f + e + w[i];
      e = d;
      d = c;
      c = std::rotl(b, 30);
      b = a;
      a = next;
    }
    h_ = {h_[0] + a, h_[1] + b, h_[2] + c, h_[3] + d, h_[4] + e};
  }

  std::array<std::uint32_t, 5> h_ = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  std::array<std::uint8_t, 64> block_ = {};
  std::uint64_t size_ = 0;
};

}  // namespace test
