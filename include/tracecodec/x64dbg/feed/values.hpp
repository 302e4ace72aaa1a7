// Queries on the values of instructions in x64dbg feeds (feed/values.hpp).
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../../x86/lower_case.hpp"
#include "../../x86/zydis.hpp"
#include "../layout/registers.hpp"
#include "../reader/access.hpp"
#include "decoded_feed.hpp"
#include "engine/register_parts.hpp"
#include "word_use.hpp"

namespace tracecodec::x64dbg {

// Calls f(address, bytes, written) for the recorded memory words, of which there are at most 255.
// Adjacent words are combined into one range. In the first call for a range, `bytes` contains the
// old bytes and `written` is false. If the instruction writes to the range, a second call passes
// the new bytes, even if they are equal to the old bytes.
template <target T, class F> void for_each_memory_value(const instruction_view<T>& i, F&& f) {
  using word = wire::word_t<T>;
  constexpr std::size_t size = sizeof(word), most = 255 * size;
  std::array<std::byte, most> before, after;  // NOLINT: only initialised bytes are reported
  std::uint64_t first = 0;
  std::size_t n = 0;
  bool written = false;
  const auto report = [&] {
    if (n == 0) return;
    f(first, std::span<const std::byte>(before).first(n), false);
    if (written) f(first, std::span<const std::byte>(after).first(n), true);
    n = 0;
    written = false;
  };
  for (const auto& a : i.recorded_accesses()) {
    if (n != 0 && a.address != first + n) report();
    if (n == 0) first = a.address;
    if (n == most) break;
    wire::scalar<word, wire::order::little>::store(static_cast<word>(a.old_value), &before[n]);
    wire::scalar<word, wire::order::little>::store(static_cast<word>(a.value_after()), &after[n]);
    written = written || a.new_value.has_value() || writes_word(i, a.address);
    n += size;
  }
  report();
}

// Returns the register called `name` (see find_register()), ignoring case.
template <target T, x86::disassembler D>
std::optional<register_name> register_named(const decoded_feed<T, D>&, std::string_view name) {
  return find_register<T>(x86::lower_case(name));
}

template <target T, class D>
std::size_t register_size(const decoded_feed<T, D>&, const register_name& r) noexcept {
  return r.size;
}

// Calls f(value, false) with the value of the register before the instruction, and f(value, true)
// with the value after the instruction. The feed must keep these values (feed_options::registers
// and effects). Unknown values are skipped. If a register has more than 8 bytes, only the lowest 8
// bytes are used.
template <target T, class F>
void for_each_value_of(const instruction_view<T>& i, const register_name& r, F&& f) {
  using word = wire::word_t<T>;
  const auto report = [&r, &f](const register_file<T>* all, bool after) {
    if (all == nullptr) return;
    std::uint64_t value = 0;
    const std::size_t size = r.size < 8U ? r.size : 8U;
    for (std::size_t n = 0; n < size; ++n) {
      const std::size_t at = r.offset + n;
      const auto byte =
          static_cast<std::uint64_t>((*all)[at / sizeof(word)] >> 8 * (at % sizeof(word)) & 0xFFU);
      value |= byte << 8 * n;
    }
    f(value, after);
  };
  report(i.registers(), false);
  report(i.registers_after(), true);
}

namespace detail {
template <target T, class F> TRACECODEC_INLINE void report_part(const register_part& p,
                                                                const register_file<T>& file, F&& f,
                                                                bool after = false) {
  const std::uint64_t value = std::uint64_t{file[p.word]} >> p.shift;
  f(p.which, std::size_t{p.offset}, p.size == 8 ? value : value & 0xFFFFFFFFU, std::size_t{p.size},
    after);
}
// Calls f() for the new values of the registers that the instruction changes. Does nothing if
// feed_options::effects is not set.
template <target T, class F> void report_changed_parts(const instruction_view<T>& i, F&& f) {
  const auto *const before = i.registers(), *const after = i.registers_after();
  if (before == nullptr || after == nullptr) return;
  for (const register_part& p : parts_of_registers<T>.all)
    if ((*before)[p.word] != (*after)[p.word]) report_part<T>(p, *after, f, true);
}
}  // namespace detail

// Calls f(register, offset in the register, value, size, is_after) for each word of the general
// registers, the flags, mxcsr, ymm and mm, with the value before the instruction. If
// feed_options::effects is set, also calls f() for each word that the instruction changes, with the
// value after the instruction. Does nothing if i.registers() is nullptr.
template <target T, class F> void for_each_register_value(const instruction_view<T>& i, F&& f) {
  constexpr const auto& parts = detail::parts_of_registers<T>;
  static_assert(parts.n == parts.all.size());
  if (i.registers() == nullptr) return;
  for (const detail::register_part& p : parts.all) detail::report_part<T>(p, *i.registers(), f);
  detail::report_changed_parts<T>(i, f);
}

// Works like for_each_register_value(), but reports a value before the instruction only if the
// value differs from the value in `file`. `file` is the register file of another instruction of the
// same feed. i.registers() must not be nullptr.
template <target T, class F>
void for_each_register_change(const instruction_view<T>& i, const register_file<T>& file, F&& f) {
  constexpr const auto& parts = detail::parts_of_registers<T>;
  const auto& now = *i.registers();
  const auto report = [&](std::size_t from, std::size_t to) {
    for (; from != to; ++from) {
      const detail::register_part& p = parts.all[from];
      if (now[p.word] != file[p.word]) detail::report_part<T>(p, now, f);
    }
  };
  report(0, parts.first_count);
  // look_ahead stores the register files of consecutive instructions next to each other. Therefore,
  // if `file` is directly before `now`, it is the register file of the previous instruction.
  const bool known_equal = &file + 1 == &now && !i.record().others_changed;
  constexpr std::size_t first = parts.all[parts.first_count].word, end = parts.all.back().word + 1U;
  if (!known_equal && !std::equal(now.begin() + first, now.begin() + end, file.begin() + first))
    report(parts.first_count, parts.n);
  if (i.record().after != nullptr) [[unlikely]]
    detail::report_changed_parts<T>(i, f);
}

// Returns false if the recorded old value at `address` may differ from the value in memory before
// the instruction, for example for a push (access.hpp). If the registers are unknown, the function
// derives the stack pointer from the addresses that the instruction writes.
template <target T> bool trusts_before(const instruction_view<T>& i, std::uint64_t address) {
  using word = wire::word_t<T>;
  const executed_instruction& l = i.record();
  std::optional<word> csp;
  if (i.registers() != nullptr) {
    csp = (*i.registers())[4];
  } else if (l.destination_sizes[0] != 0 && l.dropped_destination_memory == 0) {
    const auto end = [&l](std::size_t n) {
      return static_cast<word>(l.destination_memory[n] + l.destination_sizes[n]);
    };
    csp = l.destination_sizes[1] != 0 ? std::max(end(0), end(1)) : end(0);
  }
  return trusts_old_value<T>({.address = address}, i.code(), csp);
}

// Returns true if trusts_before() returns true for every address. The result is true for all
// instructions except pushes.
template <target T> bool trusts_all_before(const instruction_view<T>& i) {
  return !pushes<T>(i.code());
}

// Zydis mnemonic, and a disassembler that determines whether code has this mnemonic.
template <target T> struct mnemonic {
  x86::zydis_mnemonic what = {};
  x86::zydis_disassembler disassembler = x86::zydis_disassembler(T);
};
template <target T, x86::disassembler D>
std::optional<mnemonic<T>> mnemonic_named(const decoded_feed<T, D>&, std::string_view name) {
  const auto found = x86::zydis_mnemonic_named(name);
  return found ? std::optional(mnemonic<T>{*found}) : std::nullopt;
}
template <target T> bool has_mnemonic(const instruction_view<T>& i, const mnemonic<T>& m) {
  return m.disassembler.has_mnemonic(i.code(), m.what);
}

// Returns the text of the instruction `code` at the address `ip` in Intel syntax.
template <target T> std::string assembly_of_code(std::type_identity<instruction_view<T>>,
                                                 std::span<const std::byte> code,
                                                 std::uint64_t ip) {
  static const x86::zydis_disassembler disassembler(T);
  return disassembler.text(code, ip);
}
template <target T> std::string assembly(const instruction_view<T>& i) {
  return assembly_of_code(std::type_identity<instruction_view<T>>(), i.code(), i.ip());
}

}  // namespace tracecodec::x64dbg
