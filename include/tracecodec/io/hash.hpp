// Hash functions for numbers and strings.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <ctime>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::io {

// Returns `v` mixed by the finalizer of SplitMix64. If one bit of `v` changes, each bit of the
// result changes with a probability of one half. Hash tables and estimates need this mixing because
// addresses often differ in only a few bits.
constexpr std::uint64_t mixed(std::uint64_t v) noexcept {
  v = (v ^ v >> 30) * 0xBF58476D1CE4E5B9;
  v = (v ^ v >> 27) * 0x94D049BB133111EB;
  return v ^ v >> 31;
}

// Hash function for tables with keys from a file. Each process has its own hash key, derived from
// its memory layout and the time. The author of a file therefore cannot choose keys that collide,
// which would make a table of n keys take n^2 steps. The order of a table differs between
// processes, so printed results must not depend on the order.
struct keyed_hash {
  // This alias makes Boost.Unordered use the result without mixing it again.
  using is_avalanching = void;
  using is_transparent = void;

  template <class... More>
  std::size_t operator()(std::uint64_t first, More... more) const noexcept {
    std::uint64_t h = mixed(first ^ key());
    ((h = mixed(h ^ static_cast<std::uint64_t>(more))), ...);
    return static_cast<std::size_t>(h);
  }
  std::size_t operator()(std::string_view text) const noexcept {
    std::uint64_t h = mixed(key() ^ text.size());
    for (; text.size() > 8; text.remove_prefix(8)) h = mixed(h ^ word(text, 8));
    return static_cast<std::size_t>(mixed(h ^ word(text, text.size())));
  }

 private:
  static std::uint64_t word(std::string_view text, std::size_t n) noexcept {
    std::uint64_t w = 0;
    if (n != 0) std::memcpy(&w, text.data(), n);
    return w;
  }
  static std::uint64_t key() noexcept {
    static const std::uint64_t k = [] {
      static const char in_program = 0;
      const char on_stack = 0;
      std::uint64_t h = 0;
      for (const std::uint64_t part : {std::uint64_t{reinterpret_cast<std::uintptr_t>(&in_program)},
                                       std::uint64_t{reinterpret_cast<std::uintptr_t>(&on_stack)},
                                       static_cast<std::uint64_t>(std::time(nullptr)),
                                       static_cast<std::uint64_t>(std::clock())})
        h = mixed(h ^ part);
      return h;
    }();
    return k;
  }
};

}  // namespace tracecodec::io
