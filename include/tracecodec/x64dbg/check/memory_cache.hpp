// Cache of limited size for the most recent memory values in a trace. A checker compares recorded
// old values with the cached values.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>

#include "../../wire/policy.hpp"

namespace tracecodec::x64dbg {

// Direct-mapped cache of 64 Ki lines of 8 bytes. If all lines are in use, the cache needs 1.5 MiB.
// When a line is reused, its previous value becomes unknown. Lookups therefore never return wrong
// values.
template <wire::target T> class memory_cache {
 public:
  // Word with bytes that may be unknown. `known` is a mask with all bits of the known bytes set.
  struct remembered {
    std::uint64_t value = 0, known = 0;
    [[nodiscard]] bool differs(std::uint64_t v) const { return ((v ^ value) & known) != 0; }
  };

  [[nodiscard]] remembered word_at(std::uint64_t address) const {
    remembered r;
    for (unsigned i = 0; i < size; ++i) {
      const std::uint64_t at = (address + i) & mask;
      const auto& part = parts_[slot(at) / part_size];
      if (!part) continue;
      const line& l = part[slot(at) % part_size];
      const unsigned byte = at % 8;
      if (l.tag != at / 8 || (l.known >> byte & 1U) == 0) continue;
      r.value |= (l.value >> 8 * byte & 0xFF) << 8 * i;
      r.known |= std::uint64_t{0xFF} << 8 * i;
    }
    return r;
  }
  void store(std::uint64_t address, std::uint64_t value) {
    for (unsigned i = 0; i < size; ++i) {
      const std::uint64_t at = (address + i) & mask;
      auto& part = parts_[slot(at) / part_size];
      if (!part) part = std::unique_ptr<line[]>(new line[part_size]());
      line& l = part[slot(at) % part_size];
      const unsigned byte = at % 8;
      if (l.tag != at / 8) l = {at / 8, 0, 0};
      l.known = static_cast<std::uint8_t>(l.known | 1U << byte);
      l.value = (l.value & ~(std::uint64_t{0xFF} << 8 * byte)) | (value >> 8 * i & 0xFF)
                                                                     << 8 * byte;
    }
  }

 private:
  static constexpr std::size_t line_count = std::size_t{1} << 16, part_size = 512;
  static constexpr unsigned size = sizeof(wire::word_t<T>);
  static constexpr std::uint64_t mask = static_cast<wire::word_t<T>>(-1);
  struct line {
    std::uint64_t tag = 0, value = 0;
    std::uint8_t known = 0;
  };
  static std::size_t slot(std::uint64_t at) { return (at / 8 ^ at >> 19U) % line_count; }
  // Parts of the cache. Each part is allocated when its first value is stored.
  std::array<std::unique_ptr<line[]>, line_count / part_size> parts_ = {};
};

}  // namespace tracecodec::x64dbg
