// The registers of an x64dbg trace by name: those that the command line asks for, and what a block
// gives.
#pragma once
#include <tracecodec/x64dbg/layout/word_names.hpp>
#include <tracecodec/x64dbg/reader/state.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../common/json.hpp"
#include "../common/program.hpp"
#include "../common/text.hpp"
#include "parts.hpp"

namespace view {

namespace x64dbg = tracecodec::x64dbg;

// All words of REGDUMP.
template <x64dbg::target T> using register_file =
    std::array<tracecodec::wire::word_t<T>, x64dbg::register_words<T>>;

// The flags that are set, "CF PF ZF"; IOPL, which is no single bit, with its value.
inline std::vector<std::string> flag_names(std::uint64_t eflags) {
  using flag = std::pair<unsigned, std::string_view>;
  constexpr std::array<flag, 16> flags{{{0, "CF"},
                                        {2, "PF"},
                                        {4, "AF"},
                                        {6, "ZF"},
                                        {7, "SF"},
                                        {8, "TF"},
                                        {9, "IF"},
                                        {10, "DF"},
                                        {11, "OF"},
                                        {14, "NT"},
                                        {16, "RF"},
                                        {17, "VM"},
                                        {18, "AC"},
                                        {19, "VIF"},
                                        {20, "VIP"},
                                        {21, "ID"}}};
  std::vector<std::string> set;
  for (const auto& [bit, name] : flags)
    if ((eflags >> bit & 1U) != 0) set.emplace_back(name);
  if (const auto level = eflags >> 12 & 3U; level != 0)
    set.push_back("IOPL=" + std::to_string(level));
  return set;
}

// The registers that a word of the command line means: the name of one, or of a group. Empty: there
// is no such register.
template <x64dbg::target T>
std::vector<x64dbg::register_name> registers_called(std::string_view word) {
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

// Those that a list of such words means, each once. Throws usage_error for what is none.
template <x64dbg::target T>
std::vector<x64dbg::register_name> register_list(const std::vector<std::string>& words) {
  std::vector<x64dbg::register_name> all;
  for (const std::string& word : words) {
    const auto found = registers_called<T>(word);
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

// "0x" and two digits for each byte, of a register of any size.
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

// A line for each longer one, three of the others in a line, and the flags spelled out.
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
  for (const std::string& f : flag_names(file[x64dbg::register_state<T>::cip_word + 1]))
    line += (line.empty() ? "" : " ") + f;
  s += (line.empty() ? "none" : line) + '\n';
}

// The members of an object: {"rax":"0x...","cs":"0x0033","flags":["CF","PF"]}
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
    for (const std::string& f : flag_names(file[x64dbg::register_state<T>::cip_word + 1]))
      j.plain(f);
    j.end_array();
  }
  j.end_object();
}

// What lies in a word of REGDUMP that is no single register, nor a part of a longer one: fields.
struct word_field {
  std::string_view name = {};
  unsigned shift = 0;  // bits
  std::uint64_t mask = 0;
};

// By word: its fields, where several share it. Bytes that belong to none are told as the word too.
template <x64dbg::target T> const std::vector<std::vector<word_field>>& word_fields() {
  static const auto all = [] {
    using word = tracecodec::wire::word_t<T>;
    constexpr std::size_t size = sizeof(word);
    std::vector<std::vector<word_field>> fields(x64dbg::register_words<T>);
    for (std::size_t w = 0; w < fields.size(); ++w) {
      if (!x64dbg::word_names<T>()[w].view().starts_with("word_")) continue;
      std::uint64_t told = 0;
      for (const x64dbg::register_name& r : x64dbg::register_names<T>()) {
        if (r.offset / size != w || r.offset % size + r.size > size) continue;
        const auto shift = static_cast<unsigned>(8 * (r.offset % size));
        const std::uint64_t mask =
            r.size == 8 ? ~std::uint64_t{0} : (std::uint64_t{1} << 8 * r.size) - 1;
        // The usual name, "cf", comes behind the field's, "flags.c".
        const auto same =
            std::find_if(fields[w].begin(), fields[w].end(),
                         [&](const word_field& f) { return f.shift == shift && f.mask == mask; });
        if (same != fields[w].end())
          same->name = r.name.view();
        else
          fields[w].push_back({r.name.view(), shift, mask});
        told |= mask << shift;
      }
      if ((x64dbg::meaningful_bits<T>()[w] & ~told) != 0)
        fields[w].push_back({x64dbg::word_names<T>()[w].view(), 0, static_cast<word>(-1)});
    }
    return fields;
  }();
  return all;
}

// The register words that a block gives, by name: {"rip":"0x401000","xmm0_0":"0x1","cs":"0x33"}.
template <x64dbg::target T> void add_given_registers(examples::json& j, const x64dbg::block<T>& b) {
  const auto& fields = word_fields<T>();
  j.object();
  x64dbg::register_state<T>::walk(b, [&](std::size_t w, auto value) {
    if (fields[w].empty()) j.key(x64dbg::word_names<T>()[w].view()).hex(value);
    for (const word_field& f : fields[w])
      j.key(f.name).hex(std::uint64_t{value} >> f.shift & f.mask);
  });
  j.end_object();
}

}  // namespace view
