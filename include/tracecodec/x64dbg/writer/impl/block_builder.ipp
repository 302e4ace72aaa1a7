// Implementation of writer/block_builder.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include "../block_builder.hpp"

namespace tracecodec::x64dbg {

namespace detail {
template <std::size_t N>
void copy_most(std::span<const std::byte> from, std::array<std::byte, N>& to) {
  std::copy_n(from.begin(), std::min(from.size(), N), to.begin());
}
}  // namespace detail

template <target T> template <class Refuse>
void block_builder<T>::take(std::span<const std::byte> opcode,
                            std::span<const memory_access> accesses, Refuse&& refuse) {
  if (opcode.empty()) refuse("opcode", "an instruction has at least one byte");
  if (opcode.size() > largest_opcode)
    refuse("opcode", std::to_string(opcode.size()) + " bytes, but at most 15 are possible");
  if (accesses.size() > most)
    refuse("accesses", std::to_string(accesses.size()) + " accesses, but at most 255 are possible");
  const auto store = [&](const char* field, std::byte* to, std::uint64_t v) {
    if (v > static_cast<wire::word_t<T>>(-1))
      refuse(field, "a value has more than " + std::to_string(8 * word::size) + " bits");
    word::store(static_cast<wire::word_t<T>>(v), to);
  };
  detail::copy_most(opcode, opcode_);
  opcode_size_ = opcode.size();
  accesses_ = accesses.size();
  changed_ = 0;
  for (std::size_t i = 0; i < accesses_; ++i) {
    const memory_access& a = accesses[i];
    flags_[i] = static_cast<std::byte>((a.reserved & 0xFEU) | (a.new_value ? 0U : 1U));
    store("addresses", &addresses_[i * word::size], a.address);
    store("old_values", &old_[i * word::size], a.old_value);
    if (a.new_value) store("new_values", &new_[changed_++ * word::size], *a.new_value);
  }
}

template <target T> void block_builder<T>::take(const block<T>& b) {
  detail::copy_most(b.opcode.bytes(), opcode_);
  detail::copy_most(b.access_flags.bytes(), flags_);
  detail::copy_most(b.addresses.bytes(), addresses_);
  detail::copy_most(b.old_values.bytes(), old_);
  detail::copy_most(b.new_values.bytes(), new_);
  opcode_size_ = b.opcode.size();
  accesses_ = b.access_flags.size();
  changed_ = b.new_values.size();
}

template <target T>
block<T> block_builder<T>::build(const std::bitset<register_words<T>>& give, bool with_id) {
  std::size_t n = 0, next = 0;
  for (std::size_t w = 0; w < register_words<T>; ++w) {
    if (!give[w]) continue;
    positions_[n] = static_cast<std::byte>(w - next);
    word::store(state[w], &values_[n * word::size]);
    next = w + 1;
    ++n;
  }
  block<T> b{};
  b.registers = static_cast<std::uint8_t>(n);
  b.accesses = static_cast<std::uint8_t>(accesses_);
  b.has_thread = with_id;
  b.opcode_size = static_cast<std::uint8_t>(opcode_size_);
  b.thread = thread.value_or(0);
  b.opcode = {opcode_.data(), opcode_size_};
  b.positions = {positions_.data(), n};
  b.values = {values_.data(), n};
  b.access_flags = {flags_.data(), accesses_};
  b.addresses = {addresses_.data(), accesses_};
  b.old_values = {old_.data(), accesses_};
  b.new_values = {new_.data(), changed_};
  return b;
}

}  // namespace tracecodec::x64dbg
