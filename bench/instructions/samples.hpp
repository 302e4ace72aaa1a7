// Bytes to decode: `n` records of each format, identical in every run.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "formats.hpp"

namespace samples {

// Small generator with a fixed sequence, independent of library versions (splitmix64).
class sequence {
 public:
  constexpr std::uint64_t operator()() noexcept {
    std::uint64_t z = state_ += 0x9E3779B97F4A7C15;
    z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9;
    z = (z ^ z >> 27) * 0x94D049BB133111EB;
    return z ^ z >> 31;
  }

 private:
  std::uint64_t state_ = 1;
};

// Returns `n` records of a fixed size, for formats in which any bytes are a record.
inline std::vector<std::byte> of_size(std::size_t size, std::size_t n) {
  std::vector<std::byte> out(size * n);
  sequence next;
  for (std::byte& b : out) b = static_cast<std::byte>(next());
  return out;
}

// Returns x64dbg blocks of a typical shape: 1 to 3 changed registers, up to 2 memory accesses,
// some of which leave the value unchanged, and an occasional thread id.
inline std::vector<std::byte> blocks(std::size_t n) {
  std::vector<std::byte> out;
  sequence next;
  const auto put = [&](std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) out.push_back(static_cast<std::byte>(next()));
  };
  for (std::size_t i = 0; i < n; ++i) {
    const std::size_t regs = 1 + i % 3, mems = i % 4 == 0 ? 2 : i % 2, code = 1 + i % 7;
    const bool thread = i % 16 == 0;
    out.push_back(std::byte{0});
    out.push_back(static_cast<std::byte>(regs));
    out.push_back(static_cast<std::byte>(mems));
    out.push_back(static_cast<std::byte>(code | (thread ? 0x80U : 0U)));
    put((thread ? 4U : 0U) + code + 9 * regs);
    std::size_t changed = 0;
    for (std::size_t m = 0; m < mems; ++m) {
      const bool same = (i + m) % 3 == 0;
      out.push_back(static_cast<std::byte>(same));
      changed += !same;
    }
    put(16 * mems + 8 * changed);
  }
  return out;
}

}  // namespace samples
