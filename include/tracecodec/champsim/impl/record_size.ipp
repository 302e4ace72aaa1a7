#pragma once
#include "../record_size.hpp"

#include <algorithm>
#include <bit>

#include "../../wire/view.hpp"

namespace tracecodec::champsim {

TRACECODEC_FUNC size_guess explain(std::span<const std::byte> bytes, std::size_t size) {
  const wire::array_view<wire::u64le> words(bytes);
  const std::size_t stride = size / 8;
  std::size_t best = 0, ip_at = 0;
  const std::size_t records = words.size() / stride;
  if (records < 2) return {size};
  for (std::size_t field = 0; field < stride; ++field) {
    std::size_t near = 0, back = 0;
    unsigned steps = 0;  // bit n: some go n bytes on
    for (std::size_t r = 0; r + 1 < records; ++r) {
      const std::uint64_t ip = words[r * stride + field], next = words[(r + 1) * stride + field];
      back += follows_as_code(next, ip);
      if (!follows_as_code(ip, next)) continue;
      ++near;
      steps |= 1U << (next - ip);
    }
    // What goes on by the same step nearly always counts something: programs branch more often.
    const bool counts =
        std::has_single_bit(steps) && near >= 16 && near >= records - records / 50 - 1;
    // Small numbers without an order go back as often as on; code hardly does.
    near -= std::min(near, back);
    if (near > best && !counts) best = near, ip_at = field * 8;
  }
  return {size, static_cast<double>(best) / static_cast<double>(records - 1), ip_at};
}

TRACECODEC_FUNC size_guess guess_record_size(std::span<const std::byte> bytes) {
  size_guess best{};
  for (std::size_t size = 24; size <= 256; size += 8) {
    const size_guess g = explain(bytes, size);
    const bool multiple = best.size != 0 && size % best.size == 0;
    if (g.sequential > best.sequential * (multiple ? 1.5 : 1)) best = g;
  }
  return best;
}

}  // namespace tracecodec::champsim
