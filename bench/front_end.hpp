// Reference for measurements of the feed: a hand-written loop that derives the same instructions
// from mapped records. Also contains the minimal work of a front end.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <tracecodec/champsim/feed.hpp>

namespace bench {

namespace champsim = tracecodec::champsim;
using tracecodec::feed::branch_class;

// Minimal front end. It counts classes and sums up outcomes and targets, so that every derived
// value is used.
struct front_end {
  std::array<std::uint64_t, 8> classes = {};
  std::uint64_t taken = 0, targets = 0;

  void step(std::uint64_t ip, branch_class c, bool is_taken, std::uint64_t target) {
    ++classes[static_cast<std::size_t>(c)];
    taken += is_taken;
    targets += target ^ ip;
  }
  template <class Instruction> void operator()(const Instruction& i) {
    step(i.ip(), i.branch(), i.taken(), i.target());
  }
  friend bool operator==(const front_end&, const front_end&) = default;
};

// Returns the class of a record that writes the instruction pointer, by the first matching rule of
// ChampSim.
inline branch_class class_by_hand(const champsim::instruction& r) {
  constexpr std::uint64_t sp = 1U << 6, flags = 1U << 25, ip = 1U << 26;
  const auto bit = [](std::uint8_t v) { return std::uint64_t{1} << (v < 63 ? v : 63); };
  const auto& s = r.source_registers;
  const std::uint64_t reads = (bit(s[0]) | bit(s[1]) | bit(s[2]) | bit(s[3])) & ~std::uint64_t{1};
  const bool writes_sp = r.destination_registers[0] == 6 || r.destination_registers[1] == 6;
  if ((reads & ~ip) == 0) return branch_class::direct_jump;
  if ((reads & (sp | ip | flags)) == 0) return branch_class::indirect;
  if ((reads & (sp | ip)) == ip && !writes_sp) return branch_class::conditional;
  if ((reads & (sp | ip | flags)) == (sp | ip) && writes_sp)
    return (reads & ~(sp | ip)) != 0 ? branch_class::indirect_call : branch_class::direct_call;
  if ((reads & (sp | ip)) == sp && writes_sp) return branch_class::return_;
  return branch_class::other;
}

[[gnu::noinline]] inline front_end run_by_hand(std::span<const champsim::instruction> records) {
  front_end f;
  for (std::size_t i = 0; i < records.size(); ++i) {
    const champsim::instruction& r = records[i];
    branch_class c = branch_class::not_branch;
    bool taken = false;
    if (r.destination_registers[0] == 26 || r.destination_registers[1] == 26) {
      c = class_by_hand(r);
      taken = (c != branch_class::conditional && c != branch_class::other) || r.branch_taken != 0;
    }
    f.step(r.ip, c, taken, taken && i + 1 < records.size() ? records[i + 1].ip : 0);
  }
  return f;
}

template <class Feed> [[gnu::noinline]] front_end run_range(Feed& feed) {
  front_end f;
  for (const auto& i : feed) f(i);
  return f;
}
template <class Feed> [[gnu::noinline]] front_end run_for_each(Feed& feed) {
  front_end f;
  tracecodec::feed::for_each(feed, f);
  return f;
}

}  // namespace bench
