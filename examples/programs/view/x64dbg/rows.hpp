// Prints an instruction of an x64dbg trace as a compact row, as a paragraph with all known details,
// or as JSON.
#pragma once
#include <tracecodec/rows/json_lines.hpp>
#include <tracecodec/x64dbg/effect_rows.hpp>
#include <tracecodec/x64dbg/feed.hpp>
#include <tracecodec/x64dbg/values.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "../../common/json.hpp"
#include "../../common/text.hpp"
#include "../parts.hpp"
#include "more.hpp"

namespace view {

inline std::string hex_bytes(std::span<const std::byte> bytes) {
  std::string s;
  tracecodec::rows::add_bytes(s, bytes);
  return s;
}

// Adds the changes that the instruction makes, such as:
//   " | rsp: 14f4a8 -> 14f4a0 | ZF: 0 -> 1 | [14f4a0]: 0 -> 4010a7"
template <x64dbg::target T> void add_effects(std::string& s, const x64dbg::instruction_view<T>& i) {
  const auto part = [&s](std::string_view what, std::string_view from, std::string_view to) {
    (((((s += " | ") += what) += ": ") += from) += " -> ") += to;
  };
  const auto* const before = i.registers();
  const auto* const after = i.registers_after();
  if (before == nullptr || after == nullptr) {
    s += " | registers: unknown";
  } else {
    constexpr std::size_t flags = x64dbg::register_state<T>::cip_word + 1;
    x64dbg::for_each_changed_register<T>(*before, *after, [&](const x64dbg::register_name& r) {
      if (r.template word<T>() == flags) return;
      x64dbg::register_text<T> from, to;
      part(r.name.view(), from(*before, r).substr(2), to(*after, r).substr(2));
    });
    for (const x64dbg::flag_name& f : x64dbg::flag_names) {
      const auto was = (*before)[flags] >> f.bit & 1U, is = (*after)[flags] >> f.bit & 1U;
      if (was != is) part(f.name, was != 0 ? "1" : "0", is != 0 ? "1" : "0");
    }
  }
  const auto digits = [](std::uint64_t v) {
    std::string text;
    examples::add_hex(text, v);
    return text.substr(2);
  };
  for (const auto& a : i.recorded_accesses())
    if (a.new_value) part('[' + digits(a.address) + ']', digits(a.old_value), digits(*a.new_value));
}

// Adds a compact row such as:
// [     7] 0x0000000008049a10 | T[6700] | ret | BR(T) | S_M['0xffb3c1ac']
template <x64dbg::target T> void add_compact(std::string& s, std::uint64_t,
                                             const x64dbg::instruction_view<T>& i,
                                             const x64dbg_more<T>* more = nullptr) {
  add_start(s, i.index(), i.ip());
  if (i.thread()) {
    s += " | T[";
    examples::add_number(s, *i.thread());
    s += ']';
  }
  s += " | " + assembly(i);
  if (i.is_branch()) s += i.taken() ? " | BR(T)" : " | BR(N)";
  const auto address = [&s](std::uint64_t v) { add_quoted(s, v); };
  add_part(s, "D_M", i.destination_memory(), address);
  add_part(s, "S_M", i.source_memory(), address);
  if (more != nullptr) {
    for (const x64dbg::register_name& r : more->registers) {
      (s += " | ") += r.name.view();
      s += ' ';
      if (i.registers() != nullptr)
        add_register_value<T>(s, r, *i.registers());
      else
        s += "unknown";
    }
    if (more->effects) add_effects<T>(s, i);
    if (more->memory) add_dump(s, more->memory->before(i.index()), form::compact, 0);
  }
  s += '\n';
}

// Adds each detail on its own line. Registers are added only if the feed provides them.
template <x64dbg::target T> void add_detail(std::string& s, std::uint64_t,
                                            const x64dbg::instruction_view<T>& i,
                                            const x64dbg_more<T>* more = nullptr) {
  constexpr std::size_t digits = 2 * sizeof(tracecodec::wire::word_t<T>);
  s += "Instruction ";
  examples::add_number(s, i.index());
  s += '\n';
  add_label(s, "offset");
  examples::add_number(s, i.offset());
  s += '\n';
  add_label(s, "thread");
  if (i.thread())
    examples::add_number(s, *i.thread());
  else
    s += "unknown";
  s += '\n';
  add_label(s, "ip");
  examples::add_hex(s, i.ip(), digits);
  s += '\n';
  add_label(s, "opcode");
  s += hex_bytes(i.code()) + '\n';
  add_label(s, "assembly");
  s += assembly(i) + '\n';
  if (i.registers() != nullptr) {
    static const auto usual = register_list<T>({"general", "segments"});
    const bool named = more != nullptr && !more->registers.empty();
    add_registers<T>(s, named ? more->registers : usual, *i.registers());
  }
  if (const auto* const after = i.registers_after(); i.registers() != nullptr && after != nullptr) {
    bool first = true;
    x64dbg::for_each_changed_register<T>(*i.registers(), *after, [&](const auto& r) {
      add_label(s, std::exchange(first, false) ? "changes" : "");
      examples::add_left(s, r.name.view(), 6);
      x64dbg::register_text<T> text;
      (s += ' ') += text(*i.registers(), r);
      ((s += " -> ") += text(*after, r)) += '\n';
    });
  }
  for (const auto& a : i.accesses()) {
    add_label(s, a.write ? "writes" : "reads");
    examples::add_hex(s, a.address, digits);
    s += ", " + std::to_string(a.size) + (a.size == 1 ? " byte\n" : " bytes\n");
  }
  if (const std::uint64_t n = i.dropped_operands(); n != 0) {
    add_label(s, "left out");
    s += std::to_string(n) + (n == 1 ? " operand" : " operands") +
         ", which a ChampSim record cannot store\n";
  }
  for (const auto& a : i.recorded_accesses()) {
    add_label(s, "recorded word");
    examples::add_hex(s, a.address, digits);
    s += ": ";
    examples::add_hex(s, a.old_value, digits);
    if (a.new_value) {
      s += " -> ";
      examples::add_hex(s, *a.new_value, digits);
    }
    s += '\n';
  }
  if (more != nullptr && more->memory)
    add_dump(s, more->memory->before(i.index()), form::detail, digits);
  add_outcome(s, i);
}

// Adds a JSON object on one line. The object contains the fields of x64dbg::effect_row, followed by
// the data that `more` selects.
template <x64dbg::target T> void add_json(std::string& s, std::uint64_t,
                                          const x64dbg::instruction_view<T>& i,
                                          const x64dbg_more<T>* more = nullptr) {
  const std::string text = assembly(i);
  x64dbg::with_effect_row<T>(i, std::string_view(text),
                             [&s](const auto& row) { tracecodec::rows::json_form::add(s, row); });
  if (more == nullptr) return;
  if (!more->registers.empty())
    for (const auto& [key, file] :
         {std::pair{"state", i.registers()}, std::pair{"state_after", i.registers_after()}})
      add_member(s, key, [&more, all = file](examples::json& j) {
        if (all != nullptr)
          add_registers<T>(j, more->registers, *all);
        else
          j.null();
      });
  if (more->memory)
    add_member(s, "memory_at",
               [&](examples::json& j) { add_dump(j, more->memory->before(i.index())); });
}

}  // namespace view
