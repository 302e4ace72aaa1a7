// Tests CVP-1 and CBP2025 traces. make_cvp.py made the traces in tests/data/cvp. Python's own decoder,
// champsim_model.py, counts the same instructions.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "tracecodec/cvp.hpp"
#include "tracecodec/file/impl/cvp.hpp"
#include "tracecodec/trace/open.hpp"
#include "tracecodec/trace/reader.hpp"
#include "tracecodec/trace/source.hpp"

namespace cvp = tracecodec::cvp;
namespace feed = tracecodec::feed;
namespace format = tracecodec::format;
namespace io = tracecodec::io;
namespace trace = tracecodec::trace;
using cvp::dialect;
using test::bytes;
using tracecodec::trace_errc;
using tracecodec::trace_error;

namespace {

template <dialect D> using trace_reader = tracecodec::file::reader<cvp::trace_file<D>>;

// Number of instructions of each class, and other counts.
struct counts {
  std::array<std::uint64_t, 12> classes = {};
  std::uint64_t values = 0, base_updates = 0, register_offsets = 0;
  friend bool operator==(const counts&, const counts&) = default;
};
template <dialect D> counts counts_of(const std::string& path) {
  counts all;
  trace_reader<D> from(path);
  for (auto b = from.next(); b.size() != 0; b = from.next())
    for (const auto& i : b) {
      ++all.classes[static_cast<std::size_t>(i.what)];
      all.values += i.values.size();
      all.base_updates += i.base_update;
      all.register_offsets += i.register_offset;
    }
  return all;
}
// Returns the number of instructions of each branch class of a feed.
template <dialect D>
std::array<std::uint64_t, feed::branch_class_count> branches_of(const std::string& path) {
  std::array<std::uint64_t, feed::branch_class_count> all{};
  for (const auto& i : cvp::trace_feed<D>(path)) ++all[static_cast<std::size_t>(i.branch())];
  return all;
}
template <dialect D> bytes rewritten(const std::string& path, const std::string& to) {
  trace_reader<D> from(path);
  tracecodec::file::writer<cvp::trace_file<D>> out(to);
  for (auto b = from.next(); b.size() != 0; b = from.next()) out.write(b.records);
  out.finish();
  return test::content(to);
}

std::string_view format_of(const std::string& path) {
  auto in = io::open_input(path);
  return trace::recognise(in).name;
}

// Five instructions of CBP2025 by hand, at the offsets below: x0 = x1 + x2; ldp x3, x4, [sp], #16;
// str d5, [x6, x7]; cmp; a taken branch on the flags.
constexpr std::array<std::size_t, 6> cbp2025_offsets{0, 22, 71, 96, 117, 138};
bytes by_hand() {
  return test::from_hex(
      "0010400000000000"
      "00"
      "02"
      "0102"
      "01"
      "00"
      "0500000000000000"
      "0410400000000000"
      "01"
      "f0ffff7f00000000"
      "10"
      "01"
      "01"
      "1f"
      "03"
      "1f0304"
      "0000008000000000"
      "0300000000000000"
      "0400000000000000"
      "0810400000000000"
      "02"
      "0000010000000000"
      "08"
      "00"
      "01"
      "03"
      "060725"
      "00"
      "0c10400000000000"
      "00"
      "01"
      "00"
      "01"
      "40"
      "0600000000000000"
      "1010400000000000"
      "03"
      "01"
      "0010400000000000"
      "01"
      "40"
      "00");
}

// Five instructions of CVP-1 by hand, at the offsets below: ldr q1, [x2], #16; str x3, [x4];
// cmp x3, #0; br x5; blr x5.
constexpr std::array<std::size_t, 6> cvp1_offsets{0, 47, 69, 81, 102, 132};
bytes cvp1_by_hand() {
  return test::from_hex(
      "0010400000000000"
      "01"
      "f0ffff7f00000000"
      "10"
      "01"
      "02"
      "02"
      "0221"
      "0000008000000000"
      "1100000000000000"
      "2200000000000000"
      "0410400000000000"
      "02"
      "0000010000000000"
      "08"
      "02"
      "0403"
      "00"
      "0810400000000000"
      "00"
      "01"
      "03"
      "00"
      "0c10400000000000"
      "05"
      "01"
      "1410400000000000"
      "01"
      "05"
      "00"
      "1410400000000000"
      "05"
      "01"
      "0010400000000000"
      "01"
      "05"
      "01"
      "1e"
      "1810400000000000");
}

// Reads each beginning of `whole`, whose records begin at `offsets`.
template <dialect D>
void read_cut_files(const bytes& whole, const std::array<std::size_t, 6>& offsets) {
  REQUIRE(whole.size() == offsets.back());
  for (std::size_t size = 1; size <= whole.size(); ++size) {
    CAPTURE(size);
    const auto end = std::upper_bound(offsets.begin(), offsets.end(), size);
    const auto records = static_cast<std::size_t>(end - offsets.begin() - 1);
    const bytes cut(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size));
    trace_reader<D> from(io::open_bytes(cut, "t"));
    std::uint64_t n = 0;
    std::optional<trace_error> error;
    try {
      for (auto b = from.next(); b.size() != 0; b = from.next()) n += b.size();
    } catch (const trace_error& e) {
      error = e;
    }
    CHECK(n == records);
    CHECK(error.has_value() == (offsets[records] != size));
    if (!error) continue;
    CHECK(error->code() == trace_errc::truncated);
    CHECK(error->record() == records);
    CHECK_FALSE(error->field().empty());
  }
}

