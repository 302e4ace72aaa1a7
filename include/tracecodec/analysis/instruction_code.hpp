// Code of an instruction, stored for later display.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>

#include "../config.hpp"

namespace tracecodec::analysis {

// Code of an instruction, or empty for formats without code.
struct instruction_code {
  static constexpr std::size_t longest = 15;  // maximum number of bytes of an x86 instruction
  std::uint8_t size = 0;                      // number of bytes stored
  std::array<std::byte, longest> bytes = {};

  [[nodiscard]] std::span<const std::byte> code() const noexcept {
    return std::span(bytes).first(size);
  }
  // Stores a copy of `code`, or only of its first bytes if `code` does not fit. This object must be
  // empty.
  void keep(std::span<const std::byte> code) noexcept {
    size = static_cast<std::uint8_t>(std::min(code.size(), longest));
    if (!(keep_parts<8>(code) || keep_parts<4>(code) || keep_parts<2>(code) || size == 0))
      bytes[0] = code[0];
  }
  friend bool operator==(const instruction_code& a, const instruction_code& b) noexcept {
    return a.size == b.size && ((a.word<0>() ^ b.word<0>()) | (a.word<7>() ^ b.word<7>())) == 0;
  }

 private:
  // Copies the first and the last N bytes, which may overlap. Calls to memmove and memcmp would
  // increase the time of a diff by a tenth.
  template <std::size_t N> bool keep_parts(std::span<const std::byte> code) noexcept {
    if (size < N) return false;
    std::memcpy(bytes.data(), code.data(), N);
    std::memcpy(bytes.data() + size - N, code.data() + size - N, N);
    return true;
  }
  template <std::size_t At> [[nodiscard]] std::uint64_t word() const noexcept {
    std::uint64_t w = 0;
    std::memcpy(&w, bytes.data() + At, sizeof w);
    return w;
  }
};

}  // namespace tracecodec::analysis
