// Tests of check: each rule reports only its own defect, and valid traces have no findings.
#include <doctest/doctest.h>

#include <map>

#include "support.hpp"

namespace champsim = tracecodec::champsim;
namespace io = tracecodec::io;
using tracecodec::diagnostic;

namespace {
struct findings {
  champsim::check_summary summary;
  std::map<std::string, std::vector<diagnostic>> by_code;
};
template <class Record = test::instruction>
findings check(const std::string& path, std::uint64_t each = 5) {
  findings f;
  f.summary = champsim::check<Record>(
      io::open_input(path),
      [&f](const diagnostic& d) { f.by_code[std::string(d.code)].push_back(d); }, {.each = each});
  return f;
}
findings check(const std::vector<test::instruction>& records) {
  const test::folder dir;
  return check(dir.file("t", test::bytes_of(records)));
}
}  // namespace

TEST_CASE("reports nothing for sound traces") {
  CHECK(check(test::data("sed64.champsimtrace.xz")).by_code.empty());
  CHECK(check(test::data("work32.champsimtrace.xz")).by_code.empty());
  CHECK(check(test::data("sed64.champsimtrace.xz")).summary.records == 50000);
  auto records = test::records(9);
  records.push_back(test::records(10)[9]);
  CHECK(check(records).by_code.empty());
}

TEST_CASE("reports switches between threads as breaks in the flow") {
  // The file has 178 thread switches. A switch after a taken branch cannot be detected.
  const auto f = check(test::data("threads3_64.champsimtrace.xz"));
  REQUIRE(f.by_code.size() == 1);
  const auto n = f.summary.count(tracecodec::severity::warning);
  CHECK(n > 100);
  CHECK(n <= 178);
  CHECK(f.by_code.at("flow").size() == 6);  // five places and the number of the remaining ones
}

TEST_CASE("reports no break in the flow after missing records") {
  auto records = test::records(20);
  for (std::size_t i = 6; i != records.size(); ++i) records[i].ip += 0x1000;
  std::vector<std::uint64_t> asked;
  const test::folder dir;
  for (const bool known : {false, true}) {
    const auto sum = champsim::check<test::instruction>(
        io::open_input(dir.file("t", test::bytes_of(records))), [](const diagnostic&) {},
        {.missing_before = [&](std::uint64_t record) {
          asked.push_back(record);
          return known && record == 6;
        }});
    CHECK(sum.count(champsim::rule::flow) == (known ? 0 : 1));
  }
  CHECK(asked == std::vector<std::uint64_t>{6, 6});
}

TEST_CASE("reports each defect at its place") {
  auto records = test::records(20);
  SUBCASE("flag above 1") {
    records[3].branch_taken = 2;
    records[9].is_branch = 7;
    const auto f = check(records);
    REQUIRE(f.by_code.at("flag-value").size() == 2);
    CHECK(f.by_code.at("flag-value")[0].record == 3);
    CHECK(f.by_code.at("flag-value")[1].offset == 9 * 64);
    CHECK(f.summary.count(tracecodec::severity::error) == 2);
  }
  SUBCASE("flag without a branch, and branch without a flag") {
    records[3].is_branch = 1;
    records[9].is_branch = 0;
    const auto f = check(records);
    REQUIRE(f.by_code.at("flag-class").size() == 2);
    CHECK(f.by_code.at("flag-class")[0].record == 3);
    CHECK(f.by_code.at("flag-class")[1].record == 9);
  }
  SUBCASE("calls and returns without a flag cause only a note") {
    records[4].destination_registers = {6, 26};
    records[4].source_registers = {6, 26, 0, 0};
    records[5].destination_registers = {6, 26};
    records[5].source_registers = {6, 0, 0, 0};
    const auto f = check(records);
    CHECK(f.by_code.at("unflagged-call").size() == 2);
    CHECK(f.by_code.size() == 1);
  }
  SUBCASE("taken flag contradicts the class") {
    records[2].branch_taken = 1;
    records[6].is_branch = 1;
    records[6].destination_registers = {26, 0};
    records[6].source_registers = {26, 0, 0, 0};  // a direct jump, recorded as not taken
    const auto f = check(records);
    REQUIRE(f.by_code.at("taken-flag").size() == 2);
    CHECK(f.by_code.at("taken-flag")[1].record == 6);
  }
  SUBCASE("address 0") {
    records[19].ip = 0;
    const auto f = check(records);
    CHECK(f.by_code.at("zero-ip").size() == 1);
    CHECK(f.by_code.at("flow").at(0).record == 18);
  }
  SUBCASE("the next ip may be up to 15 bytes higher, but not lower") {
    records[5].ip = records[4].ip + 15;
    records[6].ip = records[5].ip + 16;
    records[7].ip = records[6].ip - 1;
    records[8].ip = records[7].ip;  // a repeated string instruction
    records[9].ip = records[8].ip + 1;
    const auto f = check(records);
    REQUIRE(f.by_code.at("flow").size() == 2);
    CHECK(f.by_code.at("flow")[0].record == 5);
    CHECK(f.by_code.at("flow")[1].record == 6);
  }
  SUBCASE("no conditional branch, because the flags register is missing") {
    for (auto& r : records)
      if (r.is_branch) r.source_registers = {26, 0, 0, 0};
    const auto f = check(records);
    CHECK(f.by_code.size() == 1);
    CHECK(f.by_code.at("no-conditional").size() == 1);
  }
  SUBCASE("classes that differ in older releases of ChampSim cause one note") {
    records[9].source_registers = {26, 3, 0, 0};    // jrcxz: was indirect before
    records[19].source_registers = {26, 25, 3, 0};  // with the flags: was other before
    const auto f = check(records);
    CHECK(f.by_code.size() == 1);
    REQUIRE(f.by_code.at("older-rules").size() == 1);
    const diagnostic& d = f.by_code.at("older-rules")[0];
    CHECK(d.record == 9);
    CHECK(d.offset == 9 * 64);
    CHECK(d.severity == tracecodec::severity::note);
    CHECK(d.message ==
          "ChampSim releases up to 2023-08 classify 2 branches differently: the first as indirect, "
          "now "
          "conditional");
  }
  SUBCASE("addresses truncated to 32 bits") {
    for (auto& r : records) {
      r.ip += 0x550000000000;
      r.source_memory[0] &= 0xffffffff;
    }
    const auto f = check(records);
    CHECK(f.by_code.size() == 1);
    CHECK(f.by_code.at("short-addresses").size() == 1);
  }
}

