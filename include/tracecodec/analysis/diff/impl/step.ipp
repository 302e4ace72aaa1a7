// Implementation of analysis/diff/step.hpp.
#pragma once
#include "../step.hpp"

namespace tracecodec::analysis {

namespace detail {
// Without a branch for each, nor a call of memcmp.
template <class T, std::size_t N>
constexpr bool unequal(const std::array<T, N>& a, const std::array<T, N>& b) noexcept {
  T different = 0;
  for (std::size_t i = 0; i != N; ++i) different |= static_cast<T>(a[i] ^ b[i]);
  return different != 0;
}
}  // namespace detail

TRACECODEC_FUNC differences differences_of(const diff_step& a, const diff_step& b) noexcept {
  using detail::unequal;
  const auto &x = a.record, &y = b.record;
  const bool targets = a.target != b.target && a.target != 0 && b.target != 0;
  const bool code = a.reads.size != 0 && b.reads.size != 0;
  const bool events =
      a.operation != diff_step::no_operation && b.operation != diff_step::no_operation;
  return {.registers = unequal(x.destination_registers, y.destination_registers) ||
                       unequal(x.source_registers, y.source_registers),
          .memory = unequal(x.destination_memory, y.destination_memory) ||
                    unequal(x.source_memory, y.source_memory),
          .outcome = a.branch != b.branch || x.is_branch != y.is_branch ||
                     x.branch_taken != y.branch_taken || targets,
          .code = code && a.reads != b.reads,
          .events = events && (a.operation != b.operation || a.operand != b.operand)};
}

}  // namespace tracecodec::analysis
