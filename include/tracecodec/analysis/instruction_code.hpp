// The code of an instruction, kept for who shows it later.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace tracecodec::analysis {

// Of formats that have code; of others it is empty.
struct instruction_code {
  static constexpr std::size_t longest = 15;  // bytes of an x86 instruction
  std::uint8_t size = 0;                      // bytes that are kept
  std::array<std::byte, longest> bytes = {};

  [[nodiscard]] std::span<const std::byte> code() const noexcept {
    return std::span(bytes).first(size);
  }
  // Keeps `code`, or as much of it as there is room for, in place of nothing.
  void keep(std::span<const std::byte> code) noexcept {
    size = static_cast<std::uint8_t>(std::min(code.size(), longest));
    std::copy_n(code.begin(), size, bytes.begin());
  }
  friend bool operator==(const instruction_code&, const instruction_code&) = default;
};

}  // namespace tracecodec::analysis
