// The viewer's statistics. Of ChampSim's records as they are written: by the raw is_branch flag,
// not by the classes that the registers give.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

#include "../common/json.hpp"
#include "../common/number_set.hpp"
#include "../common/text.hpp"

namespace view {

struct statistics {
  std::uint64_t instructions = 0, branches = 0, taken = 0;
  std::uint64_t reads = 0, writes = 0;  // records with any operand in memory, not operands
  examples::number_set ips = {};
  examples::number_set threads = {};  // of formats that have them

  template <class Instruction> void add(const Instruction& i) {
    ++instructions;
    ips.insert(i.ip());
    if constexpr (requires { i.record().is_branch; }) {
      const auto& r = i.record();
      branches += r.is_branch != 0;
      taken += r.is_branch != 0 && r.branch_taken != 0;
    } else {
      branches += i.is_branch();
      taken += i.taken();
    }
    if constexpr (requires { i.thread(); })
      if (i.thread()) threads.insert(*i.thread());
    reads += !i.source_memory().empty();
    writes += !i.destination_memory().empty();
  }
};

inline void add_text(std::string& s, std::string_view trace, const statistics& n) {
  using examples::grouped;
  const auto share = [](std::uint64_t part, std::uint64_t whole) {
    return " (" + examples::fixed(examples::percent(part, whole), 2) + "%";
  };
  s += "Trace Statistics for: " + examples::printable(trace);
  s += '\n' + std::string(70, '=') + '\n';
  s += "Total Instructions:    " + grouped(n.instructions) + '\n';
  s += "Unique IPs:            " + grouped(n.ips.size()) + '\n';
  if (n.threads.size() != 0) s += "Threads:               " + grouped(n.threads.size()) + '\n';
  s += "Branch Instructions:   " + grouped(n.branches) + share(n.branches, n.instructions) + ")\n";
  s +=
      "  Taken:               " + grouped(n.taken) + share(n.taken, n.branches) + " of branches)\n";
  s += "Memory Reads:          " + grouped(n.reads) + share(n.reads, n.instructions) + ")\n";
  s += "Memory Writes:         " + grouped(n.writes) + share(n.writes, n.instructions) + ")\n";
}

inline void add_json(std::string& s, std::string_view trace, const statistics& n) {
  examples::json j(s);
  j.object().key("trace").string(trace).key("instructions").number(n.instructions);
  j.key("unique_ips").number(n.ips.size());
  if (n.threads.size() != 0) j.key("threads").number(n.threads.size());
  j.key("branches").number(n.branches);
  j.key("taken").number(n.taken).key("memory_reads").number(n.reads);
  j.key("memory_writes").number(n.writes).end_object();
  s += '\n';
}

}  // namespace view
