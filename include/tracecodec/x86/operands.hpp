// Operand lists of an instruction for ChampSim and similar simulators. These simulators derive the
// branch class from the registers alone. The lists have fixed sizes. Operands that do not fit are
// dropped and counted.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>

#include "accesses.hpp"

namespace tracecodec::x86 {

// Registers of an instruction, represented by their numbers in registers.hpp. An unused slot is 0.
template <std::size_t Destinations, std::size_t Sources> struct register_lists {
  std::array<std::uint8_t, Destinations> destinations = {};
  std::array<std::uint8_t, Sources> sources = {};
  std::uint8_t dropped_destinations = 0;
  std::uint8_t dropped_sources = 0;
};

// Addresses of an instruction's memory operands. An unused slot is 0. The struct can be used as the
// sink of accesses().
template <std::size_t Destinations, std::size_t Sources> struct memory_lists {
  std::array<std::uint64_t, Destinations> destinations = {};
  std::array<std::uint64_t, Sources> sources = {};
  // Numbers of destinations and of sources, including operands that do not fit.
  std::uint8_t destination_count = 0;
  std::uint8_t source_count = 0;

  constexpr void operator()(const memory_access& a) noexcept {
    if (a.write)
      add(destinations, destination_count, a.address);
    else
      add(sources, source_count, a.address);
  }
  [[nodiscard]] constexpr std::size_t dropped_destinations() const noexcept {
    return destination_count > Destinations ? destination_count - Destinations : 0;
  }
  [[nodiscard]] constexpr std::size_t dropped_sources() const noexcept {
    return source_count > Sources ? source_count - Sources : 0;
  }

 private:
  template <std::size_t N> static constexpr void add(std::array<std::uint64_t, N>& list,
                                                     std::uint8_t& count,
                                                     std::uint64_t a) noexcept {
    if (count < N) list[count] = a;
    ++count;
  }
};

namespace detail {
template <std::size_t N> struct operand_list {
  std::array<std::uint8_t, N>& out;
  std::uint8_t& dropped;
  std::size_t n = 0;

  constexpr void add(reg r) noexcept {
    for (std::size_t i = 0; i < n; ++i)
      if (out[i] == number(r)) return;
    if (n < N)
      out[n++] = number(r);
    else
      ++dropped;
  }
};

constexpr bool is_control(reg r) noexcept {
  return r == reg::rsp || r == reg::flags || r == reg::ip;
}
}  // namespace detail

// Returns the registers of `i` in a form from which ChampSim's seven rules derive the kind of `i`.
// In the following table, d{...} are the destinations, and s{...} are the sources:
//
//   direct jump     d{ip}            s{ip}
//   conditional     d{ip} + count    s{ip} + flags + count, without rsp
//   direct call     d{ip, rsp}       s{ip, rsp}
//   return          d{ip, rsp}       s{rsp}
//   indirect call   d{ip, rsp}       s{ip, rsp} + target
//   indirect jump   d{ip}            s target
//   other           d{ip} + others   s{flags} + others
//
// The target of an indirect branch consists of its registers other than ip, rsp and flags. If there
// are no other registers (jmp [rip+x], call [rsp+8]), the target is reg::from_memory. Without this
// source, ChampSim would classify the branch as direct. Similarly, if a conditional branch reads
// neither the flags nor a count, the flags are added to its sources.
//
// System calls and interrupts are not branches, so the ip is left out. All other instructions keep
// their registers in order. The flags are last, and are therefore dropped first.
template <std::size_t Destinations, std::size_t Sources>
constexpr register_lists<Destinations, Sources> simulator_registers(const instruction& i) noexcept {
  static_assert(Destinations >= 2 && Sources >= 3, "too few slots to distinguish the classes");
  register_lists<Destinations, Sources> lists;
  detail::operand_list<Destinations> d{lists.destinations, lists.dropped_destinations};
  detail::operand_list<Sources> s{lists.sources, lists.dropped_sources};

  const auto add_read_or = [&](reg otherwise, auto wanted) {
    const std::size_t before = s.n;
    for (const reg r : i.registers_read())
      if (wanted(r)) s.add(r);
    if (s.n == before) s.add(otherwise);
  };
  const auto add_target = [&] {
    add_read_or(reg::from_memory, [](reg r) { return !detail::is_control(r); });
  };
  switch (i.kind) {
    case kind::not_branch:
    case kind::system:
      for (const reg r : i.registers_written())
        if (r != reg::ip) d.add(r);
      for (const reg r : i.registers_read())
        if (r != reg::ip || i.kind != kind::system) s.add(r);
      return lists;
    case kind::direct_jump:
      s.add(reg::ip);
      break;
    case kind::indirect_jump:
      add_target();
      break;
    case kind::conditional:
      s.add(reg::ip);
      add_read_or(reg::flags, [](reg r) { return r != reg::ip && r != reg::rsp; });
      break;
    case kind::direct_call:
    case kind::indirect_call:
      s.add(reg::ip);
      s.add(reg::rsp);
      if (i.kind == kind::indirect_call) add_target();
      break;
    case kind::return_:
      s.add(reg::rsp);
      break;
    case kind::other:
      s.add(reg::flags);
      for (const reg r : i.registers_read())
        if (!detail::is_control(r)) s.add(r);
      break;
  }
  d.add(reg::ip);
  if (i.kind == kind::direct_call || i.kind == kind::indirect_call || i.kind == kind::return_)
    d.add(reg::rsp);
  for (const reg r : i.registers_written())
    if (i.kind != kind::conditional || r != reg::rsp) d.add(r);
  return lists;
}

}  // namespace tracecodec::x86
