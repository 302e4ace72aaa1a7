// What is known of an instruction since it was translated: once for each, not each time it is executed.
#pragma once
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/tracepack/layout.hpp>
#include <tracecodec/x86/operands.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>

namespace record::qemu {

namespace champsim = tracecodec::champsim;
namespace tracepack = tracecodec::tracepack;
namespace x86 = tracecodec::x86;

// How the addresses that an execution accesses become operands: QEMU tells them in pieces of at most 8
// bytes, the lowest first.
enum class accesses : std::uint8_t {
  none,
  one_read,  // an operand: its first address
  one_written,
  one_both,      // read, then written
  by_direction,  // an operand that is read, and another that is written
  two_reads,     // the second operand first (cmps)
  several        // what is not behind the last one is another operand
};

// Bits of facts::flags.
enum : std::uint8_t {
  ends_block = 1,   // the last one of what is translated together
  conditional = 2,  // a conditional branch
  flow = 4,         // taken if what follows is not behind it
  repeated =
      8,  // rep: each execution is one step; the one that finds the count 0 is none of its own
  reading = 16,  // reads memory whenever it is done
  writing = 32,  // writes it
  calling = 64,  // a system call, or another interrupt: the last that a thread does
  raising = 128  // never is done: a signal comes instead
};

struct facts {
  std::uint64_t behind = 0;  // the address behind it
  std::uint64_t target = 0;  // of a conditional branch
  std::uint8_t flags = 0;
  std::uint8_t lost = 0;  // registers that have no room
  qemu::accesses accesses = accesses::none;
  friend bool operator==(const facts&, const facts&) = default;
};

template <class Record> struct translated {
  Record record = {};  // all but the addresses, and whether a conditional branch is taken
  qemu::facts facts = {};
  friend bool operator==(const translated&, const translated&) = default;
};

// What a tracepack keeps of `i`, which is of `code`.
inline tracepack::property property_of(const x86::instruction& i, std::span<const std::byte> code) {
  tracepack::property p;
  // A trace goes on behind a system call: it is no branch.
  if (i.valid()) p.branch = static_cast<std::uint8_t>(std::min(i.kind, x86::kind::not_branch));
  if (code.size() > p.code.size()) return p;
  p.length = static_cast<std::uint8_t>(code.size());
  std::copy(code.begin(), code.end(), p.code.begin());
  return p;
}

// `i` is of the code at `ip`. `is_x86`: its memory operands are known.
template <class Record> translated<Record> translate(const x86::instruction& i,
                                                     std::span<const std::byte> code,
                                                     std::uint64_t ip, bool is_x86) {
  translated<Record> to;
  constexpr std::size_t destinations = std::tuple_size_v<decltype(to.record.destination_registers)>;
  const auto lists = x86::simulator_registers<destinations, 4>(i);
  to.record.ip = ip;
  to.record.destination_registers = lists.destinations;
  to.record.source_registers = lists.sources;
  to.record.is_branch = i.kind < x86::kind::not_branch ? 1 : 0;
  facts& f = to.facts;
  f.lost = static_cast<std::uint8_t>(lists.dropped_destinations + lists.dropped_sources);
  f.behind = (ip + code.size()) & x86::low_bytes(i.pointer_bytes);
  if (i.kind == x86::kind::conditional) {
    f.flags |= conditional;
    f.target = (ip + code.size() + static_cast<std::uint64_t>(i.branch_offset)) &
               x86::low_bytes(i.target_bytes);
  } else if (i.kind == x86::kind::other) {
    f.flags |= flow;
  } else {
    to.record.branch_taken = to.record.is_branch;
  }
  if (i.repeated) f.flags |= repeated;
  if (i.kind == x86::kind::system) f.flags |= calling;
  const auto byte = [code](std::size_t n) {
    return n < code.size() ? std::to_integer<unsigned>(code[n]) : 0U;
  };
  constexpr unsigned halt = 0xF4;
  if (is_x86 && (!i.valid() || byte(0) == halt || (byte(0) == 0x0F && byte(1) == 0x0B)))  // ud2
    f.flags |= raising;

  unsigned operands = 0, reads = 0, writes = 0;
  bool scattered = false, string = false;
  for (const x86::memory_operand& m : i.memory_operands()) {
    scattered |= m.kind == x86::memory_kind::scattered || m.kind == x86::memory_kind::frame;
    string |= m.kind == x86::memory_kind::string;
    if (m.kind == x86::memory_kind::hint) continue;
    ++operands;
    reads += m.reads;
    writes += m.writes;
    if (m.conditional) continue;
    if (m.reads) f.flags |= reading;
    if (m.writes) f.flags |= writing;
  }
  if (scattered || (!is_x86 && operands == 0))
    f.accesses = accesses::several;
  else if (operands == 0)
    f.accesses = accesses::none;
  else if (operands == 1)
    f.accesses = writes == 0  ? accesses::one_read
                 : reads == 0 ? accesses::one_written
                              : accesses::one_both;
  else if (reads <= 1 && writes <= 1)
    f.accesses = accesses::by_direction;
  else if (string && reads == 2)
    f.accesses = accesses::two_reads;
  else
    f.accesses = accesses::several;
  return to;
}

}  // namespace record::qemu