// Returns the rules and offsets of a check's findings.
template <dialect D> std::vector<std::string> codes_of(const bytes& all) {
  std::vector<std::string> found;
  cvp::checker<D, format::on_finding>([&](const tracecodec::diagnostic& d) {
    found.push_back(std::string(d.code) + ' ' + std::to_string(d.offset.value_or(0)));
  }).run(io::open_bytes(all, "t"));
  return found;
}

}  // namespace

TEST_SUITE_BEGIN("cvp");

TEST_CASE("reads all instructions of the made traces" * doctest::skip(!test::with_gzip)) {
  CHECK(counts_of<dialect::cvp1>(test::data("cvp/made.cvp1.gz")) ==
        counts{{186, 912, 1016, 225, 149, 295, 108, 109, 0, 0, 0, 0}, 3609, 0, 0});
  CHECK(counts_of<dialect::cbp2025>(test::data("cvp/made.cbp2025.gz")) ==
        counts{{186, 912, 1016, 225, 90, 118, 108, 109, 0, 59, 96, 81}, 3685, 473, 71});
}

TEST_CASE("writes the bytes that it read" * doctest::skip(!test::with_gzip)) {
  const test::folder dir;
  const std::string cvp1 = test::data("cvp/made.cvp1.gz"),
                    newer = test::data("cvp/made.cbp2025.gz");
  CHECK(test::content(cvp1).size() == 92370);
  CHECK(test::content(newer).size() == 96262);
  CHECK(rewritten<dialect::cvp1>(cvp1, dir / "a.cvp") == test::content(cvp1));
  CHECK(rewritten<dialect::cbp2025>(newer, dir / "b.cbp2025") == test::content(newer));
}

