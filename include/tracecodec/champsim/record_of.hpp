// Any feed's instruction as a ChampSim record: what converters write.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "../feed/instruction.hpp"
#include "layout.hpp"

namespace tracecodec::champsim {

namespace detail {
// Copies what there is room for; returns how many elements there was none for, or no way to tell
// from an unused slot: an address of 0.
template <class Range, class Slots> constexpr std::size_t fill(const Range& from, Slots& slots) {
  std::size_t n = 0, dropped = 0;
  for (const auto v : from)
    if (v != 0 && n < slots.size())
      slots[n++] = v;
    else
      ++dropped;
  return dropped;
}
}  // namespace detail

// A ChampSim record, and how many operands it has no room for or its instruction had lost before.
template <class Record> struct recorded {
  Record record = {};
  std::uint64_t lost_operands = 0;
};

// `to` becomes `i` as a record of ChampSim's kind; returns as recorded::lost_operands. Set are is_branch for
// every class of branch, branch_taken for those that were taken, and the operands from the first on; asid,
// where the record has one, is the low 16 bits of the instruction's. All other members are 0. An instruction
// that was such a record itself may make it: by as_record(to), which returns the same.
template <class Record, feed::instruction I>
constexpr std::uint64_t set_record(Record& to, const I& i) {
  to = {};
  if constexpr (requires {
                  { i.as_record(to) } -> std::same_as<std::uint64_t>;
                })
    return i.as_record(to);
  to.ip = i.ip();
  to.is_branch = i.is_branch() ? 1 : 0;
  to.branch_taken = i.taken() ? 1 : 0;
  const std::uint64_t lost = feed::lost_operands(i) +
                             detail::fill(i.destination_registers(), to.destination_registers) +
                             detail::fill(i.source_registers(), to.source_registers) +
                             detail::fill(i.destination_memory(), to.destination_memory) +
                             detail::fill(i.source_memory(), to.source_memory);
  if constexpr (requires { to.asid[1]; }) {
    to.asid[0] = static_cast<std::uint8_t>(i.asid());
    to.asid[1] = static_cast<std::uint8_t>(i.asid() >> 8);
  }
  return lost;
}

// The same as a value.
template <class Record = champsim::instruction, feed::instruction I>
constexpr recorded<Record> record_of(const I& i) {
  recorded<Record> r;
  r.lost_operands = set_record(r.record, i);
  return r;
}

}  // namespace tracecodec::champsim
