// Generates a trace for measurements: ChampSim records in the mix of an ordinary program, identical
// in every run.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <tracecodec/champsim/writer.hpp>

namespace bench {

namespace champsim = tracecodec::champsim;
namespace io = tracecodec::io;

// Generator of the instructions of a loop nest. One in 5 is a branch, usually conditional, and one
// in 3 accesses memory.
class program {
 public:
  champsim::instruction next() {
    champsim::instruction r{};
    r.ip = ip_;
    const std::uint64_t dice = random();
    ip_ += 2 + dice % 6;
    const auto branch = [&](bool taken, std::array<std::uint8_t, 2> written,
                            std::array<std::uint8_t, 4> read) {
      r.is_branch = 1;
      r.branch_taken = taken;
      r.destination_registers = written;
      r.source_registers = read;
      if (taken) ip_ = 0x401000 + (dice >> 20) % 0x8000;
    };
    constexpr std::uint8_t sp = champsim::stack_pointer, pc = champsim::instruction_pointer;
    switch (dice >> 8 & 31) {
      case 0:
      case 1:
      case 2:
      case 3:
        branch((dice & 64) != 0, {pc}, {pc, champsim::flags});
        break;
      case 4:
        branch(true, {pc}, {pc});
        break;
      case 5:
        branch(true, {pc, sp}, {pc, sp});
        break;
      case 6:
        branch(true, {pc, sp}, {sp});
        break;
      default:
        r.destination_registers[0] = static_cast<std::uint8_t>(64 + dice % 16);
        r.source_registers[0] = static_cast<std::uint8_t>(64 + (dice >> 4) % 16);
        if ((dice >> 16 & 3) == 0) r.source_memory[0] = 0x7FFC00000000 + (dice >> 24) % 4096 * 8;
        if ((dice >> 16 & 7) == 1) r.destination_memory[0] = 0x600000 + (dice >> 24) % 65536 * 8;
    }
    return r;
  }

 private:
  std::uint64_t random() {  // xorshift64
    state_ ^= state_ << 13;
    state_ ^= state_ >> 7;
    return state_ ^= state_ << 17;
  }
  std::uint64_t state_ = 88172645463325252;
  std::uint64_t ip_ = 0x401000;
};

// Writes `n` records of a program to `path`, compressed as its suffix indicates. The trace repeats
// itself after `period` records. A short period compresses well.
inline void write_trace(const std::string& path, std::size_t n, std::size_t period,
                        const io::output_options& options = {}) {
  std::vector<champsim::instruction> pass(period);
  program p;
  for (auto& r : pass) r = p.next();
  champsim::writer<champsim::instruction_codec> out(
      io::open_output(path, io::codec_of_suffix(path), options), path);
  for (std::size_t i = 0; i < n; ++i) out.write(pass[i % period]);
  out.finish();
}

}  // namespace bench