TEST_CASE("reports trailing bytes and damage") {
  const test::folder dir;
  auto bytes = test::bytes_of(test::records(20));
  bytes.resize(bytes.size() - 7);
  const auto f = check(dir.file("t", bytes));
  CHECK(f.summary.records == 19);
  CHECK(f.by_code.at("trailing-bytes").at(0).record == 19);
  CHECK(check(dir.file("empty", {})).by_code.at("damaged").size() == 1);
}

TEST_CASE("reports damage in a compressed trace" * doctest::skip(!test::with_xz)) {
  const test::folder dir;
  std::filesystem::copy_file(test::data("sed64.champsimtrace.xz"), dir / "cut.xz");
  std::filesystem::resize_file(dir / "cut.xz", 20000);
  const auto f = check(dir / "cut.xz");
  CHECK(f.by_code.at("damaged").size() == 1);
  CHECK(f.summary.records == 2021953 / 64);  // output of `xz -dc` for these 20,000 bytes
}

TEST_CASE("reports records that probably have another size") {
  // Lay out the instructions of a real program in records of 88 and of 96 bytes.
  const test::folder dir;
  champsim::reader<champsim::instruction_codec> in(
      io::open_input(test::data("sed64.champsimtrace.xz")));
  const auto batch = in.next().records;
  for (const std::size_t size : {88u, 96u}) {
    std::vector<std::byte> bytes(batch.size() * size);
    for (std::size_t i = 0; i < batch.size(); ++i)
      champsim::instruction_codec::encode(batch[i], std::span(bytes).subspan(i * size + size - 64));
    const auto f = check(dir.file("t", bytes));
    REQUIRE(f.by_code.count("record-size") == 1);
    CHECK(f.by_code.at("record-size")[0].message.find("of " + std::to_string(size)) !=
          std::string::npos);
  }
}

TEST_CASE("does not suspect records of 36 bytes with a 32-bit ip") {
  struct narrow {
    std::uint32_t ip;
    std::uint8_t is_branch, branch_taken;
    std::array<std::uint8_t, 2> destination_registers;
    std::array<std::uint8_t, 4> source_registers;
    std::array<std::uint32_t, 2> destination_memory;
    std::array<std::uint32_t, 4> source_memory;
  };
  static_assert(champsim::codec_of<narrow>::size == 36);
  const test::folder dir;
  {
    champsim::writer<champsim::codec_of<narrow>> out(dir / "t");
    for (const auto& r : test::records(2000))
      out.write({static_cast<std::uint32_t>(r.ip),
                 r.is_branch,
                 r.branch_taken,
                 r.destination_registers,
                 r.source_registers,
                 {},
                 {}});
    out.finish();
  }
  CHECK(check<narrow>(dir / "t").by_code.empty());
}

TEST_CASE("limits the reports of a rule and counts the remaining ones") {
  auto records = test::records(100);
  for (auto& r : records) r.is_branch = 9;
  const test::folder dir;
  const auto path = dir.file("t", test::bytes_of(records));
  const auto few = check(path, 2);
  REQUIRE(few.by_code.at("flag-value").size() == 3);
  CHECK(few.by_code.at("flag-value")[2].message.substr(0, 8) == "98 more:");
  CHECK(check(path, 1000).by_code.at("flag-value").size() == 100);
}
