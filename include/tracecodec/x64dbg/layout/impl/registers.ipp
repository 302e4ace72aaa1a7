// Implementation of layout/registers.hpp. The names are derived from the description of REGDUMP.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "../../../wire/record.hpp"
#include "../regdump.hpp"
#include "../registers.hpp"

namespace tracecodec::x64dbg {

namespace detail {
struct name_list {
  std::array<register_name, 300> all{};
  std::size_t n = 0;
  constexpr void add(wire::text name, std::size_t offset, std::size_t size) {
    all[n++] = {name, static_cast<std::uint16_t>(offset), static_cast<std::uint16_t>(size)};
  }
};

constexpr wire::text joined(std::string_view a, std::size_t number, std::string_view b = {}) {
  wire::text t = a;
  t += number;
  return t += b;
}

// Returns true if `s` contains `c`. std::string_view::find cannot be used, because it is not a
// constant expression if g++'s sanitizers are enabled.
constexpr bool contains(std::string_view s, char c) {
  for (const char have : s)
    if (have == c) return true;
  return false;
}

template <target T> constexpr const wire::layout_row& row(std::string_view name) {
  for (const wire::layout_row& r : wire::layout_table<regdump_codec<T>>)
    if (r.name.view() == name) return r;
  throw "no such field in REGDUMP";
}

template <target T> constexpr name_list all_names() {
  constexpr bool wide = T == target::x64;
  constexpr std::size_t word = sizeof(wire::word_t<T>);
  name_list list;
  const auto at = [](std::string_view field) { return row<T>(field).offset; };

  constexpr std::array<std::string_view, 8> general{"ax", "cx", "dx", "bx", "sp", "bp", "si", "di"};
  for (std::size_t i = 0; i < 8; ++i) {
    const std::size_t offset = i * word;
    const std::string_view name = general[i];
    const auto with = [&](std::string_view before, std::string_view after) {
      wire::text t = before;
      t += name;
      return t += after;
    };
    if (wide) list.add(with("r", ""), offset, 8);
    list.add(with("e", ""), offset, 4);
    list.add(with("", ""), offset, 2);
    if (i < 4) {
      wire::text low = name.substr(0, 1), high = name.substr(0, 1);
      list.add(low += "l", offset, 1);
      list.add(high += "h", offset + 1, 1);
    } else if (wide) {
      list.add(with("", "l"), offset, 1);
    }
  }
  if constexpr (wide)
    for (std::size_t i = 8; i < 16; ++i) {
      list.add(joined("r", i), i * 8, 8);
      list.add(joined("r", i, "d"), i * 8, 4);
      list.add(joined("r", i, "w"), i * 8, 2);
      list.add(joined("r", i, "b"), i * 8, 1);
    }
  list.add(std::string_view(wide ? "rip" : "eip"), at("cip"), word);
  list.add(std::string_view(wide ? "rflags" : "eflags"), at("eflags"), word);
  constexpr std::array<std::string_view, 12> as_they_are{"gs",  "fs",  "es",  "ds",  "cs",  "ss",
                                                         "dr0", "dr1", "dr2", "dr3", "dr6", "dr7"};
  for (const std::string_view s : as_they_are) list.add(s, at(s), s.size() == 2 ? 2 : word);

  // Fields of the x87 state, the SSE state and the flags are named as in REGDUMP's description,
  // such as x87.control_word and flags.c.
  for (const wire::layout_row& r : wire::layout_table<regdump_codec<T>>) {
    const std::string_view s = r.name.view();
    const bool part = contains(s, '.') && s.substr(0, 8) != "general.";
    if ((part || s == "mxcsr" || s == "last_error") && !contains(s, '('))
      list.add(r.name, r.offset, r.size);
  }
  // The flags also have their common names.
  constexpr std::array<std::string_view, 9> flags{"cf", "pf", "af", "zf", "sf",
                                                  "tf", "if", "df", "of"};
  for (std::size_t i = 0; i < 9; ++i) list.add(flags[i], at("flags.c") + i, 1);

  for (std::size_t i = 0; i < regdump<T>::vectors; ++i) {
    list.add(joined("xmm", i), at("xmm") + 16 * i, 16);
    list.add(joined("ymm", i), at("ymm") + 32 * i, 32);
  }
  for (std::size_t i = 0; i < 8; ++i) {
    const std::size_t x87 = at("x87_registers") + 20 * i;
    list.add(joined("x87r", i), x87, 10);
    list.add(joined("x87r", i, ".st_value"), x87 + 12, 4);
    list.add(joined("x87r", i, ".tag"), x87 + 16, 4);
    list.add(joined("mm", i), at("mmx") + 8 * i, 8);
  }
  return list;
}

template <target T> inline constexpr name_list names = all_names<T>();
}  // namespace detail

template <target T> std::span<const register_name> register_names() noexcept {
  return std::span(detail::names<T>.all).first(detail::names<T>.n);
}

template <target T> std::optional<register_name> find_register(std::string_view name) noexcept {
  for (const register_name& r : register_names<T>())
    if (r.name.view() == name) return r;
  return std::nullopt;
}

#ifdef TRACECODEC_SEPARATE_COMPILATION
template std::span<const register_name> register_names<target::x86>() noexcept;
template std::span<const register_name> register_names<target::x64>() noexcept;
template std::optional<register_name> find_register<target::x86>(std::string_view) noexcept;
template std::optional<register_name> find_register<target::x64>(std::string_view) noexcept;
#endif

}  // namespace tracecodec::x64dbg
