// Properties of an instruction that are computed only once, when the instruction is translated, and
// not at each execution.
#pragma once
#include <tracecodec/champsim/layout.hpp>
#include <tracecodec/tracepack/properties.hpp>
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

// Rules for converting the memory accesses of an execution to operands. QEMU reports an access in
// pieces of up to 8 bytes, in ascending order of address.
enum class accesses : std::uint8_t {
  none,
  // One operand that is read.
  one_read,
  one_written,
  // One operand that is read and then written.
  one_both,
  // One operand that is read, and one operand that is written.
  by_direction,
  // Two operands that are read. The second operand is read first (cmps).
  two_reads,
  // One operand for each access that does not continue the previous access.
  several
};

// Bits of facts::flags.
enum : std::uint8_t {
  // Last instruction of a translated block.
  ends_block = 1,
  conditional = 2,
  // Jump. It is taken if the next executed instruction is not the next instruction in memory.
  flow = 4,
  // Instruction with a rep prefix. Each repetition is one step. The final test, which finds that
  // the count is 0, is not a step.
  repeated = 8,
  // Instruction that reads memory in each execution.
  reading = 16,
  // Instruction that writes memory in each execution.
  writing = 32,
  // System call or other interrupt. It can be the last instruction of a thread.
  calling = 64,
  // Instruction that raises a signal and does not complete.
  raising = 128
};

struct facts {
  // Address of the next instruction in memory.
  std::uint64_t next_ip = 0;
  std::uint64_t target = 0;
  std::uint8_t flags = 0;
  std::uint8_t lost = 0;  // number of dropped registers
  qemu::accesses accesses = accesses::none;
  friend bool operator==(const facts&, const facts&) = default;
};

template <class Record> struct translated {
  // Record that lacks the memory addresses and the outcome of a conditional branch.
  Record record = {};
  qemu::facts facts = {};
  friend bool operator==(const translated&, const translated&) = default;
};

// Returns the properties of `i` that a tracepack stores. `code` contains the bytes of the
// instruction.
inline tracepack::property property_of(const x86::instruction& i, std::span<const std::byte> code) {
  tracepack::property p;
  // The trace continues after a system call, so do not classify the system call as a branch.
  if (i.valid()) p.branch = static_cast<std::uint8_t>(std::min(i.kind, x86::kind::not_branch));
  if (code.size() > p.code.size()) return p;
  p.length = static_cast<std::uint8_t>(code.size());
  std::copy(code.begin(), code.end(), p.code.begin());
  return p;
}

// Translates instruction `i`, whose bytes at address `ip` are `code`. `is_x86` is true if `i` lists
// all memory operands, like the result of the x86 decoder.
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
  f.next_ip = (ip + code.size()) & x86::low_bytes(i.pointer_bytes);
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
