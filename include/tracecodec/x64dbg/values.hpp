// What a feed's instruction of an x64dbg trace knows of registers and memory (feed/values.hpp).
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "feed.hpp"
#include "registers.hpp"

namespace tracecodec::x64dbg {

// The words that the trace recorded, neighbours in one piece; at most 255 of them.
template <target T, class F> void for_each_memory_value(const instruction_view<T>& i, F&& f) {
  using word = wire::word_t<T>;
  constexpr std::size_t size = sizeof(word), most = 255 * size;
  std::array<std::byte, most> before{}, after{};
  std::uint64_t first = 0;
  std::size_t n = 0;
  bool written = false;
  const auto tell = [&] {
    if (n == 0) return;
    f(first, std::span<const std::byte>(before).first(n), false);
    if (written) f(first, std::span<const std::byte>(after).first(n), true);
    n = 0;
    written = false;
  };
  for (const auto& a : i.recorded_accesses()) {
    if (n != 0 && a.address != first + n) tell();
    if (n == 0) first = a.address;
    if (n == most) break;
    wire::scalar<word, wire::order::little>::store(static_cast<word>(a.old_value), &before[n]);
    wire::scalar<word, wire::order::little>::store(
        static_cast<word>(a.new_value.value_or(a.old_value)), &after[n]);
    written = written || a.new_value.has_value();
    n += size;
  }
  tell();
}

// Before the instruction, of a feed that keeps registers (feed_options::registers); of one wider
// than 64 bits the lowest ones. Names as in find_register().
template <target T>
std::optional<std::uint64_t> register_value(const instruction_view<T>& i, std::string_view name) {
  using word = wire::word_t<T>;
  const auto* const all = i.registers();
  const auto found = find_register<T>(name);
  if (all == nullptr || !found) return std::nullopt;
  std::uint64_t value = 0;
  const std::size_t size = found->size < 8U ? found->size : 8U;
  for (std::size_t n = 0; n < size; ++n) {
    const std::size_t at = found->offset + n;
    const auto byte =
        static_cast<std::uint64_t>((*all)[at / sizeof(word)] >> 8 * (at % sizeof(word)) & 0xFFU);
    value |= byte << 8 * n;
  }
  return value;
}

// In Intel's syntax.
template <target T> std::string assembly(const instruction_view<T>& i) {
  static const x86::zydis_disassembler disassembler(T);
  return disassembler.text(i.code(), i.ip());
}

}  // namespace tracecodec::x64dbg
