// Converts any feed's instruction to a ChampSim record, for writing traces.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "../feed/instruction.hpp"
#include "layout.hpp"

namespace tracecodec::champsim {

namespace detail {
// Copies elements to `slots`. Returns the number of elements dropped: elements without a free
// slot, and addresses of 0, which would look like unused slots.
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

// ChampSim record, and the number of operands that did not fit or were already lost in the
// instruction.
template <class Record> struct recorded {
  Record record = {};
  std::uint64_t dropped_operands = 0;
};

// Sets `to` to instruction `i` as a record of ChampSim's kind; returns
// recorded::dropped_operands. Sets is_branch for every class of branch, branch_taken for taken
// branches, and the operands from the first slot on. asid, if the record has one, gets the low
// 16 bits of the instruction's asid. All other members are 0. If the instruction has a member
// as_record(to), that member makes the record instead.
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
  const std::uint64_t lost = feed::dropped_operands(i) +
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

// Returns instruction `i` as a record.
template <class Record = champsim::instruction, feed::instruction I>
constexpr recorded<Record> record_of(const I& i) {
  recorded<Record> r;
  r.dropped_operands = set_record(r.record, i);
  return r;
}

}  // namespace tracecodec::champsim
