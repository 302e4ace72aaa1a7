// Functions that the general feed/values.hpp calls for UMTracer instructions. The functions obtain
// register and memory values from the operand values in the records.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../../wire/types/scalar.hpp"
#include "../../x86/spellings.hpp"
#include "../reader/context_map.hpp"
#include "../reader/operands.hpp"
#include "../reader/register_numbers.hpp"
#include "decoded_feed.hpp"

namespace tracecodec::umtracer {

// Calls f(address, bytes, after) for each value of a memory operand. `after` is true for a value
// after execution. Throws the errors of operands_of().
template <class F> void for_each_memory_value(const instruction_view& i, F&& f) {
  const operand_values all = operands_of(i.trace(), i.execution());
  for (std::size_t n = 0; n < all.size(); ++n) {
    const slot_value v = all.value(n);
    if (v.has_address) f(v.address, v.bytes, n >= all.first_after());
  }
}

// Returns the number of the register `name` in the trace's context map, or nullopt if the map does
// not contain that name.
template <x86::disassembler D>
std::optional<std::uint16_t> register_named(const decoded_feed<D>& trace, std::string_view name) {
  return trace.trace().registers().find(name);
}

// Returns the size of register `r` in bytes in 64-bit code. If contexts of 64-bit code do not
// contain the register, returns the size in 32-bit code.
template <class D>
std::size_t register_size(const decoded_feed<D>& trace, std::uint16_t r) noexcept {
  const context_map& map = trace.trace().registers();
  const register_info info = map.info(r, true);
  return info.present() ? info.size : map.info(r, false).size;
}

// Calls f(value, after) for each value of register `r` in the instruction's operands. `after` is
// true for a value after execution, which only written operands have. Throws the errors of
// operands_of().
template <class F> void for_each_value_of(const instruction_view& i, std::uint16_t r, F&& f) {
  const operand_values all = operands_of(i.trace(), i.execution());
  for (std::size_t n = 0; n < all.size(); ++n) {
    const slot s = all.slot(n);
    if (s.is_memory() || s.name != r) continue;
    const auto bytes = all.value(s).bytes;
    if (!bytes.empty()) f(wire::load_little(bytes.data(), bytes.size()), n >= all.first_after());
  }
}

namespace detail {
// Register to which a name refers, or reg::none. `offset` is the position of the named bytes in
// that register.
struct register_place {
  x86::reg which = x86::reg::none;
  std::size_t offset = 0;
};
// Returns the place of the register `name`, ignoring case.
register_place place_of(std::string_view name) noexcept;
}  // namespace detail

// Mapping from the trace's register numbers to registers.
class register_places {
 public:
  explicit register_places(const context_map& map);
  [[nodiscard]] detail::register_place operator[](std::uint16_t id) const noexcept {
    return id < all_.size() ? all_[id] : detail::register_place();
  }

 private:
  std::array<detail::register_place, context_registers> all_ = {};
};
register_places register_places_of(const instruction_view& i);

// Calls f(register, offset, value, size, after) for each value of a register operand, in parts of
// up to 8 bytes. `after` is true for a value after execution, which only written operands have. The
// context map must use XED's names. `places` must come from the instruction's trace. Throws the
// errors of operands_of().
template <class F>
void for_each_register_value(const instruction_view& i, const register_places& places, F&& f) {
  const operand_values all = operands_of(i.trace(), i.execution());
  for (std::size_t n = 0; n < all.size(); ++n) {
    const slot s = all.slot(n);
    const detail::register_place place = s.is_memory() ? detail::register_place() : places[s.name];
    if (place.which == x86::reg::none) continue;
    std::span<const std::byte> bytes = all.value(s).bytes;
    for (std::size_t offset = place.offset; !bytes.empty();) {
      const std::size_t size = std::min(bytes.size(), 8 - offset % 8);
      f(place.which, offset, wire::load_little(bytes.data(), size), size, n >= all.first_after());
      bytes = bytes.subspan(size);
      offset += size;
    }
  }
}
// Works like the overload above, but is slower, because each call computes the register places of
// the trace.
template <class F> void for_each_register_value(const instruction_view& i, F&& f) {
  for_each_register_value(i, register_places_of(i), f);
}

// Returns the instruction's text as stored in the trace. Throws the errors of
// instruction_table::text().
std::string_view assembly(const instruction_view& i);

// Returns the text of record `index`, or an empty string if that record is not an instruction.
template <x86::disassembler D>
std::string_view held_assembly(const decoded_feed<D>& feed, std::uint64_t index) {
  const reader& trace = feed.trace();
  if (index >= trace.size()) return {};
  const record_view r = trace[index];
  if (r.type() != exec_type::instruction) return {};
  return trace.instructions().text(trace.row_of(r));
}

// Returns all spellings of the mnemonic `name`. Never returns nullopt, because the trace's
// disassembly may contain any mnemonic.
template <x86::disassembler D>
std::optional<std::vector<std::string>> mnemonic_named(const decoded_feed<D>&,
                                                       std::string_view name) {
  return x86::spellings_of(name);
}
// Returns true if `names` contains the first word of the instruction's text, not counting prefixes.
// The case of the text is ignored, but `names` must be in lower case.
bool has_mnemonic(const instruction_view& i, std::span<const std::string> names);

namespace detail {
inline register_place place_of(std::string_view name) noexcept {
  std::array<char, 16> capitals{};
  if (name.size() > capitals.size()) return {};
  for (std::size_t n = 0; n < name.size(); ++n)
    capitals[n] = name[n] >= 'a' && name[n] <= 'z' ? static_cast<char>(name[n] - 32) : name[n];
  const bool high = name.size() == 2 && capitals[1] == 'H';  // AH to DH
  return {register_of({capitals.data(), name.size()}), high ? 1U : 0U};
}

}  // namespace detail

inline register_places::register_places(const context_map& map) {
  for (std::uint16_t id = 0; id < map.size(); ++id) all_[id] = detail::place_of(map.name(id));
}
inline register_places register_places_of(const instruction_view& i) {
  return register_places(i.trace().registers());
}

inline std::string_view assembly(const instruction_view& i) {
  return i.trace().instructions().text(i.row());
}

inline bool has_mnemonic(const instruction_view& i, std::span<const std::string> names) {
  constexpr std::array<std::string_view, 13> prefixes{
      "lock",    "rep",      "repe",     "repz",       "repne",          "repnz", "bnd",
      "notrack", "xacquire", "xrelease", "hint-taken", "hint-not-taken", "data16"};
  const auto same = [](std::string_view word, std::string_view lower) {
    return std::equal(word.begin(), word.end(), lower.begin(), lower.end(),
                      [](char a, char b) { return (a >= 'A' && a <= 'Z' ? a + 32 : a) == b; });
  };
  for (std::string_view rest = assembly(i);;) {
    rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    const std::string_view word = rest.substr(0, rest.find(' '));
    if (word.empty()) return false;
    if (std::any_of(names.begin(), names.end(),
                    [&](const std::string& name) { return same(word, name); }))
      return true;
    if (std::none_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view p) { return same(word, p); }))
      return false;
    rest.remove_prefix(word.size());
  }
}

}  // namespace tracecodec::umtracer
