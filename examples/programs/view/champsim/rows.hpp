// Prints a ChampSim record as a compact row, as a paragraph with all fields, or as JSON. The
// descriptor provides the fields, so this code supports both record layouts.
#pragma once
#include <tracecodec/champsim/rows.hpp>
#include <tracecodec/champsim/table_feed.hpp>
#include <tracecodec/rows/json_lines.hpp>

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "../../common/text.hpp"
#include "../parts.hpp"

namespace view {

namespace champsim = tracecodec::champsim;

// Adds a compact row, such as:
//   [     7] 0x0000000000671e84 | D_R[1] | S_R[4, 3] | S_M['0x33fca08']
// BR(T) and BR(N) show the recorded flags instead of the branch class derived from the registers.
// `asid` is empty for records without an address space.
template <class Instruction, class Asid>
void add_row(std::string& s, std::uint64_t index, const Instruction& i, const Asid& asid) {
  const auto& r = i.record();
  const auto number = [&s](std::uint64_t v) { examples::add_number(s, v); };
  const auto address = [&s](std::uint64_t v) { add_quoted(s, v); };
  add_start(s, index, r.ip);
  if (r.is_branch != 0) s += r.branch_taken != 0 ? " | BR(T)" : " | BR(N)";
  add_part(s, "D_R", i.destination_registers(), number);
  add_part(s, "S_R", i.source_registers(), number);
  add_part(s, "D_M", i.destination_memory(), address);
  add_part(s, "S_M", i.source_memory(), address);
  add_part(s, "ASID", asid, number);
  s += '\n';
}

template <class R, champsim::branch_rules Rules>
void add_compact(std::string& s, std::uint64_t index,
                 const champsim::instruction_view<R, Rules>& i) {
  if constexpr (requires { i.record().asid; })
    add_row(s, index, i, i.record().asid);
  else
    add_row(s, index, i, std::span<const std::uint8_t>());
}

// Adds a compact row. An address space that fits in 16 bits is shown as two bytes, like the address
// space of a CloudSuite record.
inline void add_compact(std::string& s, std::uint64_t index, const champsim::table_instruction& i,
                        bool threads) {
  const std::uint32_t asid = i.asid();
  const std::array<std::uint32_t, 2> bytes{asid & 0xFF, asid >> 8};
  if (!threads)
    add_row(s, index, i, std::span<const std::uint32_t>());
  else if (asid >> 16 == 0)
    add_row(s, index, i, bytes);
  else
    add_row(s, index, i, std::span(&asid, 1));
}

// Calls one(v) if `v` is an integer and many(v) if `v` is an array.
template <class T, class One, class Many> void by_shape(const T& v, One one, Many many) {
  if constexpr (std::is_integral_v<T>)
    one(v);
  else
    many(v);
}

// True for 64-bit numbers, which are addresses. Smaller numbers are flags and registers.
template <class T> inline constexpr bool is_address = sizeof(T) == 8;

// Adds each field on its own line, even if its value is zero. Then adds the branch class and the
// branch target.
template <class R, champsim::branch_rules Rules>
void add_detail(std::string& s, std::uint64_t index,
                const champsim::instruction_view<R, Rules>& i) {
  const auto label = [&s](std::string_view name) { add_label(s, name); };
  const auto one = [&s]<class T>(T v) {
    if constexpr (is_address<T>)
      examples::add_hex(s, v, 16);
    else
      examples::add_number(s, v);
  };
  const auto many = [&s, one](const auto& values) {
    for (std::size_t n = 0; n < values.size(); ++n) {
      s += n == 0 ? "[" : ", ";
      one(values[n]);
    }
    s += ']';
  };
  s += "Instruction ";
  examples::add_number(s, index);
  s += '\n';
  champsim::codec_of<R>::walk(i.record(), [&](std::string_view name, const auto& value) {
    label(name);
    by_shape(value, one, many);
    s += '\n';
  });
  add_outcome(s, i);
}

// Adds a JSON object on one line, with the fields of champsim::row.
template <class R, champsim::branch_rules Rules>
void add_json(std::string& s, std::uint64_t index, const champsim::instruction_view<R, Rules>& i) {
  tracecodec::rows::json_form::add(s, champsim::row_of(index, i));
}

}  // namespace view