TEST_CASE("maps records to instructions") {
  std::vector<std::uint64_t> ips, targets;
  std::vector<std::vector<int>> written, read;
  std::vector<std::array<std::uint64_t, 3>> accesses;
  const bytes all = by_hand();
  for (const auto& i : cvp::trace_feed<dialect::cbp2025>(io::open_bytes(all, "t"))) {
    ips.push_back(i.ip());
    targets.push_back(i.target());
    const auto to = i.destination_registers(), from = i.source_registers();
    written.emplace_back(to.begin(), to.end());
    read.emplace_back(from.begin(), from.end());
    feed::for_each_access(i, [&](std::uint64_t address, std::uint64_t size, bool write) {
      accesses.push_back({address, size, write});
    });
  }
  CHECK(ips == std::vector<std::uint64_t>{0x401000, 0x401004, 0x401008, 0x40100c, 0x401010});
  CHECK(targets == std::vector<std::uint64_t>{0, 0, 0, 0, 0x401000});
  // x0 is 67, x6 is 65, and the flags are 25. The branch writes and reads the instruction pointer.
  CHECK(written == std::vector<std::vector<int>>{{67}, {31, 3, 4}, {}, {25}, {26}});
  CHECK(read == std::vector<std::vector<int>>{{1, 2}, {31}, {65, 7, 37}, {67}, {26, 25}});
  CHECK(accesses ==
        std::vector<std::array<std::uint64_t, 3>>{{0x7ffffff0, 16, 0}, {0x10000, 8, 1}});
}

TEST_CASE("values of registers are columns") {
  const test::folder dir;
  trace::reader from(dir.file("t", by_hand()));
  CHECK(from.format().name == "cbp2025");
  using feed::column;
  REQUIRE(from.has().has(column::register_values));
  REQUIRE(from.columns().select_register("SP") == 8);
  from.want({column::register_values, column::register_value});
  feed::columns batch;
  REQUIRE(from.next(batch));
  const auto& all = batch.register_values();
  CHECK(std::vector<int>(all.number.begin(), all.number.end()) ==
        std::vector<int>{67, 31, 3, 4, 25});
  CHECK(std::vector<std::uint64_t>(all.value.begin(), all.value.end()) ==
        std::vector<std::uint64_t>{5, 0x80000000, 3, 4, 6});
  const auto& sp = batch.register_value();
  CHECK(std::vector<std::uint64_t>(sp.value.begin(), sp.value.end()) ==
        std::vector<std::uint64_t>{0x80000000});
  CHECK(cvp::find_register("X30") == 30);
  CHECK(cvp::find_register("q31") == 63);
  for (const char* const name : {"x31", "v32", "x", "x01", "x1a", "rax", "123456"})
    CHECK_FALSE(cvp::find_register(name));
}

TEST_CASE("maps records of CVP-1 to instructions") {
  std::vector<feed::branch_class> classes;
  std::vector<std::vector<int>> written, read;
  std::vector<std::array<std::uint64_t, 3>> accesses;
  const bytes all = cvp1_by_hand();
  for (const auto& i : cvp::trace_feed<dialect::cvp1>(io::open_bytes(all, "t"))) {
    classes.push_back(i.branch());
    const auto to = i.destination_registers(), from = i.source_registers();
    written.emplace_back(to.begin(), to.end());
    read.emplace_back(from.begin(), from.end());
    feed::for_each_access(i, [&](std::uint64_t address, std::uint64_t size, bool write) {
      accesses.push_back({address, size, write});
    });
  }
  using enum feed::branch_class;
  CHECK(classes == std::vector<feed::branch_class>{not_branch, not_branch, not_branch, indirect,
                                                   indirect_call});
  // ChampSim's numbers of the instruction pointer, the stack pointer and the flags are 26, 6, 25.
  CHECK(written == std::vector<std::vector<int>>{{2, 33}, {}, {25}, {26}, {26, 6, 30}});
  CHECK(read == std::vector<std::vector<int>>{{2}, {4, 3}, {3}, {5}, {26, 6, 5}});
  CHECK(accesses ==
        std::vector<std::array<std::uint64_t, 3>>{{0x7ffffff0, 16, 0}, {0x10000, 8, 1}});
}

