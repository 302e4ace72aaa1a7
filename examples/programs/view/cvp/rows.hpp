// Prints a CVP-1 or CBP2025 instruction as a compact row, as a paragraph with all fields, or as
// JSON. All forms contain the values of the registers that the instruction writes.
#pragma once
#include <tracecodec/cvp/feed.hpp>
#include <tracecodec/cvp/rows.hpp>
#include <tracecodec/rows/json_lines.hpp>

#include <cstdint>
#include <string>

#include "../../common/text.hpp"
#include "../parts.hpp"

namespace view {

namespace cvp = tracecodec::cvp;

// Instruction of the feed of a dialect.
template <cvp::dialect D> using cvp_instruction =
    typename cvp::trace_feed<D>::batch_type::value_type;

// Returns the name of a register, such as "x3", "v31" or "nzcv".
inline std::string register_name(std::uint8_t r) {
  if (r == cvp::stack_register) return "sp";
  if (r == cvp::flags_register) return "nzcv";
  if (r == cvp::zero_register) return "xzr";
  return cvp::is_vector(r) ? 'v' + std::to_string(r - cvp::first_vector) : 'x' + std::to_string(r);
}

// Adds the output registers with their values, such as "[x3=0x5, v1=0x2:0x1]". The upper half of a
// vector comes first.
template <cvp::dialect D> void add_outputs(std::string& s, const cvp::instruction<D>& i) {
  std::size_t at = 0;
  for (const std::uint8_t r : i.outputs) {
    s += at == 0 ? "[" : ", ";
    s += register_name(r);
    s += '=';
    if (cvp::is_vector(r)) {
      examples::add_hex(s, i.values[at + 1]);
      s += ':';
    }
    examples::add_hex(s, i.values[at]);
    at += cvp::is_vector(r) ? 2 : 1;
  }
  s += at == 0 ? "" : "]";
}

// Adds a compact row, such as:
//   [     7] 0x000000000033e66c | load | IN[sp] | S_M['0xfffffffff650'] | OUT[x27=0x223cb4]
template <cvp::dialect D>
void add_cvp_compact(std::string& s, std::uint64_t index, const cvp::instruction<D>& i) {
  add_start(s, index, i.pc);
  (s += " | ") += name(i.what);
  if (i.branches()) s += i.taken ? " | BR(T)" : " | BR(N)";
  add_part(s, "IN", i.inputs, [&s](std::uint8_t r) { s += register_name(r); });
  if (i.accesses()) {
    s += i.stores() ? " | D_M[" : " | S_M[";
    add_quoted(s, i.address);
    s += ']';
  }
  if (!i.outputs.empty()) s += " | OUT";
  add_outputs(s, i);
  s += '\n';
}

// Adds each field on its own line, and then the branch class and target.
template <cvp::dialect D, class Instruction>
void add_cvp_detail(std::string& s, std::uint64_t index, const Instruction& from) {
  const cvp::instruction<D>& i = from.record();
  s += "Instruction ";
  examples::add_number(s, index);
  s += '\n';
  const auto line = [&s](std::string_view label, auto add) {
    add_label(s, label);
    add();
    s += '\n';
  };
  line("pc", [&] { examples::add_hex(s, i.pc, 16); });
  line("what", [&] { s += name(i.what); });
  if (i.accesses()) {
    line("address", [&] { examples::add_hex(s, i.address, 16); });
    line("size", [&] { examples::add_number(s, i.size); });
    if (D == cvp::dialect::cbp2025) line("base_update", [&] { s += i.base_update ? '1' : '0'; });
    if (D == cvp::dialect::cbp2025 && i.stores())
      line("register_offset", [&] { s += i.register_offset ? '1' : '0'; });
  }
  line("inputs", [&] {
    for (const std::uint8_t r : i.inputs) s += register_name(r) + ' ';
    if (i.inputs.empty()) s += "none";
    if (s.back() == ' ') s.pop_back();
  });
  line("outputs", [&] {
    add_outputs(s, i);
    if (i.outputs.empty()) s += "none";
  });
  add_outcome(s, from);
}

}  // namespace view
