// Hashes of numbers and texts.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <exception>
#include <random>
#include <string_view>

namespace tracecodec::io {

// SplitMix64's finalizer: each bit of `v` changes each bit of the result with a chance of a half.
// Tables and estimates need it of addresses, which differ in a few bits only.
constexpr std::uint64_t mixed(std::uint64_t v) noexcept {
  v = (v ^ v >> 30) * 0xBF58476D1CE4E5B9;
  v = (v ^ v >> 27) * 0x94D049BB133111EB;
  return v ^ v >> 31;
}

// For tables whose keys a file says. Each process has a key of its own, so that no file can be made
// whose keys fall on one place: a table of n of them would take n^2 steps. What is printed must not
// depend on a table's order.
struct keyed_hash {
  using is_avalanching = void;  // Boost.Unordered mixes it no further
  using is_transparent = void;

  template <class... More>
  std::size_t operator()(std::uint64_t first, More... more) const noexcept {
    std::uint64_t h = mixed(first ^ key);
    ((h = mixed(h ^ static_cast<std::uint64_t>(more))), ...);
    return static_cast<std::size_t>(h);
  }
  std::size_t operator()(std::string_view text) const noexcept {
    std::uint64_t h = key ^ text.size();
    for (; text.size() > 8; text.remove_prefix(8)) h = mixed(h ^ word(text, 8));
    return static_cast<std::size_t>(mixed(h ^ word(text, text.size())));
  }

 private:
  static std::uint64_t word(std::string_view text, std::size_t n) noexcept {
    std::uint64_t w = 0;
    std::memcpy(&w, text.data(), n);
    return w;
  }
  static std::uint64_t random() noexcept {
    try {
      std::random_device bits;
      return std::uint64_t{bits()} << 32 | bits();
    } catch (const std::exception&) {
      const int here = 0;  // where the system has put this process
      return mixed(reinterpret_cast<std::uintptr_t>(&here));
    }
  }
  static inline const std::uint64_t key = random();
};

}  // namespace tracecodec::io
