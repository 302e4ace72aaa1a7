// Values of registers and memory that an instruction of a feed knows, beyond what every format has.
// A format offers what it has beside its instruction_view (x64dbg/values.hpp, umtracer/values.hpp):
//   for_each_memory_value(i, f)   calls f(address, bytes, written) for the contents of memory that
//                                 is read, or that is there before it is written (false), and of
//                                 what is written (true); bytes in the order of their addresses
//   register_value(i, name)       nullopt: this instruction does not tell
//   assembly(i)                   its text
#pragma once
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace tracecodec::feed {

namespace detail {
struct any_memory_value {
  void operator()(std::uint64_t, std::span<const std::byte>, bool) const {}
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
concept with_assembly = requires(const I& i) {
  { assembly(i) } -> std::convertible_to<std::string_view>;
};
template <class I>
concept with_code = requires(const I& i) {
  { i.code() } -> std::convertible_to<std::span<const std::byte>>;
};

}  // namespace tracecodec::feed
