// One instruction of an x64dbg trace as the viewer prints it: a compact row, a paragraph with
// everything that is known of it, or JSON.
#pragma once
#include <tracecodec/x64dbg/feed.hpp>
#include <tracecodec/x64dbg/values.hpp>

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "../common/json.hpp"
#include "../common/text.hpp"
#include "parts.hpp"

namespace view {

namespace x64dbg = tracecodec::x64dbg;

inline std::string hex_bytes(std::span<const std::byte> bytes) {
  std::string s;
  tracecodec::rows::add_bytes(s, bytes);
  return s;
}

// [     7] 0x0000000008049a10 | T[6700] | ret | BR(T) | S_M['0xffb3c1ac']
template <x64dbg::target T>
void add_compact(std::string& s, std::uint64_t, const x64dbg::instruction_view<T>& i) {
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
  s += '\n';
}

// The general registers, the instruction pointer and the flags before the instruction.
template <x64dbg::target T>
void add_registers(std::string& s, const x64dbg::instruction_view<T>& i) {
  if (i.registers() == nullptr) return;
  using state = x64dbg::register_state<T>;
  constexpr std::size_t digits = 2 * sizeof(typename state::word);
  std::size_t n = 0;
  for (const x64dbg::register_name& r : x64dbg::register_names<T>()) {
    // One name for each word, up to the flags behind the instruction pointer.
    if (r.template byte<T>() != 0 || r.size != sizeof(typename state::word)) continue;
    if (r.template word<T>() > state::cip_word + 1) break;
    if (n % 3 == 0) add_label(s, n == 0 ? "registers" : "");
    examples::add_left(s, r.name.view(), 7);
    examples::add_hex(s, (*i.registers())[r.template word<T>()], digits);
    s += ++n % 3 == 0 ? "\n" : "  ";
  }
  if (n % 3 != 0) s.replace(s.size() - 2, 2, "\n");
}

// Everything on lines of its own; registers only if the feed keeps them.
template <x64dbg::target T>
void add_detail(std::string& s, std::uint64_t, const x64dbg::instruction_view<T>& i) {
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
  add_registers(s, i);
  for (const auto& a : i.accesses()) {
    add_label(s, a.write ? "writes" : "reads");
    examples::add_hex(s, a.address, digits);
    s += ", " + std::to_string(a.size) + (a.size == 1 ? " byte\n" : " bytes\n");
  }
  if (const std::uint64_t n = i.lost_operands(); n != 0) {
    add_label(s, "left out");
    s += std::to_string(n) + (n == 1 ? " operand" : " operands") +
         ", for which a ChampSim record has no room\n";
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
  add_outcome(s, i);
}

// One object in one line, of what the block itself holds: index, offset, thread (null if unknown),
// opcode, ip; registers are the words that the block gives, as [word, value]; memory the words
// accessed, new is null where the instruction left them as they were.
template <x64dbg::target T>
void add_json(std::string& s, std::uint64_t, const x64dbg::instruction_view<T>& i) {
  examples::json j(s);
  j.object().key("index").number(i.index()).key("offset").number(i.offset()).key("thread");
  if (i.thread())
    j.number(std::uint64_t{*i.thread()});
  else
    j.null();
  j.key("opcode").string(hex_bytes(i.code())).key("ip").hex(i.ip()).key("registers").array();
  x64dbg::register_state<T>::walk(i.block(), [&j](std::size_t word, auto value) {
    j.array().number(std::uint64_t{word}).hex(value).end_array();
  });
  j.end_array().key("memory").array();
  for (const auto& a : i.recorded_accesses()) {
    j.object().key("address").hex(a.address).key("old").hex(a.old_value).key("new");
    if (a.new_value)
      j.hex(*a.new_value);
    else
      j.null();
    j.end_object();
  }
  j.end_array().end_object();
  s += '\n';
}

}  // namespace view
