// Values of registers, for the general feed/values.hpp. A record stores the value of each register
// that the instruction writes.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../arm/parts.hpp"
#include "../feed/of.hpp"
#include "operands.hpp"
#include "trace_file.hpp"

namespace tracecodec::cvp {

using arm::find_register;

// Calls f(register, part, value) for each part of 8 bytes of an output register's value. `part` is
// 0, or 1 for the upper half of a vector.
template <dialect D, class F> void for_each_output(const instruction<D>& i, F&& f) {
  std::size_t at = 0;
  for (const std::uint8_t r : i.outputs)
    for (std::size_t part = 0; part <= std::size_t{is_vector(r)}; ++part)
      f(r, part, std::uint64_t{i.values[at++]});
}

// Calls f(number, offset, value, 8, true) for each value. The numbers are those of the feed.
template <dialect D, class... Words, class F> void for_each_register_value(
    const feed::mapped_instruction<file::object_view<instruction<D>>, Words...>& i, F&& f) {
  for_each_output(i.record(), [&f](std::uint8_t r, std::size_t part, std::uint64_t value) {
    if (r != zero_register) f(champsim_number(r), 8 * part, value, std::size_t{8}, true);
  });
}

// Calls f(value, true) with the lowest 64 bits of register `r`, if the instruction writes it.
template <dialect D, class... Words, class F> void for_each_value_of(
    const feed::mapped_instruction<file::object_view<instruction<D>>, Words...>& i, std::uint8_t r,
    F&& f) {
  for_each_output(i.record(), [&f, r](std::uint8_t one, std::size_t part, std::uint64_t value) {
    if (one == r && part == 0) f(value, true);
  });
}
template <class File, class... Words>
std::optional<std::uint8_t> register_named(const feed::of<File, Words...>&, std::string_view name) {
  return find_register(name);
}
template <class File, class... Words>
std::string name_of_register(const feed::of<File, Words...>&, std::uint8_t number) {
  return arm::name_of(number);
}
template <class File, class... Words>
constexpr std::size_t register_size(const feed::of<File, Words...>&, std::uint8_t r) noexcept {
  return is_vector(r) ? 16 : 8;
}

}  // namespace tracecodec::cvp
