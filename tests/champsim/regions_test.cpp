// Tests of traces to which other traces were appended. Each region of other records is found once,
// and findings inside a region are not reported.
#include <doctest/doctest.h>

#include <random>

#include "support.hpp"
#include "tracecodec/champsim/validating_feed.hpp"

namespace champsim = tracecodec::champsim;
namespace io = tracecodec::io;
using test::cloudsuite_instruction;
using test::instruction;
using tracecodec::diagnostic;

namespace {

using bytes = std::vector<std::byte>;

const std::vector<instruction>& sed() {
  static const std::vector<instruction> all = [] {
    std::vector<instruction> some;
    champsim::reader<champsim::instruction_codec> in(
        io::open_input(test::data("sed64.champsimtrace.xz")));
    for (auto b = in.next(); !b.records.empty(); b = in.next())
      some.insert(some.end(), b.records.begin(), b.records.end());
    return some;
  }();
  return all;
}

// Returns records [from, from + n) of sed64 as a fork's records of `size` bytes. In these records
// other numbers precede the standard fields.
bytes as_forks(std::size_t from, std::size_t n, std::size_t size) {
  std::mt19937_64 random(size);
  bytes out(n * size);
  for (std::size_t i = 0; i < n; ++i) {
    const auto one = std::span(out).subspan(i * size, size);
    for (std::size_t at = 0; at + 64 < size; at += 8)
      tracecodec::wire::u64le::store(at == 0 ? i : random() >> random() % 64, one.data() + at);
    champsim::instruction_codec::encode(sed()[from + i], one.last(64));
  }
  return out;
}
bytes odd(std::size_t n) {
  std::mt19937 random(static_cast<unsigned>(n));
  bytes out(n);
  for (std::byte& b : out) b = static_cast<std::byte>(random());
  return out;
}
bytes operator+(bytes a, const bytes& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

bytes bytes_of(const std::vector<cloudsuite_instruction>& all) {
  constexpr std::size_t size = champsim::cloudsuite_codec::size;
  bytes out(all.size() * size);
  for (std::size_t i = 0; i < all.size(); ++i)
    champsim::cloudsuite_codec::encode(all[i], std::span(out).subspan(i * size));
  return out;
}

struct found_regions {
  std::vector<diagnostic> all = {};
  champsim::check_summary sum = {};
  std::vector<diagnostic> regions() const {
    std::vector<diagnostic> some;
    for (const diagnostic& d : all)
      if (d.code == "record-size") some.push_back(d);
    return some;
  }
};
template <class Record = instruction> found_regions check(const bytes& trace) {
  found_regions f;
  f.sum = champsim::check<Record>(io::open_bytes(trace, "t"),
                                  [&f](const diagnostic& d) { f.all.push_back(d); });
  return f;
}

}  // namespace

TEST_CASE("finds a fork's records in the middle, odd bytes, and shifted records of the trace") {
  // As in a published trace: 168 odd bytes, then records of 232 bytes.
  for (const std::size_t size : {232U, 72U}) {
    for (const std::size_t before : {10000U, 4096U, 4095U, 130U}) {
      CAPTURE(size);
      CAPTURE(before);
      const bytes trace = as_forks(0, before, 64) + odd(168) + as_forks(10000, 3000, size) +
                          as_forks(13000, 9000, 64);
      const std::size_t again = before * 64 + 168 + 3000 * size;
      const found_regions f = check(trace);
      REQUIRE(f.regions().size() == 2);
      const diagnostic fork = f.regions()[0], shifted = f.regions()[1];
      // A branch before the end of the trace's own records may hide a few of them.
      CHECK(*fork.record <= before + 2);
      CHECK(*fork.record + 8 >= before);
      CHECK(*fork.offset == *fork.record * 64);
      CHECK(fork.message.find("records of " + std::to_string(size) + " bytes, not 64") !=
            std::string::npos);
      // The region is found within a window of its beginning.
      CHECK(*shifted.offset <= again + 128 * 64);
      CHECK(*shifted.offset + 128 * 64 >= again);
      CHECK(shifted.message.find("records " + std::to_string(again % 64) +
                                 " bytes after multiples of 64") != std::string::npos);
      CHECK(f.sum.records == trace.size() / 64);
      // Findings inside regions are not reported. Exceptions are a few records at a region's ends,
      // and trailing bytes that are not a whole record.
      CHECK(f.sum.count(tracecodec::severity::error) <= 2 + (trace.size() % 64 != 0) + 16);
      CHECK(f.sum.count(tracecodec::severity::warning) <= 32);
    }
  }
}

TEST_CASE("finds several regions between aligned records of the trace") {
  // 24 records of 232 bytes have the size of 87 records of 64, so the records after them are
  // aligned again.
  const bytes fork = as_forks(20000, 2400, 232);
  CHECK(fork.size() % 64 == 0);
  bytes trace = as_forks(0, 3000, 64);
  for (std::size_t i = 0; i < 3; ++i) trace = trace + fork + as_forks(5000 * i, 3000, 64);
  const found_regions f = check(trace);
  CHECK(f.sum.count(champsim::rule::record_size) == 3);
  CHECK(f.sum.count(tracecodec::severity::error) == 3);
  CHECK(f.sum.count(tracecodec::severity::warning) <= 12);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::uint64_t begin = 3000 + i * (3000 + fork.size() / 64);
    const diagnostic region = f.regions().at(i);
    CHECK(*region.record + 8 >= begin);
    CHECK(*region.record <= begin + 2);
    const std::string behind = "up to offset ";
    const auto at = region.message.find(behind);
    REQUIRE(at != std::string::npos);
    const auto end = std::stoull(region.message.substr(at + behind.size()));
    CHECK(end + 8 * 64 >= begin * 64 + fork.size());
    CHECK(end <= begin * 64 + fork.size() + 128 * 64);
  }
}

