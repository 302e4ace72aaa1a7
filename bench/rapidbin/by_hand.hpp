// Hand-written loops that decode RapidBin events into a structure of arrays and encode them again.
// Like the library, they check whether a sign bit is set, and whether every id fits. The fastest
// loop depends on compiler, instruction set and size, so the library is compared with the best
// loop.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace by_hand {

inline constexpr std::size_t block = 256;  // events

inline std::uint64_t load(const std::byte* p) {
  std::uint64_t v;
  std::memcpy(&v, p, 8);
  return __builtin_bswap64(v);
}
inline void store(std::uint64_t v, std::byte* p) {
  v = __builtin_bswap64(v);
  std::memcpy(p, &v, 8);
}

struct out {
  std::uint16_t* __restrict thread;
  std::uint8_t* __restrict operation;
  std::uint64_t* __restrict decor;
  std::uint16_t* __restrict location;
};
struct in {
  const std::uint16_t* __restrict thread;
  const std::uint8_t* __restrict operation;
  const std::uint64_t* __restrict decor;
  const std::uint16_t* __restrict location;
};

inline std::uint64_t put_all(const out& o, std::size_t i, std::uint64_t v) {
  o.thread[i] = static_cast<std::uint16_t>(v & 0x3FF);
  o.operation[i] = static_cast<std::uint8_t>(v >> 10 & 15);
  o.decor[i] = v >> 14 & 0x3'FFFF'FFFF;
  o.location[i] = static_cast<std::uint16_t>(v >> 48 & 0x7FFF);
  return v;
}

// Decodes in one loop over the events.
[[gnu::noinline]] inline bool fused(const std::byte* __restrict p, std::size_t n, out o) {
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < n; ++i) any |= put_all(o, i, load(p + 8 * i));
  return any >> 63 != 0;
}

// Decodes in one loop over the events, in blocks of a fixed length.
[[gnu::noinline]] inline bool fused_blocks(const std::byte* __restrict p, std::size_t n, out o) {
  std::uint64_t any = 0;
  std::size_t i = 0;
  for (; i + block <= n; i += block)
    for (std::size_t k = 0; k < block; ++k) any |= put_all(o, i + k, load(p + 8 * (i + k)));
  for (; i < n; ++i) any |= put_all(o, i, load(p + 8 * i));
  return any >> 63 != 0;
}

// Decodes everything in one loop for each column.
[[gnu::noinline]] inline bool columns(const std::byte* __restrict p, std::size_t n, out o) {
  std::uint64_t any = 0;
  for (std::size_t i = 0; i < n; ++i) {
    const std::uint64_t v = load(p + 8 * i);
    any |= v;
    o.decor[i] = v >> 14 & 0x3'FFFF'FFFF;
  }
  for (std::size_t i = 0; i < n; ++i)
    o.thread[i] = static_cast<std::uint16_t>(load(p + 8 * i) & 0x3FF);
  for (std::size_t i = 0; i < n; ++i)
    o.operation[i] = static_cast<std::uint8_t>(load(p + 8 * i) >> 10 & 15);
  for (std::size_t i = 0; i < n; ++i)
    o.location[i] = static_cast<std::uint16_t>(load(p + 8 * i) >> 48 & 0x7FFF);
  return any >> 63 != 0;
}

// Decodes in blocks: swaps a block of words to native order first, then runs a loop for each
// column.
[[gnu::noinline]] inline bool words(const std::byte* __restrict p, std::size_t n, out o) {
  std::array<std::uint64_t, block> w;
  std::uint64_t any = 0;
  std::size_t i = 0;
  for (; i + block <= n; i += block) {
    for (std::size_t k = 0; k < block; ++k) w[k] = load(p + 8 * (i + k));
    for (std::size_t k = 0; k < block; ++k) any |= w[k];
    for (std::size_t k = 0; k < block; ++k) o.decor[i + k] = w[k] >> 14 & 0x3'FFFF'FFFF;
    for (std::size_t k = 0; k < block; ++k)
      o.thread[i + k] = static_cast<std::uint16_t>(w[k] & 0x3FF);
    for (std::size_t k = 0; k < block; ++k)
      o.operation[i + k] = static_cast<std::uint8_t>(w[k] >> 10 & 15);
    for (std::size_t k = 0; k < block; ++k)
      o.location[i + k] = static_cast<std::uint16_t>(w[k] >> 48 & 0x7FFF);
  }
  for (; i < n; ++i) any |= put_all(o, i, load(p + 8 * i));
  return any >> 63 != 0;
}

inline std::uint64_t word(const in& c, std::size_t i) {
  return std::uint64_t{c.location[i]} << 48 | c.decor[i] << 14 |
         std::uint64_t{c.operation[i]} << 10 | c.thread[i];
}
inline bool fits(const in& c, std::size_t i) {
  return c.thread[i] < 1024 && c.operation[i] < 16 && c.location[i] < 32768 &&
         c.decor[i] >> 34 == 0;
}

// Encodes in one loop that stops at the first event that does not fit. Returns the number of
// events written.
[[gnu::noinline]] inline std::size_t encode_one_by_one(in c, std::size_t n,
                                                       std::byte* __restrict p) {
  for (std::size_t i = 0; i < n; ++i) {
    if (!fits(c, i)) return i;
    store(word(c, i), p + 8 * i);
  }
  return n;
}

// Encodes in blocks: checks a whole block, then writes it.
[[gnu::noinline]] inline std::size_t encode_blocks(in c, std::size_t n, std::byte* __restrict p) {
  std::size_t i = 0;
  for (; i + block <= n; i += block) {
    std::uint64_t bad = 0;
    for (std::size_t k = i; k < i + block; ++k)
      bad |= std::uint64_t{c.thread[k]} >> 10 | std::uint64_t{c.operation[k]} >> 4 |
             std::uint64_t{c.location[k]} >> 15 | c.decor[k] >> 34;
    if (bad != 0) break;
    for (std::size_t k = i; k < i + block; ++k) store(word(c, k), p + 8 * k);
  }
  for (; i < n; ++i) {
    if (!fits(c, i)) return i;
    store(word(c, i), p + 8 * i);
  }
  return n;
}

// Encodes in blocks, and checks each column of a block in its own loop by or-ing its ids.
[[gnu::noinline]] inline std::size_t encode_columns(in c, std::size_t n, std::byte* __restrict p) {
  std::size_t i = 0;
  for (; i + block <= n; i += block) {
    std::uint16_t thread = 0, location = 0;
    std::uint8_t operation = 0;
    std::uint64_t decor = 0;
    for (std::size_t k = i; k < i + block; ++k)
      thread = static_cast<std::uint16_t>(thread | c.thread[k]);
    for (std::size_t k = i; k < i + block; ++k)
      location = static_cast<std::uint16_t>(location | c.location[k]);
    for (std::size_t k = i; k < i + block; ++k)
      operation = static_cast<std::uint8_t>(operation | c.operation[k]);
    for (std::size_t k = i; k < i + block; ++k) decor |= c.decor[k];
    if (thread >= 1024 || location >= 32768 || operation >= 16 || decor >> 34 != 0) break;
    for (std::size_t k = i; k < i + block; ++k) store(word(c, k), p + 8 * k);
  }
  for (; i < n; ++i) {
    if (!fits(c, i)) return i;
    store(word(c, i), p + 8 * i);
  }
  return n;
}

}  // namespace by_hand
