// Prints an instruction of Tarmac text as a compact row, as a paragraph with all lines, or as JSON.
#include "view.hpp"

#include <tracecodec/rows/json_lines.hpp>
#include <tracecodec/tarmac/descriptor.hpp>
#include <tracecodec/tarmac/rows.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "../../common/text.hpp"
#include "../parts.hpp"
#include "../rows_of.hpp"

namespace view {

namespace {

namespace tarmac = tracecodec::tarmac;
using tarmac::line_kind;

// Adds a value as a number, or "?" if it is unknown.
void add_value(std::string& s, const tarmac::instruction& i, const tarmac::line& l) {
  const auto bytes = i.bytes(l);
  s += bytes.empty() ? "?" : "0x";
  for (std::size_t n = bytes.size(); n-- != 0;)
    for (const unsigned shift : {4U, 0U})
      s += "0123456789abcdef"[std::to_integer<unsigned>(bytes[n]) >> shift & 15U];
}
void add_register(std::string& s, const tarmac::instruction& i, const tarmac::line& l) {
  s += examples::printable(i.text(l.text));
  if (l.offset != 0) examples::add_number(s += '+', l.offset);
  add_value(s += '=', i, l);
}

struct tarmac_text {
  template <class Instruction>
  static void add_json(std::string& s, std::uint64_t index, const Instruction& i) {
    tarmac::for_each_row(index, i.record(),
                         [&s](const tarmac::row& r) { tracecodec::rows::json_form::add(s, r); });
  }
  // Adds a compact row, such as:
  //   [     2] 0x00000000002105dc | BL {pc}+0x3e0 ; 0x2109bc | direct_call | BR(T) | OUT[X30=0x2105e0]
  template <class Instruction>
  static void add_compact(std::string& s, std::uint64_t index, const Instruction& from) {
    const tarmac::instruction& i = from.record();
    const auto add = [&](std::string_view label, line_kind kind, auto each) {
      bool first = true;
      for (const tarmac::line& l : i.lines().subspan(i.lines_before())) {
        if (l.kind != kind) continue;
        first ? ((s += " | ") += label) += '[' : s += ", ";
        first = false;
        each(l);
      }
      if (!first) s += ']';
    };
    const auto address = [&s](const tarmac::line& l) { add_quoted(s, l.address); };
    add_start(s, index, i.ip);
    if (from.asid() != 0) examples::add_number(s += " | cpu", from.asid());
    (s += " | ") += examples::printable(i.text(i.own().text));
    if (!i.own().executed) s += " | skipped";
    if (from.is_branch()) {
      (s += " | ") += name(from.branch());
      s += from.taken() ? " | BR(T)" : " | BR(N)";
    }
    add("S_M", line_kind::read, address);
    add("D_M", line_kind::write, address);
    add("OUT", line_kind::reg, [&](const tarmac::line& l) { add_register(s, i, l); });
    s += '\n';
  }
  // Adds each line of the trace on its own line, and then the branch class and target.
  template <class Instruction>
  static void add_detail(std::string& s, std::uint64_t index, const Instruction& from) {
    const tarmac::instruction& i = from.record();
    s += "Instruction ";
    examples::add_number(s, index);
    s += '\n';
    add_label(s, "ip");
    examples::add_hex(s, i.ip, 16);
    s += '\n';
    for (const tarmac::line& l : i.lines()) {
      add_label(s, name(l.kind));
      if (l.kind == line_kind::reg) {
        add_register(s, i, l);
      } else if (l.kind == line_kind::read || l.kind == line_kind::write) {
        examples::add_hex(s, l.address, 16);
        examples::add_number(s += ", ", l.bytes.size);
        add_value(s += " bytes: ", i, l);
      } else {
        s += examples::printable(i.text(l.text));
        if (!l.executed) s += " (skipped)";
      }
      s += '\n';
    }
    add_outcome(s, from);
  }
};

made_rows make_tarmac_rows(const tracecodec::feed::column_source& from, const std::string& /*path*/,
                           const tracecodec::format::open_options& /*as*/,
                           const shown_besides& /*besides*/) {
  const auto* const columns = columns_of<tarmac::trace_feed>(from);
  return columns != nullptr ? std::make_unique<rows_of<tarmac::trace_feed, tarmac_text>>(*columns)
                            : nullptr;
}

}  // namespace

constexpr format_view tarmac_view{.format = &tarmac::descriptor::facts, .rows = make_tarmac_rows};

}  // namespace view
