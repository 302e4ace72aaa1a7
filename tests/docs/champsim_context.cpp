// What docs/feed.md puts into ChampSim, within what ChampSim has around it: its structs for records,
// the part of its instruction that a tracereader looks at, and its get_tracereader(), which is given
// the trace's name. Not ChampSim's code, but its names and types.
#include <array>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <tracecodec/champsim.hpp>
#include <tracecodec/feed/adaptors.hpp>

struct input_instr {
  unsigned long long ip;
  unsigned char is_branch, branch_taken;
  unsigned char destination_registers[2], source_registers[4];
  unsigned long long destination_memory[2], source_memory[4];
};

struct cloudsuite_instr {
  unsigned long long ip;
  unsigned char is_branch, branch_taken;
  unsigned char destination_registers[4], source_registers[4];
  unsigned long long destination_memory[4], source_memory[4];
  unsigned char asid[2];
};

namespace champsim {

// Made from an integer explicitly only.
struct address {
  std::uint64_t value = 0;
  address() = default;
  explicit address(std::uint64_t v) : value(v) {}
};

}  // namespace champsim

struct ooo_model_instr {
  champsim::address ip{}, branch_target{};
  bool branch_taken = false;
  std::array<std::uint8_t, 2> asid;
  ooo_model_instr(std::uint8_t cpu, input_instr i)
      : ip{i.ip}, branch_taken{i.branch_taken != 0}, asid{cpu, cpu} {}
  ooo_model_instr(std::uint8_t, cloudsuite_instr i)
      : ip{i.ip}, branch_taken{i.branch_taken != 0}, asid{i.asid[0], i.asid[1]} {}
};

namespace champsim {

class tracereader {
  struct held {
    virtual ~held() = default;
    virtual ooo_model_instr next() = 0;
    virtual bool eof() const = 0;
  };
  template <class T> struct holder final : held {
    T it;
    explicit holder(T t) : it(std::move(t)) {}
    ooo_model_instr next() override { return it(); }
    bool eof() const override { return it.eof(); }
  };
  std::unique_ptr<held> held_;

 public:
  template <class T> explicit tracereader(T t) : held_(std::make_unique<holder<T>>(std::move(t))) {}
  ooo_model_instr operator()() { return held_->next(); }
  bool eof() const { return held_->eof(); }
};

}  // namespace champsim

champsim::tracereader get_tracereader(const std::string& fname, std::uint8_t cpu) {
  // (the block of the page)
}

// The trace, which has 50,000 records, and its beginning once more: the bytes of its file say what
// is delivered.
int main() {
  std::vector<input_instr> records(50'000);
  const auto unpacked = popen("xz -dc tests/data/work32.champsimtrace.xz", "r");
  if (!unpacked || fread(records.data(), sizeof(input_instr), records.size(), unpacked) != 50'000)
    return 1;
  pclose(unpacked);

  auto reader = get_tracereader("tests/data/work32.champsimtrace.xz", 3);
  for (std::size_t n = 0; n < records.size() + 10; ++n) {
    const auto& record = records[n % records.size()];
    const auto& next = records[(n + 1) % records.size()];
    if (reader.eof()) return 2;
    const ooo_model_instr i = reader();
    if (i.ip.value != record.ip || i.asid[1] != 3) return 3;
    if (i.branch_target.value != (record.branch_taken ? next.ip : 0)) return 4;
  }
}
