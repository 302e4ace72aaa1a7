// Decodes the execution records of a UMTracer trace by hand. The code uses pointers into the mapped
// files, and performs the checks that an untrusted file needs.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>

namespace bench {

// Sums over the details of each operand.
struct digest {
  std::uint64_t records = 0, operands = 0, sum = 0;
  friend bool operator==(const digest&, const digest&) = default;

  [[gnu::always_inline]] void operand(std::uint16_t name, bool after, std::uint64_t address,
                                      const std::byte* value, std::size_t size) {
    ++operands;
    sum += name ^ (after ? size << 8 : size);
    sum ^= address;
    std::uint64_t low = 0;
    if (size >= 8)
      std::memcpy(&low, value, 8);
    else
      for (std::size_t i = 0; i < size; ++i) low |= static_cast<std::uint64_t>(value[i]) << 8 * i;
    sum += low;
  }
};

template <class T> [[gnu::always_inline]] inline T load(const std::byte* p) {
  T v;
  std::memcpy(&v, p, sizeof v);
  return v;
}

// Hand-written decoder over the mapped files.
struct umtracer_by_hand {
  std::span<const std::byte> records, offsets, instructions;

  // Returns the sums, or nullopt if a reference points outside its file.
  [[nodiscard]] std::optional<digest> decode() const {
    digest d;
    const std::uint64_t n = offsets.size() / 8 - 1;
    const std::byte* const table = instructions.data();
    const std::uint64_t rows = load<std::uint64_t>(table + 8),
                        stride = load<std::uint64_t>(table + 16);
    const std::uint64_t first = load<std::uint64_t>(table + 24);
    const std::byte* const extra = table + load<std::uint64_t>(table + 32);
    const std::uint64_t extra_size = load<std::uint64_t>(table + 40);
    for (std::uint64_t i = 0; i < n; ++i) {
      const std::uint64_t from = load<std::uint64_t>(offsets.data() + 8 * i);
      const std::uint64_t to = load<std::uint64_t>(offsets.data() + 8 * i + 8);
      if (to > records.size() || from > to || to - from < 6) return std::nullopt;
      const std::byte* r = records.data() + from;
      ++d.records;
      d.sum += load<std::uint32_t>(r) + load<std::uint8_t>(r + 5);
      if (load<std::uint8_t>(r + 4) != 0) continue;
      if (to - from < 14) return std::nullopt;
      const std::uint64_t row = load<std::uint64_t>(r + 6);
      if (row >= rows) return std::nullopt;
      const std::uint64_t at = load<std::uint64_t>(table + first + row * stride + 48);
      if (at > extra_size || extra_size - at < 88) return std::nullopt;
      const std::byte* const decoded = extra + at;
      const std::size_t slots = load<std::uint8_t>(decoded + 62);
      const std::size_t after = load<std::uint8_t>(decoded + 61);
      const std::size_t size = load<std::uint16_t>(decoded + 58);
      if (extra_size - at - 88 < 12 * slots || to - from - 14 < size) return std::nullopt;
      const std::byte* const values = r + 14;
      for (std::size_t s = 0; s < slots; ++s) {
        const std::byte* const slot = decoded + 88 + 12 * s;
        const std::size_t value_size = load<std::uint16_t>(slot + 4);
        std::size_t offset = load<std::uint16_t>(slot + 6);
        const unsigned width = load<std::uint8_t>(slot + 8);
        std::uint64_t address = 0;
        if (offset + (width != 0 ? 8 : 0) + value_size > size) return std::nullopt;
        if (width != 0) {
          address = load<std::uint64_t>(values + offset);
          if (width < 8) address &= (std::uint64_t{1} << 8 * width) - 1;
          offset += 8;
        }
        d.operand(load<std::uint16_t>(slot), s >= after, address, values + offset, value_size);
      }
    }
    return d;
  }
};

}  // namespace bench
