// Sizes and base registers of memory accesses. CBP2025 stores both. In CVP-1 traces, they follow
// from the numbers of registers and from the values that the instruction writes.
#pragma once
#include <cstddef>
#include <cstdint>

#include "layout.hpp"

namespace tracecodec::cvp {

struct access_mode {
  std::uint32_t bytes = 0;  // size of the whole access
  // Register of the address, if the instruction also writes the new address to this register, or
  // no_register.
  std::uint8_t base = no_register;
  // True if the size depends on the value of the first input register before the instruction.
  bool undecided = false;
};

namespace detail {
template <class Registers> constexpr bool reads(const Registers& all, std::uint8_t r) noexcept {
  for (const std::uint8_t one : all)
    if (one == r) return true;
  return false;
}
// Returns the index of the first general register that the instruction reads and writes, or
// outputs.size() if there is none.
template <dialect D> constexpr std::size_t updated_output(const instruction<D>& i) noexcept {
  std::size_t k = 0;
  while (k != i.outputs.size() && (i.outputs[k] > stack_register || !reads(i.inputs, i.outputs[k])))
    ++k;
  return k;
}
template <dialect D> constexpr access_mode mode_of_load(const instruction<D>& i) noexcept {
  const std::size_t n = i.outputs.size();
  const auto all = static_cast<std::uint32_t>(i.size * (n < 2 ? 1 : n));
  const std::size_t k = updated_output(i);
  if (n < 2 || k == n) return {all};
  std::size_t integers = 0;
  for (const std::uint8_t r : i.inputs) integers += !is_vector(r);
  // The offset of a single register is an immediate of 9 bits. Otherwise, the instruction loads a
  // pair whose first register happens to contain the address.
  const std::uint64_t least_offset = -std::uint64_t{256};
  const bool near = i.value(k) - i.address - least_offset < 512;
  if (n == 2 && integers == 1 && !near) return {all};
  return {static_cast<std::uint32_t>(i.size * (n - 1)), i.outputs[k]};
}
template <dialect D> constexpr access_mode mode_of_store(const instruction<D>& i) noexcept {
  const std::size_t sources = i.inputs.size(), n = i.outputs.size();
  const std::uint32_t size = i.size;
  if (sources <= 2 || n > 1) {
    const bool updates = sources == 2 && n == 1 && reads(i.inputs, i.outputs[0]);
    return {n > 1 ? static_cast<std::uint32_t>(size * n) : size,
            updates ? std::uint8_t{i.outputs[0]} : no_register};
  }
  if (n == 0) return {.bytes = size, .undecided = true};
  // An exclusive store writes 0 or 1, its status.
  if (i.value(0) <= 1) return {2 * size};
  return {static_cast<std::uint32_t>(size * (sources - 1)), i.outputs[0]};
}
}  // namespace detail

// Returns the mode of a load or a store.
template <dialect D> constexpr access_mode mode_of(const instruction<D>& i) noexcept {
  if constexpr (D == dialect::cbp2025) {
    const std::size_t k = i.base_update ? detail::updated_output(i) : i.outputs.size();
    return {i.size, k != i.outputs.size() ? std::uint8_t{i.outputs[k]} : no_register};
  } else {
    return i.stores() ? detail::mode_of_store(i) : detail::mode_of_load(i);
  }
}

// Returns the size of the access of a load or a store.
template <dialect D> constexpr std::uint32_t bytes_of(const instruction<D>& i) noexcept {
  return mode_of(i).bytes;
}

}  // namespace tracecodec::cvp