TEST_CASE("values of CVP-1 are columns") {
  const test::folder dir;
  trace::reader from(dir.file("t", cvp1_by_hand()));
  CHECK(from.format().name == "cvp1");
  using feed::column;
  REQUIRE(from.columns().select_register("v1") == 16);
  from.want({column::register_values, column::register_value});
  feed::columns batch;
  REQUIRE(from.next(batch));
  const auto& all = batch.register_values();
  CHECK(std::vector<int>(all.number.begin(), all.number.end()) == std::vector<int>{2, 33, 33, 30});
  CHECK(std::vector<std::uint64_t>(all.value.begin(), all.value.end()) ==
        std::vector<std::uint64_t>{0x80000000, 0x11, 0x22, 0x401018});
  const auto& v1 = batch.register_value();
  CHECK(std::vector<std::uint64_t>(v1.value.begin(), v1.value.end()) ==
        std::vector<std::uint64_t>{0x11});
}

TEST_CASE("a file that is cut has its whole records, at every byte") {
  read_cut_files<dialect::cbp2025>(by_hand(), cbp2025_offsets);
  read_cut_files<dialect::cvp1>(cvp1_by_hand(), cvp1_offsets);
}

TEST_CASE("refuses registers that do not exist") {
  bytes all = by_hand();
  all[cbp2025_offsets[3] + 12] = std::byte{66};  // the output of the fourth instruction
  const auto error = test::error_of([&] {
    trace_reader<dialect::cbp2025> from(io::open_bytes(all, "t"));
    while (from.next().size() != 0) {
    }
  });
  REQUIRE(error);
  CHECK(error->code() == trace_errc::bad_value);
  CHECK(error->record() == 3);
  CHECK(error->field() == "outputs");
}

TEST_CASE("a check finds what breaks the rules") {
  using found = std::vector<std::string>;
  CHECK(codes_of<dialect::cbp2025>(by_hand()) == found{});
  bytes all = by_hand();
  all[cbp2025_offsets[2] + 0] = std::byte{0x0c};  // the address of the third instruction
  all[cbp2025_offsets[2] + 17] = std::byte{0};    // and its size
  CHECK(codes_of<dialect::cbp2025>(all) == found{"flow 71", "size 71", "flow 96"});
  all = by_hand();
  all[cbp2025_offsets[2] + 18] = std::byte{1};  // a base update of a store without outputs
  all[cbp2025_offsets[4] + 8] = std::byte{4};   // an unconditional branch
  all[cbp2025_offsets[4] + 9] = std::byte{0};   // that is not taken
  all.erase(all.begin() + cbp2025_offsets[4] + 10, all.begin() + cbp2025_offsets[4] + 18);
  CHECK(codes_of<dialect::cbp2025>(all) == found{"base 71", "not-taken 117"});
  all.pop_back();
  CHECK(codes_of<dialect::cbp2025>(all) == found{"base 71", "cut 129"});
  all[cbp2025_offsets[3] + 8] = std::byte{12};
  CHECK(codes_of<dialect::cbp2025>(all) == found{"base 71", "refused 104"});
}

TEST_CASE("a check of CVP-1 finds what breaks the rules") {
  using found = std::vector<std::string>;
  CHECK(codes_of<dialect::cvp1>(cvp1_by_hand()) == found{});
  bytes all = cvp1_by_hand();
  all[17] = std::byte{0};                    // the size of the first access
  all[cvp1_offsets[2] + 8] = std::byte{8};   // an instruction of class undefined
  all[cvp1_offsets[4] + 0] = std::byte{24};  // the address of the last instruction
  CHECK(codes_of<dialect::cvp1>(all) == found{"size 0", "undefined 69", "flow 102"});
  all = cvp1_by_hand();
  all[cvp1_offsets[3] + 9] = std::byte{0};  // an indirect branch that is not taken
  all.erase(all.begin() + cvp1_offsets[3] + 10, all.begin() + cvp1_offsets[3] + 18);
  CHECK(codes_of<dialect::cvp1>(all) == found{"not-taken 81", "flow 94"});
  all.pop_back();
  CHECK(codes_of<dialect::cvp1>(all) == found{"not-taken 81", "cut 116"});
  all[cvp1_offsets[1] + 8] = std::byte{9};  // a class of CBP2025
  CHECK(codes_of<dialect::cvp1>(all) == found{"refused 55"});
  all = by_hand();
  all[cbp2025_offsets[3] + 8] = std::byte{8};
  CHECK(codes_of<dialect::cbp2025>(all) == found{"undefined 96"});
}

