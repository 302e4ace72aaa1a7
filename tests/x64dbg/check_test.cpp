// Tests of check: each rule reports only its own defect, and the check continues after unreadable
// bytes.
#include <doctest/doctest.h>

#include <map>

#include "support.hpp"
#include "tracecodec/x64dbg/check.hpp"

using namespace test;
using tracecodec::diagnostic;

namespace {
struct findings {
  x64dbg::check_summary summary;
  std::map<std::string, std::vector<diagnostic>> by_code;
};
findings check(const std::string& path, tracecodec::check_options options = {}) {
  findings f;
  f.summary = x64dbg::check(
      io::open_input(path),
      [&f](const diagnostic& d) { f.by_code[std::string(d.code)].push_back(d); }, options);
  return f;
}
findings check(const bytes& content) {
  const folder dir;
  return check(dir.file("t", content));
}
const bytes front = header(x64) + snapshot<x64>();
const bytes plain = from_hex("00 01 00 01 90 10 0010400000000000");
// Returns the codes found in a trace of a snapshot and the bytes of `hex`.
std::string codes(const std::string& hex) {
  std::string all;
  for (const auto& [code, list] : check(front + from_hex(hex)).by_code) all += code + ' ';
  return all;
}
}  // namespace

TEST_CASE("reports only notes for sound traces") {
  const auto f = check(data("threads3_64.trace64.xz"));
  CHECK(f.summary.instructions == 30000);
  CHECK(f.summary.snapshots == 59);
  CHECK(f.summary.thread_switches == 178);
  CHECK(f.summary.count(tracecodec::severity::error) == 0);
  CHECK(f.summary.count(tracecodec::severity::warning) == 0);
  CHECK(f.summary.count(x64dbg::rule::old_value) == 4);
  const auto w = check(data("work32.trace32.xz"));
  CHECK(w.summary.count(x64dbg::rule::old_value) == 0);
  CHECK(w.summary.count(tracecodec::severity::warning) == 0);
  CHECK(check(small_trace()).by_code.empty());
  CHECK(check(small_trace()).summary.user_blocks == 1);
}

TEST_CASE("reports the thread-id defect at each place and reads everything else") {
  const auto f = check(data("threads3_64_legacybug.trace64.xz"), {.each = 1000});
  CHECK(f.by_code.at("thread-bit").size() == 174);
  CHECK(f.summary.instructions == 30000);
  CHECK(f.summary.count(tracecodec::severity::error) == 174);
  CHECK(f.by_code.at("thread-bit")[0].record == 5);
}

TEST_CASE("reports each defect of a block") {
  CHECK(codes("00 01 00 01 90 10 0010400000000000") == "");
  CHECK(codes("00 01 00 11 90 10 0010400000000000") == "reserved-bits ");
  CHECK(codes("00 01 00 01 90 00 0010400000000000") == "cip-missing ");
  CHECK(codes("00 00 00 02 ebfe") == "no-registers ");
  CHECK(codes("00 01 00 01 90 ac 0010400000000000") == "position ");
  CHECK(codes("00 01 01 01 90 10 0010400000000000 03 0020000000000000 0000000000000000") ==
        "access-flags ");
  std::string many = "00 01 21 01 90 10 0010400000000000";
  for (int i = 0; i < 33; ++i) many += "01";
  for (int i = 0; i < 66; ++i) many += "0020000000000000";
  CHECK(codes(many) == "access-count ");
  // The first access reads 7 and the second reads 8, although no block writes in between.
  const std::string read = "00 01 01 01 90 10 0010400000000000 01 0020000000000000 0";
  CHECK(codes(read + "700000000000000" + read + "800000000000000") == "old-value ");
  CHECK(codes(read + "700000000000000" + read + "700000000000000") == "");
  CHECK(check(header(x64) + plain).by_code.count("first-snapshot") == 1);
  auto silent = snapshot<x64>();
  silent[3] = std::byte{1};
  silent.erase(silent.begin() + 4, silent.begin() + 8);
  CHECK(check(front + silent).by_code.count("snapshot-thread") == 1);
  bytes far = front;
  for (int i = 0; i < 600; ++i) far += plain;
  const auto f = check(far);
  REQUIRE(f.by_code.size() == 1);
  REQUIRE(f.by_code.at("snapshot-distance").size() == 1);
  CHECK(f.by_code.at("snapshot-distance")[0].record == 512);
}

