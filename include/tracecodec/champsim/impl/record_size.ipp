#pragma once
#include "../record_size.hpp"

#include <algorithm>
#include <bit>
#include <utility>

#include "../../wire/types/view.hpp"

namespace tracecodec::champsim {

TRACECODEC_FUNC size_guess explain(std::span<const std::byte> bytes, std::size_t size,
                                   size_hypothesis h) {
  constexpr std::size_t word = wire::u64le::size;
  size_guess best{size};
  const std::size_t records = bytes.size() / size;
  if (records < 2) return best;
  for (std::size_t field = 0; field < size; field += h.alignment) {
    std::size_t near = 0, back = 0;
    unsigned steps = 0, steps_back = 0;  // bit n is set if ips n bytes apart were found
    for (std::size_t at = field; at + size + word <= bytes.size(); at += size) {
      const std::uint64_t ip = wire::u64le::load(bytes.data() + at);
      const std::uint64_t next = wire::u64le::load(bytes.data() + at + size);
      if (follows_as_code(next, ip)) {
        ++back;
        steps_back |= 1U << (ip - next);
      }
      if (!follows_as_code(ip, next)) continue;
      ++near;
      steps |= 1U << (next - ip);
    }
    if (h.backwards && back > near) {
      std::swap(near, back);
      steps = steps_back;
    }
    // A value that nearly always increases by the same step is a counter, because programs branch
    // more often.
    const bool counts =
        std::has_single_bit(steps) && near >= 16 && near >= records - records / 50 - 1;
    // If the field begins a few bytes after a counter in large records, the value increases by only
    // one or two different steps.
    const bool shifted = size > 512 && field % 4 != 0 && std::popcount(steps) < 3;
    // Subtract the decreases. Unordered small numbers decrease as often as they increase, but ips
    // rarely decrease.
    near -= std::min(near, back);
    // On a tie, prefer the field whose value increases by more distinct amounts. A record counter always
    // increases by the same amount, an ip does not.
    const bool better = near > best.pairs ||
                        (near == best.pairs && std::popcount(steps) > std::popcount(best.steps));
    if (!better || counts || shifted || near == 0) continue;
    best.pairs = near;
    best.ip_at = field;
    best.steps = steps;
  }
  best.sequential = static_cast<double>(best.pairs) / static_cast<double>(records - 1);
  return best;
}

namespace detail {
// Returns the best result of guess(size) for sizes from 16 to `largest` in steps of `step`.
template <class Guess> size_guess best_size(std::size_t largest, std::size_t step, Guess guess) {
  size_guess best{};
  for (std::size_t size = 16; size <= largest; size += step) {
    const size_guess g = guess(size);
    // A multiple of the correct size has fewer pairs. With half the correct size, a pair may
    // consist of an ip and the target in the same record.
    const bool multiple = best.size != 0 && size % best.size == 0;
    if (multiple && 8 * g.pairs < 7 * best.pairs) continue;
    if (g.sequential > best.sequential * (multiple ? 1.5 : 1)) best = g;
  }
  return best;
}
}  // namespace detail

TRACECODEC_FUNC size_guess guess_record_size(std::span<const std::byte> bytes) {
  return detail::best_size(256, 4, [bytes](std::size_t size) { return explain(bytes, size); });
}

TRACECODEC_FUNC size_guess guess_record_size_of_file(std::span<const std::byte> bytes,
                                                     std::optional<std::uint64_t> file_size) {
  constexpr std::size_t usual = 256, largest = 8192, few = 3;
  constexpr double enough = 0.3;
  const auto sound = [bytes](std::size_t size, std::size_t alignment) {
    const size_guess g = explain(bytes, size, {.alignment = alignment, .backwards = true});
    // In large records, random matches are more likely, because the sample contains few records
    // with many words each. Therefore, reject a large size if all steps are equal, because only a
    // counter has equal steps.
    const bool counts = size > usual && std::popcount(g.steps) < 2;
    return g.pairs < few || counts ? size_guess{} : g;
  };
  if (file_size) {
    const size_guess g = detail::best_size(largest, 1, [&](std::size_t size) {
      return *file_size % size == 0 ? sound(size, 1) : size_guess{};
    });
    if (g.sequential >= enough) return g;
  }
  // For larger records, there are too many sizes to try every multiple of 4.
  constexpr std::size_t all_up_to = 1024, structs = 8;
  return detail::best_size(largest, 4, [&](std::size_t size) {
    if (size <= all_up_to) return sound(size, 4);
    return size % structs == 0 ? sound(size, structs) : size_guess{};
  });
}

}  // namespace tracecodec::champsim