// The shapes are those of the table in docs/formats/cvp.md.
TEST_CASE("the registers of a CVP-1 access decide its size and base") {
  using list = std::vector<int>;
  // Returns the size and the base of an access of 8 bytes for each register at 0x8000. The first
  // output has the value `value`, and the others 0x4000000. Vectors have upper halves.
  const auto mode_of = [](bool stores, const list& inputs, const list& outputs,
                          std::uint64_t value) {
    bytes b = test::from_hex(std::string("0010400000000000") + (stores ? "02" : "01") +
                             "008000000000000008");
    const auto add = [&b](const list& all) {
      b.push_back(static_cast<std::byte>(all.size()));
      for (const int r : all) b.push_back(static_cast<std::byte>(r));
    };
    add(inputs);
    add(outputs);
    for (std::size_t k = 0; k != outputs.size(); ++k) {
      for (int n = 0; n != 8; ++n)
        b.push_back(static_cast<std::byte>((k == 0 ? value : 0x4000000) >> 8 * n));
      if (outputs[k] >= 32 && outputs[k] < 64) b.resize(b.size() + 8);
    }
    cvp::instruction<dialect::cvp1> i{};
    REQUIRE(cvp::codec<dialect::cvp1>::decode(b, i).used == b.size());
    const cvp::access_mode m = cvp::mode_of(i);
    return std::pair<int, int>(static_cast<int>(m.bytes), m.base);
  };
  const auto load = [&](const list& inputs, const list& outputs, std::uint64_t value) {
    return mode_of(false, inputs, outputs, value);
  };
  const auto store = [&](const list& inputs, const list& outputs, std::uint64_t value) {
    return mode_of(true, inputs, outputs, value);
  };
  using mode = std::pair<int, int>;
  constexpr int none = cvp::no_register;
  CHECK(load({2}, {}, 0) == mode{8, none});
  CHECK(load({2, 1}, {2}, 0x8000) == mode{8, none});
  CHECK(load({2}, {2, 1}, 0x80ff) == mode{8, 2});
  CHECK(load({2}, {2, 1}, 0x7f00) == mode{8, 2});
  CHECK(load({2}, {2, 1}, 0x8100) == mode{16, none});
  CHECK(load({2}, {2, 1}, 0x7eff) == mode{16, none});
  CHECK(load({2}, {1, 3}, 0x8000) == mode{16, none});
  CHECK(load({2, 3}, {33, 2}, 5) == mode{8, 2});
  CHECK(load({2}, {2, 1, 3}, 5) == mode{16, 2});
  CHECK(load({2}, {32, 33, 2}, 5) == mode{16, 2});
  CHECK(load({2}, {1, 2, 3}, 5) == mode{24, none});
  CHECK(store({2}, {}, 0) == mode{8, none});
  CHECK(store({2, 1}, {}, 0) == mode{8, none});
  CHECK(store({2, 1}, {2}, 0x8008) == mode{8, 2});
  CHECK(store({33, 2}, {2}, 0x8008) == mode{8, 2});
  CHECK(store({1, 2}, {2}, 0x8008) == mode{8, none});
  CHECK(store({2, 1}, {3}, 1) == mode{8, none});
  CHECK(store({2, 1, 3}, {2}, 0x8008) == mode{16, 2});
  CHECK(store({2, 1, 3}, {4}, 1) == mode{16, none});
  CHECK(store({2, 1, 3}, {4}, 0x8008) == mode{8, none});
  CHECK(store({32, 33, 34, 35, 2}, {2}, 0x8008) == mode{32, 2});
}

