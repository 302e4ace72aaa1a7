// Values of registers and memory that an instruction of a feed knows, beyond what every format has.
// A format offers what it has beside its instruction_view (x64dbg/values.hpp, umtracer/values.hpp):
//   for_each_memory_value(i, f)   calls f(address, bytes, written) for the contents of memory that
//                                 is read, or that is there before it is written (false), and of
//                                 what is written (true); bytes in the order of their addresses
//   register_value(i, name)       nullopt: this instruction does not tell
//   for_each_register_value(i, f) calls f(r, offset, value, size, after) for what is told of
//                                 registers before the instruction (false) or after it (true):
//                                 `size` bytes, within 8 that begin at a multiple of 8, from byte
//                                 `offset` of `r` (x86/registers.hpp) on hold `value`
//   register_places_of(i), for_each_register_value(i, places, f)
//                                 the same, if there is something to be looked up once for a trace
//   for_each_register_change(i, file, f)
//                                 the same of what is not as in `file`, an earlier instruction's
//                                 *registers(): of formats that tell all before each instruction
//   assembly(i)                   its text
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../x86/registers.hpp"

namespace tracecodec::feed {

namespace detail {
struct any_memory_value {
  void operator()(std::uint64_t, std::span<const std::byte>, bool) const {}
};
struct any_register_value {
  void operator()(x86::reg, std::size_t, std::uint64_t, std::size_t, bool) const {}
};
}  // namespace detail

template <class I>
concept with_memory_values = requires(const I& i) {
  for_each_memory_value(i, detail::any_memory_value{});
};
template <class I>
concept with_register_values = requires(const I& i, std::string_view name) {
  { register_value(i, name) } -> std::same_as<std::optional<std::uint64_t>>;
};
template <class I>
concept with_each_register = requires(const I& i) {
  for_each_register_value(i, detail::any_register_value{});
};
template <class I>
concept with_register_places = with_each_register<I> && requires(const I& i) {
  for_each_register_value(i, register_places_of(i), detail::any_register_value{});
};
// All registers before each instruction; registers() may be nullptr, of a feed that keeps none.
template <class I>
concept with_all_registers = with_each_register<I> && requires(const I& i) {
  for_each_register_change(i, *i.registers(), detail::any_register_value{});
};
// trusts_before(i, address): whether what it tells of memory before it executes is to be trusted.
template <class I>
concept with_trust = requires(const I& i, std::uint64_t address) {
  { trusts_before(i, address) } -> std::same_as<bool>;
};
template <class I>
concept with_assembly = requires(const I& i) {
  { assembly(i) } -> std::convertible_to<std::string_view>;
};
template <class I>
concept with_code = requires(const I& i) {
  { i.code() } -> std::convertible_to<std::span<const std::byte>>;
};

}  // namespace tracecodec::feed
