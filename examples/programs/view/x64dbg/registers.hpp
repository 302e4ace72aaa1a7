// Registers of an x64dbg trace that the command line selects by name.
#pragma once
#include <tracecodec/x64dbg/feed/executed_instruction.hpp>
#include <tracecodec/x64dbg/layout/flags.hpp>
#include <tracecodec/x64dbg/reader/state.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../common/json.hpp"
#include "../../common/program.hpp"
#include "../../common/text.hpp"
#include "../parts.hpp"

namespace view {

namespace x64dbg = tracecodec::x64dbg;

using x64dbg::register_file;

// Returns the registers that `word` selects: one register, or all registers of a group. Returns an
// empty list if `word` is neither the name of a register nor of a group.
template <x64dbg::target T>
std::vector<x64dbg::register_name> registers_named(std::string_view word) {
  const auto numbered = [](std::string_view name, std::string_view kind) {
    return name.starts_with(kind) && name.size() > kind.size() &&
           std::all_of(name.begin() + static_cast<std::ptrdiff_t>(kind.size()), name.end(),
                       [](char c) { return c >= '0' && c <= '9'; });
  };
  const auto group_of = [&](const x64dbg::register_name& r) -> std::string_view {
    constexpr std::size_t last_general = x64dbg::register_state<T>::cip_word + 1;
    constexpr std::size_t size = sizeof(tracecodec::wire::word_t<T>);
    const std::string_view name = r.name.view();
    if (r.size == size && r.template byte<T>() == 0 && r.template word<T>() <= last_general)
      return "general";
    if (name.size() == 2 && name[1] == 's' && r.size == 2) return "segments";
    for (const std::string_view kind : {"mm", "xmm", "ymm"})
      if (numbered(name, kind)) return kind;
    if (numbered(name, "dr")) return "debug";
    if (numbered(name, "x87r") || name.starts_with("x87.") || name == "mxcsr") return "x87";
    return {};
  };
  std::vector<x64dbg::register_name> found;
  for (const x64dbg::register_name& r : x64dbg::register_names<T>()) {
    const std::string_view group = group_of(r);
    if (r.name.view() == word || (!group.empty() && (group == word || word == "all")))
      found.push_back(r);
  }
  return found;
}

// Returns the registers that a list of words selects, without duplicates. Throws usage_error for a
// word that is neither the name of a register nor of a group.
template <x64dbg::target T>
std::vector<x64dbg::register_name> register_list(const std::vector<std::string>& words) {
  std::vector<x64dbg::register_name> all;
  for (const std::string& word : words) {
    const auto found = registers_named<T>(word);
    if (found.empty())
      throw examples::usage_error("--registers: this trace has no register '" + word +
                                  "'; --help names the groups");
    for (const x64dbg::register_name& r : found)
      if (std::none_of(all.begin(), all.end(), [&r](const x64dbg::register_name& have) {
            return have.name.view() == r.name.view();
          }))
        all.push_back(r);
  }
  return all;
}

// Adds the value of a register as "0x" and two digits for each byte. The register may have any
// size.
template <x64dbg::target T> void add_register_value(std::string& s, const x64dbg::register_name& r,
                                                    const register_file<T>& file) {
  constexpr std::size_t size = sizeof(tracecodec::wire::word_t<T>);
  s += "0x";
  for (std::size_t i = r.size; i-- != 0;) {
    const std::size_t at = r.offset + i;
    const auto byte = static_cast<unsigned>(file[at / size] >> 8 * (at % size) & 0xFFU);
    s += "0123456789abcdef"[byte >> 4U];
    s += "0123456789abcdef"[byte & 15U];
  }
}

template <x64dbg::target T> bool is_flags(const x64dbg::register_name& r) {
  return r.template word<T>() == x64dbg::register_state<T>::cip_word + 1 &&
         r.size == sizeof(tracecodec::wire::word_t<T>);
}

// Adds lines that show registers. A register of more than 8 bytes has a line of its own, and up to
// three smaller registers share a line. Also adds the names of the flags that are set.
template <x64dbg::target T> void add_registers(std::string& s,
                                               const std::vector<x64dbg::register_name>& all,
                                               const register_file<T>& file) {
  std::size_t in_line = 0;
  bool first = true, flags = false;
  const auto end_line = [&] {
    if (std::exchange(in_line, 0) != 0) s += '\n';
  };
  for (const x64dbg::register_name& r : all) {
    flags = flags || is_flags<T>(r);
    if (r.size > 8 || in_line == 3) end_line();
    if (in_line == 0)
      add_label(s, std::exchange(first, false) ? "registers" : "");
    else
      s += "  ";
    examples::add_left(s, r.name.view(), 7);
    add_register_value<T>(s, r, file);
    ++in_line;
    if (r.size > 8) end_line();
  }
  end_line();
  if (!flags) return;
  add_label(s, "flags");
  std::string line;
  x64dbg::for_each_flag(file[x64dbg::register_state<T>::cip_word + 1],
                        [&](std::string_view f) { (line += line.empty() ? "" : " ") += f; });
  s += (line.empty() ? "none" : line) + '\n';
}

// Adds a JSON object that has one member for each register, such as:
// {"rax":"0x...","cs":"0x0033","flags":["CF","PF"]}
template <x64dbg::target T> void add_registers(examples::json& j,
                                               const std::vector<x64dbg::register_name>& all,
                                               const register_file<T>& file) {
  j.object();
  bool flags = false;
  std::string value;
  for (const x64dbg::register_name& r : all) {
    value.clear();
    add_register_value<T>(value, r, file);
    j.key(r.name.view()).plain(value);
    flags = flags || is_flags<T>(r);
  }
  if (flags) {
    j.key("flags").array();
    x64dbg::for_each_flag(file[x64dbg::register_state<T>::cip_word + 1],
                          [&j](std::string_view f) { j.plain(f); });
    j.end_array();
  }
  j.end_object();
}

}  // namespace view
