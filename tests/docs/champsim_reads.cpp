// Reads traces with ChampSim's get_tracereader(), which another file defines, and compares the
// instructions with the bytes of a trace file. The trace has 50,000 records. With `repeat`, the
// first records are read a second time. Returns 0 on success.
#include "champsim_declarations.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <vector>

namespace {

constexpr const char* trace_name = "tests/data/work32.champsimtrace.xz";

[[maybe_unused]] const ooo_model_instr& instruction_of(const ooo_model_instr& i) { return i; }
[[maybe_unused]] const ooo_model_instr& instruction_of(const std::optional<ooo_model_instr>& i) {
  return *i;
}

bool reads(champsim::tracereader&& reader, const std::vector<input_instr>& records, bool repeat,
           unsigned space) {
  const std::size_t all = records.size() + (repeat ? 10 : 0);
  for (std::size_t n = 0; n < all; ++n) {
    const auto& record = records[n % records.size()];
    const auto next = n + 1 == all && !repeat ? 0 : records[(n + 1) % records.size()].ip;
    if (reader.eof()) return false;
    const auto returned = reader();
    const ooo_model_instr& i = instruction_of(returned);
    if (i.address() != record.ip || i.space() != space) return false;
    if (i.target() != (record.branch_taken ? next : 0)) return false;
  }
  return reader.eof() != repeat;
}

// Writes the records as CloudSuite records to a file in the folder that the environment
// variable OUT names.
std::string as_cloudsuite(const std::vector<input_instr>& records) {
  const std::string name = std::string(std::getenv("OUT")) + "/champsim_reads.cloudsuite";
  const auto file = std::fopen(name.c_str(), "wb");
  if (!file) return {};
  for (const auto& r : records) {
    cloudsuite_instr made = {};
    made.ip = r.ip;
    made.is_branch = r.is_branch;
    made.branch_taken = r.branch_taken;
    std::copy(std::begin(r.destination_registers), std::end(r.destination_registers),
              made.destination_registers);
    std::copy(std::begin(r.source_registers), std::end(r.source_registers), made.source_registers);
    made.asid[0] = 5;
    made.asid[1] = 6;
    if (std::fwrite(&made, sizeof made, 1, file) != 1) return {};
  }
  return std::fclose(file) == 0 ? name : std::string();
}

}  // namespace

// Two optional arguments, which must be used together, are packs of the trace and of its CloudSuite
// records. With "-" as the first argument, CloudSuite traces are not read.
int main(int argc, char** argv) {
  const bool cloudsuite_too = argc < 2 || std::string(argv[1]) != "-";
  std::vector<input_instr> records(50'000);
  const auto unpacked = popen((std::string("xz -dc ") + trace_name).c_str(), "r");
  if (!unpacked || fread(records.data(), sizeof(input_instr), records.size(), unpacked) != 50'000)
    return 1;
  pclose(unpacked);

  const std::string cloudsuite = as_cloudsuite(records);
  if (cloudsuite.empty()) return 2;
  const auto opened = [](const std::string& name, bool is_cloudsuite, bool repeat) {
    return get_tracereader(name, champsim::third_core, is_cloudsuite, repeat);
  };
  for (const bool repeat : {false, true}) {
    if (!reads(opened(trace_name, false, repeat), records, repeat, 3)) return 3;
    if (cloudsuite_too && !reads(opened(cloudsuite, true, repeat), records, repeat, 5)) return 4;
    // x64dbg recorded the same run in this trace.
    if (!reads(opened("tests/data/work32.trace32.xz", false, repeat), records, repeat, 3)) return 5;
    if (argc == 3 && cloudsuite_too) {
      if (!reads(opened(argv[1], false, repeat), records, repeat, 3)) return 6;
      if (!reads(opened(argv[2], true, repeat), records, repeat, 5)) return 7;
    }
  }
}
