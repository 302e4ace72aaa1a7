// Values of registers and memory that a feed's instructions may provide in addition to the common
// properties. A format declares its functions next to its instruction_view (x64dbg/values.hpp,
// umtracer/values.hpp). Case is ignored in names.
//   for_each_memory_value(i, f)
//       calls f(address, bytes, written) for contents of memory. `written` is true for bytes that
//       the instruction wrote, and false for bytes that it read or that preceded a write. Bytes
//       are in the order of their addresses
//   register_named(feed, name)
//       returns the register with this name, for for_each_value_of(), or nullopt if there is none
//   register_size(feed, r)
//       returns the size of register `r` in bytes
//   name_of_register(feed, n)
//       returns the name of the register with number `n`, or an empty text. Only formats whose
//       registers are not those of x86 declare this function
//   for_each_value_of(i, r, f)
//       calls f(value, after) for each recorded value of register `r`. For wider registers,
//       `value` is the lowest 64 bits
//   for_each_register_value(i, f)
//       calls f(r, offset, value, size, after) for each recorded value of a register, before or
//       after the instruction. The value has `size` bytes from byte `offset` of `r`
//       (x86/registers.hpp) on, which are within an aligned group of 8 bytes
//   register_places_of(i), for_each_register_value(i, places, f)
//       calls f for the same values, with the result of a look-up that is made once per trace
//   for_each_register_change(i, file, f)
//       calls f for values that differ from `file`, which is *registers() of an earlier
//       instruction, for formats that store all registers before each instruction
//   mnemonic_named(feed, name)
//       returns the mnemonic or prefix with this name, for has_mnemonic(), or nullopt if the format
//       cannot have such a mnemonic
//   has_mnemonic(i, m)
//       returns true if the instruction has the mnemonic or prefix `m`
//   operation_named(feed, name)
//       returns the operation of events with this name, for is_operation(), or nullopt if there
//       is none
//   is_operation(i, o)
//       returns true if the operation of the event is `o`
//   assembly(i)
//       returns the text of the instruction
//   held_assembly(feed, index)
//       returns the text of the instruction with number `index` in the trace, for formats whose
//       traces store text
//   assembly_of_code(std::type_identity<I>(), code, ip)
//       returns the disassembly of `code` at `ip`, for formats whose traces store no text. The
//       first argument is the feed instead if the instruction set depends on the trace
//   code_mode(std::type_identity<I>())
//       returns the mode of the code (std::optional<wire::target>), or nullopt if it is not x86
//       code. Formats without x86 code do not declare this function. The argument is the feed
//       instead if the instruction set depends on the trace
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::feed {

namespace detail {
struct any_memory_value {
  void operator()(std::uint64_t, std::span<const std::byte>, bool) const {}
};
struct any_value {
  void operator()(std::uint64_t, bool) const {}
};
struct any_register_value {
  // Accepts registers of any type, because each format has its own register type.
  template <class Register>
  void operator()(Register, std::size_t, std::uint64_t, std::size_t, bool) const {}
};
}  // namespace detail

template <class I>
concept with_memory_values = requires(const I& i) {
  for_each_memory_value(i, detail::any_memory_value{});
};
// Feed with registers that can be looked up by name.
template <class F>
concept with_named_registers = requires(const F& f, const typename F::batch_type::value_type& i,
                                        std::string_view name) {
  for_each_value_of(i, *register_named(f, name), detail::any_value{});
};
// Feed whose registers are not those of x86.
template <class F>
concept with_own_registers = requires(const F& f, std::uint8_t number) {
  { name_of_register(f, number) } -> std::convertible_to<std::string>;
};
template <class F>
concept with_mnemonics = requires(const F& f, const typename F::batch_type::value_type& i,
                                  std::string_view name) {
  { has_mnemonic(i, *mnemonic_named(f, name)) } -> std::same_as<bool>;
};
// Feed whose events have named operations.
template <class F>
concept with_operations = requires(const F& f, const typename F::batch_type::value_type& i,
                                   std::string_view name) {
  { is_operation(i, *operation_named(f, name)) } -> std::same_as<bool>;
};
template <class I>
concept with_each_register = requires(const I& i) {
  for_each_register_value(i, detail::any_register_value{});
};
template <class I>
concept with_register_places = with_each_register<I> && requires(const I& i) {
  for_each_register_value(i, register_places_of(i), detail::any_register_value{});
};
// Instruction in a trace that stores all registers before each instruction. registers() can return
// nullptr if the feed stores no registers.
template <class I>
concept with_all_registers = with_each_register<I> && requires(const I& i) {
  for_each_register_change(i, *i.registers(), detail::any_register_value{});
};
// Instruction with a function trusts_before(i, address), which returns true if the recorded
// contents of memory before the instruction can be trusted.
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
