// ChampSim's own struct for a record, with C arrays.
#pragma once

namespace test {

struct input_instr {
  unsigned long long ip;
  unsigned char is_branch, branch_taken;
  unsigned char destination_registers[2], source_registers[4];
  unsigned long long destination_memory[2], source_memory[4];
};

}  // namespace test
