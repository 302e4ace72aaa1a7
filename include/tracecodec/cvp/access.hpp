// Sizes and base registers of memory accesses. CBP2025 stores both. In CVP-1 traces, they follow
// from the numbers of registers and from the values that the instruction writes.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "layout.hpp"

namespace tracecodec::cvp {

struct access_mode {
  std::uint32_t bytes = 0;  // size of the whole access
  // Register of the address, if the instruction also writes the new address to this register, or
  // no_register.
  std::uint8_t base = no_register;
  // True if the size depends on the value of the first general input register before the
  // instruction.
  bool undecided = false;
};

namespace detail {
template <class Registers> constexpr bool contains(const Registers& all, std::uint8_t r) noexcept {
  return std::find(all.begin(), all.end(), r) != all.end();
}
// Returns the first register that is not a vector, or no_register.
template <class Registers> constexpr std::uint8_t first_general(const Registers& all) noexcept {
  const auto at = std::find_if_not(all.begin(), all.end(), is_vector);
  return at != all.end() ? std::uint8_t{*at} : no_register;
}
template <dialect D> constexpr access_mode mode_of_load(const instruction<D>& i) noexcept {
  const std::size_t n = i.outputs.size();
  const auto all = static_cast<std::uint32_t>(i.size * (n < 2 ? 1 : n));
  std::size_t general = 0;
  for (const std::uint8_t r : i.inputs) general += !is_vector(r);
  const bool has_one_source = n == 2 && general == 1;
  const std::uint8_t base = has_one_source ? first_general(i.inputs) : first_general(i.outputs);
  if (n < 2 || base > stack_register || !contains(i.inputs, base) || !contains(i.outputs, base))
    return {all};
  // The offset of a single register is an immediate of 9 bits. Otherwise, the instruction loads a
  // pair that overwrites the register of its address.
  if (has_one_source && i.value_of(base) - i.address + 256 >= 512) return {all};
  return {static_cast<std::uint32_t>(i.size * (n - 1)), base};
}
template <dialect D> constexpr access_mode mode_of_store(const instruction<D>& i) noexcept {
  const std::size_t sources = i.inputs.size(), n = i.outputs.size();
  const std::uint32_t size = i.size;
  if (n > 1) return {static_cast<std::uint32_t>(size * n)};
  if (n == 0) return {.bytes = size, .undecided = sources > 2};
  const std::uint8_t out = i.outputs[0];
  if (sources <= 2) {
    const bool updates = sources == 2 && out <= stack_register && out == first_general(i.inputs);
    return {size, updates ? out : no_register};
  }
  // An exclusive store writes 0 or 1, its status.
  if (i.value_of(out) <= 1) return {2 * size};
  if (out > stack_register || !contains(i.inputs, out)) return {size};
  return {static_cast<std::uint32_t>(size * (sources - 1)), out};
}
}  // namespace detail

// Returns the mode of a load or a store.
template <dialect D> constexpr access_mode mode_of(const instruction<D>& i) noexcept {
  if constexpr (D == dialect::cvp1) {
    return i.stores() ? detail::mode_of_store(i) : detail::mode_of_load(i);
  } else {
    for (const std::uint8_t r : i.outputs)
      if (i.base_update && r <= stack_register && detail::contains(i.inputs, r)) return {i.size, r};
    return {i.size};
  }
}

// Returns the size of the access of a load or a store.
template <dialect D> constexpr std::uint32_t bytes_of(const instruction<D>& i) noexcept {
  return mode_of(i).bytes;
}

}  // namespace tracecodec::cvp
