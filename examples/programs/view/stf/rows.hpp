// Prints an STF instruction as a compact row, as a paragraph with all records, or as JSON. All forms
// contain the recorded values of registers.
#pragma once
#include <tracecodec/rows/json_lines.hpp>
#include <tracecodec/stf/feed.hpp>
#include <tracecodec/stf/rows.hpp>

#include <cstdint>
#include <string>
#include <string_view>

#include "../../common/text.hpp"
#include "../parts.hpp"

namespace view {

namespace stf = tracecodec::stf;

// Returns the name of a recorded register, such as "x3", "v31" or "csr768".
inline std::string register_name(const stf::record& r) {
  using enum stf::register_class;
  const std::string_view letter = r.kind == general    ? "x"
                                  : r.kind == floating ? "f"
                                  : r.kind == vector   ? "v"
                                                       : "csr";
  return std::string(letter) + std::to_string(r.reg);
}
// Adds a register with its value, such as "x3=0x5" or "v1=0x2:0x1". The upper part of a vector comes
// first.
inline void add_register(std::string& s, const stf::record& r) {
  s += register_name(r);
  s += '=';
  if (!r.is_of_vector()) return examples::add_hex(s, r.value);
  for (std::size_t n = r.values.size(); n-- != 0;) {
    examples::add_hex(s, r.values[n]);
    if (n != 0) s += ':';
  }
}
// Returns "interrupt", "mode change" or "exception".
inline std::string_view kind_of_event(std::uint64_t cause) {
  if ((cause & stf::interrupt_bit) != 0) return "interrupt";
  return (cause & stf::mode_change_bit) != 0 ? "mode change" : "exception";
}
// Adds an event, such as "exception 8, 0x1".
inline void add_event(std::string& s, const stf::record& r) {
  s += kind_of_event(r.cause);
  s += ' ';
  examples::add_number(s, r.cause & ~(stf::interrupt_bit | stf::mode_change_bit));
  for (const std::uint64_t one : r.arguments) {
    s += ", ";
    examples::add_hex(s, one);
  }
}

// Adds the records of `i` for which chosen(record) is true, as " | LABEL[...]".
template <class Chosen, class Add> void add_records(std::string& s, std::string_view label,
                                                    const stf::instruction& i, Chosen chosen,
                                                    Add add) {
  bool first = true;
  for (const stf::record& r : i.records) {
    if (!chosen(r)) continue;
    if (first) (s += " | ") += label;
    s += first ? "[" : ", ";
    first = false;
    add(s, r);
  }
  if (!first) s += ']';
}

// Adds a compact row, such as:
//   [     7] 0x00000000800049c0 | 0x4cb32c03 | S_M['0x800054f0'] | OUT[x24=0x49525453]
template <class Instruction>
void add_stf_compact(std::string& s, std::uint64_t index, const Instruction& from) {
  const stf::instruction& i = from.record();
  const auto is = [](stf::record_kind k) {
    return [k](const stf::record& r) { return r.descriptor == k; };
  };
  const auto is_operand = [](stf::operand_role role) {
    return [role](const stf::record& r) {
      return r.descriptor == stf::record_kind::reg && r.role == role;
    };
  };
  const auto add_address = [](std::string& to, const stf::record& r) { add_quoted(to, r.address); };
  add_start(s, index, i.pc);
  s += " | ";
  for (const stf::record& r : i.records)
    if (r.ends_instruction()) examples::add_hex(s, r.opcode, 2 * i.length);
  if (from.is_branch()) {
    (s += " | ") += name(from.branch());
    s += from.taken() ? " | BR(T)" : " | BR(N)";
  }
  add_records(s, "IN", i, is_operand(stf::operand_role::source), add_register);
  add_records(s, "S_M", i, stf::is_read, add_address);
  add_records(s, "D_M", i, stf::is_write, add_address);
  add_records(s, "OUT", i, is_operand(stf::operand_role::destination), add_register);
  add_records(s, "WALK", i, is(stf::record_kind::page_table_walk), add_address);
  add_records(s, "EVENT", i, is(stf::record_kind::event), add_event);
  s += '\n';
}

// Adds each record on its own line, and then the branch class and target.
template <class Instruction>
void add_stf_detail(std::string& s, std::uint64_t index, const Instruction& from) {
  s += "Instruction ";
  examples::add_number(s, index);
  s += '\n';
  add_label(s, "pc");
  examples::add_hex(s, from.ip(), 16);
  s += '\n';
  for (const stf::record& r : from.record().records) {
    using enum stf::record_kind;
    add_label(s, name(r.descriptor));
    if (r.descriptor == reg) {
      (s += name(r.role)) += ' ';
      add_register(s, r);
    } else if (r.descriptor == event) {
      add_event(s, r);
    } else {
      // The fields of the record, in their order.
      bool first = true;
      stf::record_codec::walk_fields(r, [&](auto info, const auto& value, bool present) {
        if (!present || info.name == "descriptor") return;
        if (!first) s += ", ";
        first = false;
        (s += info.name) += ' ';
        std::string text;
        tracecodec::rows::add_json<info.says>(text, value);
        s += examples::printable(text);
      });
    }
    s += '\n';
  }
  add_outcome(s, from);
}

}  // namespace view
