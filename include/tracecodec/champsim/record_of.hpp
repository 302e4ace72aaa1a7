// Converts an instruction of any feed to a ChampSim record, for writing traces.
#pragma once
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "../feed/instruction.hpp"
#include "layout.hpp"

namespace tracecodec::champsim {

namespace detail {
// Copies the elements of `from` to `slots`. Returns the number of dropped elements. An element is
// dropped if there is no free slot. An address of 0 is also dropped, because it would look like an
// unused slot.
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

// ChampSim record, and the number of operands that it lacks. An operand is missing if it did not
// fit, or if the instruction had already dropped it.
template <class Record> struct recorded {
  Record record = {};
  std::uint64_t dropped_operands = 0;
};

// Converts the instruction `i` to the record `to`. Returns recorded::dropped_operands. Sets
// is_branch for branches of every class, and branch_taken for taken branches. Stores the operands
// from the first slot on. The record's asid, if any, becomes the low 16 bits of the instruction's
// asid. All other members are 0. If the instruction has a member function as_record(to), calls
// as_record() instead.
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

// Returns the instruction `i` as a record.
template <class Record = champsim::instruction, feed::instruction I>
constexpr recorded<Record> record_of(const I& i) {
  recorded<Record> r;
  r.dropped_operands = set_record(r.record, i);
  return r;
}

}  // namespace tracecodec::champsim
