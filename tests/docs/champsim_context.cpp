// What docs/feed.md puts into ChampSim, within what ChampSim has around it: its structs for records,
// the part of its instruction that a tracereader looks at, and its get_tracereader(). Not ChampSim's
// code, but its names and types.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <tracecodec/champsim.hpp>
#include <tracecodec/feed/adaptors.hpp>
#include <tracecodec/trace/open.hpp>
#if defined(TRACECODEC_WITH_ZSTD)
#include <tracecodec/tracepack.hpp>
#endif

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

champsim::tracereader get_tracereader(const std::string& fname, std::uint8_t cpu,
                                      bool is_cloudsuite, bool repeat) {
  // (the block of the page)
}

namespace {

constexpr const char* trace_name = "tests/data/work32.champsimtrace.xz";
constexpr std::uint8_t cpu = 3;

bool reads(champsim::tracereader& reader, const std::vector<input_instr>& records, bool repeat,
           std::array<std::uint8_t, 2> asid) {
  const std::size_t all = records.size() + (repeat ? 10 : 0);
  for (std::size_t n = 0; n < all; ++n) {
    const auto& record = records[n % records.size()];
    const auto next = n + 1 == all && !repeat ? 0 : records[(n + 1) % records.size()].ip;
    if (reader.eof()) return false;
    const ooo_model_instr i = reader();
    if (i.ip.value != record.ip || i.asid != asid) return false;
    if (i.branch_target.value != (record.branch_taken ? next : 0)) return false;
  }
  return reader.eof() != repeat;
}

// The same records as CloudSuite's, in a file of the folder that is for such.
std::string as_cloudsuite(const std::vector<input_instr>& records) {
  const std::string name = std::string(std::getenv("OUT")) + "/champsim_context.cloudsuite";
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

#if defined(TRACECODEC_WITH_ZSTD)
namespace io = tracecodec::io;
namespace tracepack = tracecodec::tracepack;

// The records of a file, packed into another.
std::string pack_of(const std::string& of, const tracepack::about& about) {
  const std::string name = std::string(std::getenv("OUT")) + "/champsim_context.tpack";
  tracepack::writer out(io::open_output(name, io::codec::none), {.about = about});
  io::input in = io::open_input(of);
  std::vector<std::byte> piece(1 << 16);
  while (const std::size_t n = in.read(piece)) out.write(std::span(piece).first(n));
  out.finish();
  return name;
}
#endif

}  // namespace

// The trace, which has 50,000 records, and with `repeat` its beginning once more: the bytes of its
// file say what is delivered.
int main() {
  std::vector<input_instr> records(50'000);
  const auto unpacked = popen((std::string("xz -dc ") + trace_name).c_str(), "r");
  if (!unpacked || fread(records.data(), sizeof(input_instr), records.size(), unpacked) != 50'000)
    return 1;
  pclose(unpacked);

  const std::string cloudsuite = as_cloudsuite(records);
  if (cloudsuite.empty()) return 2;
  for (const bool repeat : {false, true}) {
    auto plain = get_tracereader(trace_name, cpu, false, repeat);
    if (!reads(plain, records, repeat, {cpu, cpu})) return 3;
    auto other = get_tracereader(cloudsuite, cpu, true, repeat);
    if (!reads(other, records, repeat, {5, 6})) return 4;
    auto of_32_bits = get_tracereader("tests/data/work32.trace32.xz", cpu, false, repeat);
    if (!reads(of_32_bits, records, repeat, {cpu, cpu})) return 5;  // the same run
#if defined(TRACECODEC_WITH_ZSTD)
    auto packed =
        get_tracereader(pack_of(trace_name, tracepack::about_champsim()), cpu, false, repeat);
    if (!reads(packed, records, repeat, {cpu, cpu})) return 6;
    auto other_packed =
        get_tracereader(pack_of(cloudsuite, tracepack::about_cloudsuite()), cpu, true, repeat);
    if (!reads(other_packed, records, repeat, {5, 6})) return 7;
#endif
  }
}
