// Shared by the tests of the ChampSim folder: example records, and traces in temporary files.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "../files.hpp"
#include "tracecodec/champsim.hpp"

namespace test {

using tracecodec::champsim::cloudsuite_instruction;
using tracecodec::champsim::instruction;

// Returns `n` different standard records; every tenth is a taken conditional jump.
inline std::vector<instruction> records(std::size_t n) {
  std::vector<instruction> all;
  for (std::size_t i = 0; i < n; ++i) {
    instruction r{};
    r.ip = 0x401000 + 4 * i;
    if (i % 10 == 9) {
      r.is_branch = r.branch_taken = 1;
      r.destination_registers = {26, 0};
      r.source_registers = {26, 25, 0, 0};
    } else {
      r.source_memory[0] = 0x7ff000000000 + i;
      if (i % 10 == 8) r.destination_registers[0] = 25;  // the flags register, which the jump reads
    }
    all.push_back(r);
  }
  return all;
}

inline std::vector<std::byte> bytes_of(std::span<const instruction> all) {
  std::vector<std::byte> out(all.size() * 64);
  for (std::size_t i = 0; i < all.size(); ++i)
    tracecodec::champsim::instruction_codec::encode(all[i], std::span(out).subspan(i * 64));
  return out;
}

}  // namespace test
