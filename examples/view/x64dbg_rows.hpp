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
#include "x64dbg_more.hpp"

namespace view {

inline std::string hex_bytes(std::span<const std::byte> bytes) {
  std::string s;
  tracecodec::rows::add_bytes(s, bytes);
  return s;
}

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
      add_register_value<T>(s, r, *i.registers());
    }
    if (more->memory) add_dump(s, more->memory->before(i.index()), form::compact, 0);
  }
  s += '\n';
}

// Everything on lines of its own; registers only if the feed keeps them.
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
  if (more != nullptr && more->memory)
    add_dump(s, more->memory->before(i.index()), form::detail, digits);
  add_outcome(s, i);
}

// One object in one line, of what the block itself holds: index, offset, thread (null if unknown),
// opcode, ip; registers are those that the block gives, by name; memory the words accessed, new is
// null where the instruction left them as they were. Then what is asked for.
template <x64dbg::target T> void add_json(std::string& s, std::uint64_t,
                                          const x64dbg::instruction_view<T>& i,
                                          const x64dbg_more<T>* more = nullptr) {
  examples::json j(s);
  j.object().key("index").number(i.index()).key("offset").number(i.offset()).key("thread");
  if (i.thread())
    j.number(std::uint64_t{*i.thread()});
  else
    j.null();
  j.key("opcode").string(hex_bytes(i.code())).key("ip").hex(i.ip()).key("registers");
  add_given_registers<T>(j, i.block());
  j.key("memory").array();
  for (const auto& a : i.recorded_accesses()) {
    j.object().key("address").hex(a.address).key("old").hex(a.old_value).key("new");
    if (a.new_value)
      j.hex(*a.new_value);
    else
      j.null();
    j.end_object();
  }
  j.end_array();
  if (more != nullptr && !more->registers.empty()) {
    j.key("state");
    add_registers<T>(j, more->registers, *i.registers());
  }
  if (more != nullptr && more->memory) {
    j.key("memory_at");
    add_dump(j, more->memory->before(i.index()));
  }
  j.end_object();
  s += '\n';
}

}  // namespace view