TEST_CASE("continues after invalid blocks, and reports garbage at the end") {
  const auto more = plain + plain + plain + plain;
  auto f = check(front + from_hex("05 1122334455") + more);
  REQUIRE(f.by_code.count("unknown-type") == 1);
  CHECK(f.by_code.size() == 1);
  CHECK(f.by_code.at("unknown-type")[0].offset == front.size());
  CHECK(f.by_code.at("unknown-type")[0].message.find("6 bytes later") != std::string::npos);
  CHECK(f.summary.instructions == 5);
  f = check(front + from_hex("00 00 00 00") + more);
  CHECK(f.by_code.count("empty-opcode") == 1);
  CHECK(f.summary.instructions == 5);
  f = check(front + more + bytes(100));
  REQUIRE(f.by_code.count("trailing-bytes") == 1);
  CHECK(f.by_code.at("trailing-bytes")[0].offset == front.size() + more.size());
  CHECK(f.by_code.size() == 1);
  f = check(front + more + from_hex("42"));
  CHECK(f.by_code.count("trailing-bytes") == 1);
  auto cut = front + more;
  cut.resize(cut.size() - 3);
  f = check(cut);
  REQUIRE(f.by_code.count("truncated") == 1);
  CHECK(f.by_code.at("truncated")[0].record == 4);
  CHECK(f.summary.instructions == 4);
  const folder dir;
  std::filesystem::copy_file(data("threads3_64.trace64.xz"), dir / "cut.xz");
  std::filesystem::resize_file(dir / "cut.xz", 60000);
  f = check(dir / "cut.xz");
  REQUIRE(f.by_code.count("damaged") == 1);
  CHECK(f.by_code.at("damaged")[0].message == "xz data ends too early");
  CHECK(f.summary.instructions > 5000);
}

TEST_CASE("reports and reads an appended trace") {
  const auto one = front + plain + plain;
  auto f = check(one + one);
  REQUIRE(f.by_code.count("second-header") == 1);
  CHECK(f.by_code.size() == 1);
  CHECK(f.by_code.at("second-header")[0].offset == one.size());
  CHECK(f.summary.instructions == 6);
  // A trace of the other architecture between two matching traces.
  f = check(one + header(x86) + snapshot<x86>() + one);
  REQUIRE(f.by_code.at("second-header").size() == 2);
  CHECK(f.by_code.at("second-header")[0].message.find("x86 code") != std::string::npos);
  CHECK(f.summary.instructions == 6);
  // Wherever the first trace is truncated, only its last block is lost.
  for (std::size_t lost = 1; lost < plain.size(); ++lost) {
    auto cut = one;
    cut.resize(cut.size() - lost);
    CHECK(check(cut + one).summary.instructions == 5);
  }
}

TEST_CASE("problems of a header do not stop the check if the architecture is known") {
  const auto rest = snapshot<x64>() + plain;
  auto f = check(with_prefix(R"({"ver":2,"arch":"x64","compression":"x","mine":1})") + rest);
  CHECK(f.by_code.at("header").size() == 2);
  CHECK(f.by_code.at("header-key").size() == 1);
  CHECK(f.summary.instructions == 2);
  f = check(with_prefix(R"({"ver":1,"arch":"mips","compression":""})") + rest);
  CHECK(f.by_code.at("header").size() == 1);
  CHECK(f.summary.instructions == 0);
  CHECK(check(with_prefix("nonsense") + rest).by_code.count("header") == 1);
  CHECK(check(from_hex("00112233")).by_code.count("header") == 1);
  CHECK(check(bytes{}).by_code.count("header") == 1);
}
