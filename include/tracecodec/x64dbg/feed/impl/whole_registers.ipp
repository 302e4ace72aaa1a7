// Implementation of feed/whole_registers.hpp.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <string_view>

#include "../../layout/impl/registers.ipp"
#include "../whole_registers.hpp"

namespace tracecodec::x64dbg {

namespace detail {
constexpr bool starts_with(std::string_view s, std::string_view begin) {
  return s.substr(0, begin.size()) == begin;
}
template <target T> constexpr bool is_general(const register_name& r) {
  constexpr std::size_t size = sizeof(wire::word_t<T>);
  constexpr std::size_t cip = T == target::x64 ? 16 : 8;
  const std::size_t w = r.offset / size;
  return r.size == size && w <= cip + 1 && w != cip;
}
template <target T> constexpr bool is_other_whole(const register_name& r) {
  const std::string_view s = r.name.view();
  if (s.size() == 2 && s[1] == 's' && r.size == 2) return true;
  if (starts_with(s, "dr") || starts_with(s, "x87.") || s == "mxcsr" || s == "last_error")
    return true;
  return starts_with(s, "xmm") || starts_with(s, "ymm") || (starts_with(s, "mm") && s.size() == 3);
}
template <target T> constexpr name_list all_whole_registers() {
  name_list list;
  for (const bool general : {true, false})
    for (std::size_t i = 0; i < names<T>.n; ++i) {
      const register_name& r = names<T>.all[i];
      if (general ? is_general<T>(r) : is_other_whole<T>(r)) list.all[list.n++] = r;
    }
  return list;
}
template <target T> inline constexpr name_list wholes = all_whole_registers<T>();
static_assert(wholes<target::x86>.all[general_count<target::x86> - 1].name.view() == "eflags");
static_assert(wholes<target::x64>.all[general_count<target::x64> - 1].name.view() == "rflags");
}  // namespace detail

template <target T> std::span<const register_name> whole_registers() noexcept {
  return std::span(detail::wholes<T>.all).first(detail::wholes<T>.n);
}

#ifdef TRACECODEC_SEPARATE_COMPILATION
template std::span<const register_name> whole_registers<target::x86>() noexcept;
template std::span<const register_name> whole_registers<target::x64>() noexcept;
#endif

}  // namespace tracecodec::x64dbg
