// Values of registers and memory, for the general feed/values.hpp. Sources have the values before
// the instruction, and destinations those after it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "../feed/of.hpp"
#include "../riscv/registers.hpp"
#include "operands.hpp"

namespace tracecodec::stf {

// Calls f(number, offset, value, 8, after) for each value.
template <class... Words, class F> void for_each_register_value(
    const feed::mapped_instruction<file::object_view<instruction>, Words...>& i, F&& f) {
  for (const record& r : i.record().records) {
    const std::uint8_t number = r.descriptor == record_kind::reg ? number_of(r) : std::uint8_t{0};
    if (number == 0) continue;
    const bool after = r.role == operand_role::destination;
    if (!r.is_of_vector()) f(number, std::size_t{0}, r.value, std::size_t{8}, after);
    std::size_t offset = 0;
    if (r.is_of_vector())
      for (const std::uint64_t v : r.values) {
        f(number, offset, v, std::size_t{8}, after);
        offset += 8;
      }
  }
}
// Calls f(value, after) with the lowest 64 bits of register `n`.
template <class... Words, class F>
void for_each_value_of(const feed::mapped_instruction<file::object_view<instruction>, Words...>& i,
                       std::uint8_t n, F&& f) {
  for_each_register_value(
      i, [&](std::uint8_t number, std::size_t offset, std::uint64_t v, std::size_t, bool after) {
        if (number == n && offset == 0) f(v, after);
      });
}
template <class... Words>
std::optional<std::uint8_t> register_named(const feed::of<trace_file, Words...>&,
                                           std::string_view name) {
  return riscv::find_register(name);
}
template <class... Words>
std::string name_of_register(const feed::of<trace_file, Words...>&, std::uint8_t number) {
  return riscv::name_of(number);
}
template <class... Words>
constexpr std::size_t register_size(const feed::of<trace_file, Words...>&, std::uint8_t) noexcept {
  return 8;
}

// Calls f(address, bytes, written) for up to 8 bytes of each access, if the trace has them.
template <class... Words, class F> void for_each_memory_value(
    const feed::mapped_instruction<file::object_view<instruction>, Words...>& i, F&& f) {
  record access{};
  const auto size = static_cast<std::size_t>(std::min<std::uint64_t>(access_size(i.record()), 8));
  const auto& all = i.record().records;
  for (auto r = all.begin(); r != all.end(); ++r) {
    if (r->descriptor == record_kind::content && access.descriptor == record_kind::access)
      f(access.address, r.bytes().subspan(1, size), access.direction == access_kind::write);
    access = *r;
  }
}

}  // namespace tracecodec::stf
