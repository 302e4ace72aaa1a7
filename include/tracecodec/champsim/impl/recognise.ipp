// The functions of recognise.hpp.
#pragma once
#include "../recognise.hpp"

#include <bit>

namespace tracecodec::champsim {

TRACECODEC_FUNC void flow::add(std::uint64_t ip, bool taken, std::uint64_t next) noexcept {
  if (follows_as_code(ip, next)) {
    ++onward;
    risc += next - ip == 2 || next - ip == 4;
    steps |= 1U << (next - ip);
  } else if (follows_as_code(next, ip)) {
    back += !taken;
  }
}

TRACECODEC_FUNC bool flow::leads_on(std::size_t pairs) const noexcept {
  // Three of ten are fewer than in any program that was tried. Numbers without an order lead back
  // as often as on, but of a few pairs one may lead back.
  constexpr std::size_t few = 8;
  const std::size_t against = pairs < few ? 0 : back;
  return onward > against && 10 * (onward - against) >= 3 * pairs;
}

TRACECODEC_FUNC bool flow::by_instructions() const noexcept {
  return !std::has_single_bit(steps) || risc != 0;
}

TRACECODEC_FUNC bool likeness::follows_itself() const noexcept {
  if (only_counts()) return false;
  const bool mostly_well_formed = 2 * well_formed > records;
  for (std::size_t d = 1; d <= distances && d < records; ++d) {
    if (d > 1 && !mostly_well_formed) return false;
    const flow& f = flows[d - 1];
    const bool code = f.by_instructions() || (mostly_well_formed && 4 * registers >= records);
    if (code && f.leads_on(records - d)) return true;
  }
  return false;
}

TRACECODEC_FUNC bool likeness::only_counts() const noexcept {
  constexpr std::size_t many = 9;
  if (returns != 0 || records < few_records) return false;
  const bool fixed_length = 8 * flows[0].risc >= 7 * (records - 1);
  if (fixed_length && 2 * possible > records) return false;
  return operands == 0 || (records >= many && registers == 0);
}

TRACECODEC_FUNC bool likeness::keeps_form() const noexcept {
  if (records == 1) return usual == 1;
  return 8 * well_formed >= 7 * records && uses_registers();
}

TRACECODEC_FUNC bool likeness::uses_registers() const noexcept {
  constexpr std::size_t many = 8;
  return registers != 0 && 4 * registers >= records && (records < many || used.count() > 1);
}

}  // namespace tracecodec::champsim
