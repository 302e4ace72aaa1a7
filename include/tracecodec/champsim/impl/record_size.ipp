#pragma once
#include "../record_size.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "../../wire/view.hpp"

namespace tracecodec::champsim {

TRACECODEC_FUNC size_guess explain(std::span<const std::byte> bytes, std::size_t size,
                                   bool backwards) {
  const wire::array_view<wire::u64le> words(bytes);
  const std::size_t stride = size / 8;
  size_guess best{size};
  const std::size_t records = words.size() / stride;
  if (records < 2) return best;
  for (std::size_t field = 0; field < stride; ++field) {
    std::size_t near = 0, back = 0;
    unsigned steps = 0, steps_back = 0;  // bit n: some go n bytes on
    for (std::size_t r = 0; r + 1 < records; ++r) {
      const std::uint64_t ip = words[r * stride + field], next = words[(r + 1) * stride + field];
      if (follows_as_code(next, ip)) {
        ++back;
        steps_back |= 1U << (ip - next);
      }
      if (!follows_as_code(ip, next)) continue;
      ++near;
      steps |= 1U << (next - ip);
    }
    if (backwards && back > near) {
      std::swap(near, back);
      steps = steps_back;
    }
    // What goes on by the same step nearly always counts something: programs branch more often.
    const bool counts =
        std::has_single_bit(steps) && near >= 16 && near >= records - records / 50 - 1;
    // Small numbers without an order go back as often as on; code hardly does.
    near -= std::min(near, back);
    // Of two the one that goes on by several steps: what counts the records goes on by one.
    const bool better = near > best.pairs ||
                        (near == best.pairs && std::popcount(steps) > std::popcount(best.steps));
    if (!better || counts || near == 0) continue;
    best.pairs = near;
    best.ip_at = field * 8;
    best.steps = steps;
  }
  best.sequential = static_cast<double>(best.pairs) / static_cast<double>(records - 1);
  return best;
}

namespace detail {
// The best of the sizes from 24 to `largest`, by guess(size).
template <class Guess> size_guess best_size(std::size_t largest, Guess guess) {
  size_guess best{};
  for (std::size_t size = 24; size <= largest; size += 8) {
    const size_guess g = guess(size);
    const bool multiple = best.size != 0 && size % best.size == 0;
    if (g.sequential > best.sequential * (multiple ? 1.5 : 1)) best = g;
  }
  return best;
}
}  // namespace detail

TRACECODEC_FUNC size_guess guess_record_size(std::span<const std::byte> bytes) {
  return detail::best_size(256, [bytes](std::size_t size) { return explain(bytes, size); });
}

TRACECODEC_FUNC size_guess guess_record_size_of_file(std::span<const std::byte> bytes,
                                                     std::optional<std::uint64_t> file_size) {
  constexpr std::size_t usual = 256, largest = 8192, few = 3;
  constexpr double enough = 0.3;
  const auto sound = [bytes](std::size_t size) {
    const size_guess g = explain(bytes, size, true);
    // Of large records there are few, and each has many words: instructions vary in length, counters do not.
    const bool counts = size > usual && std::popcount(g.steps) < 2;
    return g.pairs < few || counts ? size_guess{} : g;
  };
  if (file_size) {
    const size_guess g = detail::best_size(largest, [&](std::size_t size) {
      return *file_size % size == 0 ? sound(size) : size_guess{};
    });
    if (g.sequential >= enough) return g;
  }
  return detail::best_size(largest, sound);
}

}  // namespace tracecodec::champsim
