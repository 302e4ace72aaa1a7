// Values of registers and memory that an instruction of a feed knows, beyond what every format has.
// A format offers what it has beside its instruction_view (x64dbg/values.hpp, umtracer/values.hpp):
//   for_each_memory_value(i, f)   calls f(address, bytes, written) for the contents of memory that
//                                 is read, or that is there before it is written (false), and of
//                                 what is written (true); bytes in the order of their addresses
//   register_named(feed, name)    the register with this name, in any case of letters, or nullopt:
//                                 what for_each_value_of() takes
//   register_size(feed, r)        its size in bytes
//   for_each_value_of(i, r, f)    calls f(value, after) for what is told of register `r`, of one
//                                 wider than 64 bits of the lowest ones
//   for_each_register_value(i, f) calls f(r, offset, value, size, after) for what is told of
//                                 registers before the instruction (false) or after it (true):
//                                 `size` bytes, within 8 that begin at a multiple of 8, from byte
//                                 `offset` of `r` (x86/registers.hpp) on hold `value`
//   register_places_of(i), for_each_register_value(i, places, f)
//                                 the same, if there is something to be looked up once for a trace
//   for_each_register_change(i, file, f)
//                                 the same of what is not as in `file`, an earlier instruction's
//                                 *registers(): of formats that tell all before each instruction
//   mnemonic_named(feed, name)    the mnemonic, or prefix, with this name, in any case of letters, or
//                                 nullopt if there can be none: what is_called() takes
//   is_called(i, m)               whether the instruction has mnemonic or prefix `m`
//   operation_named(feed, name)   of formats with events: the operation with this name, in any case
//                                 of letters, or nullopt: what is_operation() takes
//   is_operation(i, o)            whether the event's operation is `o`
//   assembly(i)                   its text
//   held_assembly(feed, index)    the text of the instruction with this number in the trace, of
//                                 formats whose traces hold it
//   assembly_of_code(std::type_identity<I>(), code, ip)
//                                 of formats whose traces hold no text: what `code` reads as at `ip`; with
//                                 the feed in front, if its trace says whose code it is
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace tracecodec::feed {

namespace detail {
struct any_memory_value {
  void operator()(std::uint64_t, std::span<const std::byte>, bool) const {}
};
struct any_value {
  void operator()(std::uint64_t, bool) const {}
};
struct any_register_value {
  // A format's registers are of a type of its own.
  template <class Register>
  void operator()(Register, std::size_t, std::uint64_t, std::size_t, bool) const {}
};
}  // namespace detail

template <class I>
concept with_memory_values = requires(const I& i) {
  for_each_memory_value(i, detail::any_memory_value{});
};
// Of feeds, whose traces have names.
template <class F>
concept with_named_registers = requires(const F& f, const typename F::batch_type::value_type& i,
                                        std::string_view name) {
  for_each_value_of(i, *register_named(f, name), detail::any_value{});
};
template <class F>
concept with_mnemonics = requires(const F& f, const typename F::batch_type::value_type& i,
                                  std::string_view name) {
  { is_called(i, *mnemonic_named(f, name)) } -> std::same_as<bool>;
};
// Of feeds.
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
