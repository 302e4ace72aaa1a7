// List of the formats that have format-specific functions for trace_diff.
#include <array>

#include "champsim/comparison.hpp"
#include "format_comparison.hpp"
#include "rapidbin/comparison.hpp"
#include "umtracer/comparison.hpp"

namespace diff {

namespace {

constexpr std::array<const format_comparison*, 4> comparisons{
    &champsim::comparison, &rapidbin::comparison, &rapidbin::std_comparison, &umtracer::comparison};

}  // namespace

std::span<const format_comparison* const> all_comparisons() noexcept { return comparisons; }

const format_comparison* comparison_of(const tracecodec::format::facts& f) noexcept {
  for (const format_comparison* const one : comparisons)
    if (one->format == &f) return one;
  return nullptr;
}

}  // namespace diff