TEST_CASE("recognises both formats" * doctest::skip(!test::with_gzip)) {
  CHECK(format_of(test::data("cvp/made.cvp1.gz")) == "cvp1");
  CHECK(format_of(test::data("cvp/made.cbp2025.gz")) == "cbp2025");
  CHECK(format_of(test::data("gallery/five.cvp")) == "cvp1");
  const test::folder dir;
  // One instruction can belong to both formats, unless it accesses memory.
  const bytes all = by_hand();
  CHECK(format_of(dir.file("1", bytes(all.begin(), all.begin() + cbp2025_offsets[1]))) == "cvp1");
  CHECK(format_of(dir.file("2", bytes(all.begin() + cbp2025_offsets[1],
                                      all.begin() + cbp2025_offsets[2]))) == "cbp2025");
  // A size of 0 is only a warning of the check.
  bytes sizeless = cvp1_by_hand();
  sizeless[17] = std::byte{0};
  CHECK(format_of(dir.file("3", sizeless)) == "cvp1");
  if (const std::string made = test::external_sample("../cases/cvp1-made-taken-for-champsim.bin");
      !made.empty())
    CHECK(format_of(made) == "cvp1");
}

// champsim::reader cannot use the description of these formats (file/impl/cvp.hpp).
TEST_CASE("both recognisers agree") {
  namespace file = tracecodec::file;
  namespace known = file::detail::known;
  const auto agree = [](const bytes& all) {
    using file::match;
    const auto matches = [&all]<dialect D>() {
      return file::recogniser<cvp::trace_file<D>>::probe(all, all.size()) == match::certain;
    };
    return matches.operator()<dialect::cvp1>() == known::is_cvp(all, known::cvp_dialect::cvp1) &&
           matches.operator()<dialect::cbp2025>() ==
               known::is_cvp(all, known::cvp_dialect::cbp2025);
  };
  for (const bytes& all : {by_hand(), cvp1_by_hand()})
    for (std::size_t at = 0; at != all.size(); ++at) {
      CAPTURE(at);
      int same = 0;
      for (int value = 0; value != 256; ++value) {
        bytes other = all;
        other[at] = static_cast<std::byte>(value);
        same += agree(other) ? 1 : 0;
      }
      CHECK(same == 256);
    }
}

// The totals are those of the table of the formats' facts, which two other decoders computed.
TEST_CASE("reads all instructions of the championship's samples" *
          doctest::skip(!test::with_gzip)) {
  using branches = std::array<std::uint64_t, feed::branch_class_count>;
  if (const auto fp = test::external_sample("industry/cbp2025/sample_fp_trace.gz"); !fp.empty()) {
    const counts all = counts_of<dialect::cbp2025>(fp);
    CHECK(std::accumulate(all.classes.begin(), all.classes.end(), std::uint64_t{0}) == 997741);
    CHECK(all.classes[1] == 282224);
    CHECK(all.classes[2] == 101161);
    CHECK(all.base_updates == 21196);
    CHECK(branches_of<dialect::cbp2025>(fp) ==
          branches{16279, 1, 111265, 10589, 0, 10589, 0, 849018});
    CHECK(format_of(fp) == "cbp2025");
  }
  if (const auto ints = test::external_sample("industry/cbp2025/sample_int_trace.gz");
      !ints.empty()) {
    CHECK(counts_of<dialect::cbp2025>(ints).classes ==
          std::array<std::uint64_t, 12>{389592, 269417, 155244, 128874, 20966, 6235, 0, 1171, 0,
                                        4880, 8020, 12902});
    CHECK(counts_of<dialect::cbp2025>(ints).base_updates == 26089);
    CHECK(counts_of<dialect::cbp2025>(ints).register_offsets == 170);
    CHECK(branches_of<dialect::cbp2025>(ints) ==
          branches{20966, 6235, 128874, 4880, 8020, 12902, 0, 815424});
    CHECK(format_of(ints) == "cbp2025");
  }
}

TEST_SUITE_END();
