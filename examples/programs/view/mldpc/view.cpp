// Prints a load of an ML-DPC trace with its cycle, and whether the last-level cache contains it.
#include "view.hpp"

#include <tracecodec/mldpc/descriptor.hpp>
#include <tracecodec/mldpc/rows.hpp>
#include <tracecodec/rows/json_lines.hpp>

#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "../../common/text.hpp"
#include "../parts.hpp"
#include "../rows_of.hpp"

namespace view {

namespace {

namespace mldpc = tracecodec::mldpc;

struct mldpc_text {
  template <class Instruction>
  static void add_json(std::string& s, std::uint64_t index, const Instruction& i) {
    tracecodec::rows::json_form::add(s, mldpc::row_of(index, i.record()));
  }
  // Adds a compact row, such as:
  //   [     7] 0x000000000040a1b2 | S_M['0x7f1c2a40'] | cycle 1024 | miss
  template <class Instruction>
  static void add_compact(std::string& s, std::uint64_t index, const Instruction& i) {
    const mldpc::load& l = i.record();
    add_start(s, index, l.pc);
    s += " | S_M[";
    add_quoted(s, l.address);
    s += "] | cycle ";
    examples::add_number(s, l.cycle);
    s += l.hit != 0 ? " | hit\n" : " | miss\n";
  }
  // Adds each field on its own line.
  template <class Instruction>
  static void add_detail(std::string& s, std::uint64_t index, const Instruction& i) {
    const mldpc::load& l = i.record();
    s += "Load ";
    examples::add_number(s, index);
    s += '\n';
    for (const auto& [label, number] :
         {std::pair("instruction", l.instruction), std::pair("cycle", l.cycle),
          std::pair("hit", std::uint64_t{l.hit})}) {
      add_label(s, label);
      examples::add_number(s, number);
      s += '\n';
    }
    for (const auto& [label, address] : {std::pair("address", l.address), std::pair("pc", l.pc)}) {
      add_label(s, label);
      examples::add_hex(s, address, 16);
      s += '\n';
    }
  }
};

made_rows make_mldpc_rows(const tracecodec::feed::column_source& from, const std::string& /*path*/,
                          const tracecodec::format::open_options& /*as*/,
                          const shown_besides& /*besides*/) {
  const auto* const columns = columns_of<mldpc::trace_feed>(from);
  return columns != nullptr ? std::make_unique<rows_of<mldpc::trace_feed, mldpc_text>>(*columns)
                            : nullptr;
}

}  // namespace

constexpr format_view mldpc_view{.format = &mldpc::descriptor::facts, .rows = make_mldpc_rows};

}  // namespace view