TEST_CASE("finds other records from the first record on, also in CloudSuite's traces") {
  found_regions f = check(as_forks(0, 4000, 232));
  CHECK(f.all.at(0).record == 0);
  CHECK(f.sum.count(champsim::rule::record_size) == 1);
  // Read as CloudSuite's records of 96 bytes.
  f = check<cloudsuite_instruction>(as_forks(0, 4000, 64));
  CHECK(f.all.at(0).message.find("records of 64 bytes, not 96") != std::string::npos);
  CHECK(f.sum.count(champsim::rule::record_size) == 1);
}

TEST_CASE("reports no region for programs with many jumps, other traces and noise") {
  // Traces in which every second record is elsewhere, and with unordered addresses.
  std::mt19937_64 random(5);
  std::vector<instruction> jumps = sed(), noise(20000);
  for (std::size_t i = 0; i < jumps.size(); i += 2) jumps[i].ip = random() >> 20;
  for (auto& r : noise) r.ip = random() >> 20 | 1;
  for (const auto& all : {jumps, noise, test::records(20000)}) {
    const found_regions f = check(test::bytes_of(all));
    for (const auto& d : f.all) CHECK_MESSAGE(d.code != "record-size", d.message);
  }
  CHECK(check(odd(1 << 20)).sum.count(champsim::rule::record_size) == 0);
  for (const std::string name : {"sed64", "work32", "threads3_64"}) {
    champsim::check_summary sum = champsim::check<instruction>(
        io::open_input(test::data(name + ".champsimtrace.xz")), [](const auto&) {});
    CHECK(sum.count(champsim::rule::record_size) == 0);
  }
}

TEST_CASE("does not mistake a record counter for an ip") {
  // Fields that increase by one from record to record are close together, like ips.
  std::mt19937_64 random(7);
  std::vector<cloudsuite_instruction> all(20000);
  std::uint16_t n = 5000;
  for (auto& r : all) {
    r.ip = random() >> 20 | 1;
    r.asid = {static_cast<std::uint8_t>(n), static_cast<std::uint8_t>(n >> 8)};
    ++n;
  }
  CHECK(check<cloudsuite_instruction>(bytes_of(all)).sum.count(champsim::rule::record_size) == 0);
  // In a fork's trace with an ip and a counter, the check finds the ip and the end of the fork's
  // records.
  bytes fork = as_forks(0, 4000, 88);
  for (std::size_t i = 0; i < 4000; ++i)
    tracecodec::wire::u64le::store(1'000'000 + i, fork.data() + i * 88);
  const auto layout = champsim::guess_layout(std::span(fork).first(32 * 1024), 0);
  REQUIRE(layout);
  CHECK(layout->size == 88);
  CHECK(layout->ip_at == 24);
}

TEST_CASE("does not mistake small unordered numbers for ips") {
  // Upper halves of addresses in a few pages, in the place of the lower halves.
  std::mt19937_64 random(9);
  std::vector<cloudsuite_instruction> all(20000);
  for (auto& r : all) {
    r.ip = (1 + random() % 40) << 30;
    r.is_branch = r.branch_taken = 1;
  }
  CHECK(check<cloudsuite_instruction>(bytes_of(all)).sum.count(champsim::rule::record_size) == 0);
}
