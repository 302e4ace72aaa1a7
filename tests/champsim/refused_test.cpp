// Tests of files that readers of ChampSim's records refuse unless the caller trusts them: files of
// other formats and of no format.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "support.hpp"
#include "tracecodec/champsim/table_check.hpp"
#include "tracecodec/champsim/table_feed.hpp"
#include "tracecodec/file/record_table.hpp"

namespace champsim = tracecodec::champsim;
namespace file = tracecodec::file;
namespace io = tracecodec::io;
using tracecodec::trace_errc;
using tracecodec::trace_error;
using namespace std::string_view_literals;

namespace {

using bytes = std::vector<std::byte>;

// Record of a fork, with an unusual size.
struct fork_record {
  std::uint64_t ip;
  std::uint8_t is_branch;
  std::uint8_t branch_taken;
  std::array<std::uint8_t, 2> destination_registers;
  std::array<std::uint8_t, 4> source_registers;
  std::array<std::uint64_t, 2> destination_memory;
  std::array<std::uint64_t, 4> source_memory;
  std::uint64_t value;
};

bytes bytes_of_text(std::string_view text) {
  const auto all = std::as_bytes(std::span(text));
  return {all.begin(), all.end()};
}
bytes content(const std::string& path, std::size_t most = std::size_t{1} << 20) {
  io::input in = io::open_input(path);
  bytes all(most);
  std::size_t n = 0;
  while (const std::size_t got = in.read(std::span(all).subspan(n))) n += got;
  all.resize(n);
  return all;
}
void append(bytes& out, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) out.push_back(static_cast<std::byte>(value >> (8 * i)));
}

// Returns a 64-bit ELF file: a header according to the specification, and bytes that could be code.
bytes elf() {
  bytes out = bytes_of_text(
      "\x7F"
      "ELF\2\1\1\0\0\0\0\0\0\0\0\0"sv);
  append(out, 3, 2), append(out, 62, 2), append(out, 1, 4), append(out, 0x1060, 8),
      append(out, 64, 8);
  append(out, 0, 8), append(out, 0, 4), append(out, 64, 2), append(out, 56, 2), append(out, 13, 2);
  append(out, 64, 2), append(out, 31, 2), append(out, 30, 2);
  for (std::uint64_t i = 0; out.size() != 64000; ++i) append(out, i * 0x9E3779B97F4A7C15U, 8);
  return out;
}

// Returns records of 96 bytes, laid out by the offsets of CloudSuite's C struct.
bytes cloudsuite(const std::vector<test::instruction>& records) {
  bytes out;
  for (const auto& r : records) {
    append(out, r.ip, 8), append(out, r.is_branch, 1), append(out, r.branch_taken, 1);
    for (std::size_t i = 0; i != 4; ++i) append(out, i < 2 ? r.destination_registers[i] : 0, 1);
    for (const auto n : r.source_registers) append(out, n, 1);
    append(out, 0, 6);
    for (std::size_t i = 0; i != 4; ++i) append(out, i < 2 ? r.destination_memory[i] : 0, 8);
    for (const auto a : r.source_memory) append(out, a, 8);
    append(out, 5, 2), append(out, 0, 6);
  }
  return out;
}

// Returns the message with which a feed of `Record`s refuses a file's content. Empty if the feed
// accepts the content.
template <class Record = test::instruction> std::string refusal(const bytes& all) {
  std::string mapped, streamed;
  try {
    champsim::trace_feed<Record> from(io::open_bytes(all, "t", {.compression = io::codec::none}));
  } catch (const trace_error& e) {
    CHECK(e.code() == trace_errc::not_a_trace);
    mapped = e.what();
  }
  try {
    champsim::reader<champsim::codec_of<Record>> from(io::open_source(
        std::make_unique<io::memory_source>(all), "t", {.compression = io::codec::none}));
  } catch (const trace_error& e) {
    streamed = e.what();
  }
  CHECK(mapped.empty() == streamed.empty());
  return mapped;
}
bool has(const std::string& message, std::string_view part) {
  CAPTURE(message);
  CAPTURE(part);
  const bool found = message.find(part) != message.npos;
  CHECK(found);
  return found;
}
// Returns the number of records that a feed of `Record`s delivers if the content is trusted.
template <class Record = test::instruction> std::size_t trusted(const bytes& all) {
  champsim::trace_feed<Record> from(io::open_bytes(all, "t", {.compression = io::codec::none}),
                                    {.trust = true});
  std::size_t n = 0;
  try {
    for (auto b = from.next(); b.size() != 0; b = from.next()) n += b.size();
  } catch (const trace_error& e) {
    CHECK(e.code() == trace_errc::truncated);
  }
  return n;
}

}  // namespace

TEST_CASE("every reader refuses an executable, unless the file is trusted") {
  const bytes all = elf();
  has(refusal(all), "an ELF file");
  has(refusal<test::cloudsuite_instruction>(all), "an ELF file");
  has(refusal<fork_record>(all), "an ELF file");
  CHECK(trusted(all) == 64000 / 64);
  CHECK(trusted<fork_record>(all) == 64000 / 72);
  if (std::filesystem::exists("/proc/self/exe"))
    CHECK_THROWS_AS(champsim::trace_feed<>("/proc/self/exe"), trace_error);
}

TEST_CASE("distinguishes CloudSuite's records from standard records") {
  const auto records = test::records(6000);
  const bytes wide = cloudsuite(records), standard = test::bytes_of(records);
  has(refusal(wide), "trace_feed<champsim::cloudsuite_instruction>");
  has(refusal<test::cloudsuite_instruction>(standard), "trace_feed<>");
  CHECK(refusal<test::cloudsuite_instruction>(wide).empty());
  CHECK(refusal(standard).empty());
  CHECK(trusted(wide) == 9000);
  std::size_t n = 0;
  champsim::trace_feed<test::cloudsuite_instruction> from(io::open_bytes(wide, "t"));
  for (const auto& i : from) {
    CHECK(i.ip() == records[n++].ip);
    CHECK(i.asid() == 5);
  }
  CHECK(n == 6000);
}

TEST_CASE("refuses tracepack and mentions its readers") {
  for (const char* name : {"champsim_fast", "cloudsuite_high", "properties", "stored"}) {
    const bytes all = content(test::data("tracepack/" + std::string(name) + ".tracepack"));
    for (const std::string& message :
         {refusal(all), refusal<test::cloudsuite_instruction>(all), refusal<fork_record>(all)}) {
      has(message, "tracepack::trace_feed");
      has(message, "trace::reader");
    }
  }
}

TEST_CASE("refuses traces of other formats, text and compressed bytes") {
  CHECK(refusal(bytes_of_text("TRAC\x0C\0\0\0{}"sv)).empty());  // shorter than a record
  std::string x64dbg("TRAC\x10\0\0\0{\"arch\":\"x64\"}  "sv);
  x64dbg.resize(4096, '\7');
  has(refusal(bytes_of_text(x64dbg)), "an x64dbg trace");
  has(refusal<fork_record>(bytes_of_text(x64dbg)), "an x64dbg trace");
  for (const char* name : {"r250", "r6000"}) {
    const std::string path = test::data("rapidbin/" + std::string(name));
    CHECK(!refusal(content(path + ".data")).empty());
    CHECK(!refusal<test::cloudsuite_instruction>(content(path + ".data")).empty());
    has(refusal(content(path + ".std")), "text");
    has(refusal<fork_record>(content(path + ".std")), "text");
  }
  const auto front = content(test::data("README.md"));
  has(refusal(front), "text");
  // Read the file as stored on disk, without decompressing it. A build without xz has unpacked files.
  if (test::with_xz) {
    std::ifstream packed(test::data("sed64.champsimtrace.xz"), std::ios::binary);
    const std::string xz{std::istreambuf_iterator<char>(packed), {}};
    has(refusal(bytes_of_text(xz)), "compressed by xz");
    has(refusal<fork_record>(bytes_of_text(xz)), "compressed by xz");
  }
  // Bytes without a format: numbers, and records that are all at address 0.
  bytes numbers;
  for (std::uint64_t i = 0; i != 8000; ++i) append(numbers, i * 0x9E3779B97F4A7C15U, 8);
  has(refusal(numbers), "option trust");
  has(refusal(bytes(64000)), "option trust");
  CHECK(refusal<fork_record>(numbers).empty());
  CHECK(refusal<fork_record>(bytes(72000)).empty());
}

TEST_CASE("reads real traces completely, wherever they are truncated" *
          doctest::skip(!test::with_xz)) {
  for (const char* name : {"sed64", "work32", "threads3_64"}) {
    const std::string path = test::data(std::string(name) + ".champsimtrace.xz");
    bytes all = content(path, 64 * 3000);
    std::size_t n = 0;
    champsim::trace_feed<> from(path);
    for (const auto& i : from) {
      if (n == 3000) break;
      std::uint64_t ip = 0;
      for (std::size_t b = 0; b != 8; ++b)
        ip |= std::to_integer<std::uint64_t>(all[64 * n + b]) << (8 * b);
      REQUIRE(i.ip() == ip);
      ++n;
    }
    CHECK(n == 3000);
    from.rewind();
    CHECK(from.next().size() != 0);
    for (const std::size_t size : {0U, 1U, 63U, 64U, 65U, 128U, 200U, 256U, 1000U, 6400U}) {
      CAPTURE(size);
      CHECK(refusal({all.begin(), all.begin() + static_cast<std::ptrdiff_t>(size)}).empty());
    }
  }
}

TEST_CASE("accepts up to three records without recognising addresses") {
  for (std::size_t n = 0; n != 4; ++n) {
    std::vector<test::instruction> some(n);
    CHECK(refusal(test::bytes_of(some)).empty());
    for (auto& r : some) r.ip = 7;
    CHECK(refusal(test::bytes_of(some)).empty());
  }
  bytes flags(192, std::byte{9});  // no record has such flags
  CHECK(!refusal(flags).empty());
}

TEST_CASE("check reports another format, and continues if the bytes may be records") {
  const auto found = [](const bytes& all, champsim::reader_options how) {
    std::vector<std::string> codes;
    const auto sum = champsim::check<test::instruction>(
        io::open_bytes(all, "t"),
        [&](const tracecodec::diagnostic& d) { codes.push_back(std::string(d.code)); }, {}, how);
    codes.resize(std::min<std::size_t>(codes.size(), 1));
    return std::pair(codes.empty() ? std::string() : codes.front(), sum.records);
  };
  CHECK(found(elf(), {}) == std::pair(std::string("damaged"), std::uint64_t{0}));
  CHECK(found(elf(), {.trust = true}).second == 1000);
  CHECK(found(bytes(64000), {}).second == 1000);
}

TEST_CASE(
    "for described records, refuses a file with a known mark, unless the table has a header") {
  const std::string fields = "0 8 ip u64 little\n8 8 source_memory u64 little\n";
  const auto table = [](const std::string& text) {
    return std::make_shared<const file::record_table>(file::parse_record_table(text, "table"));
  };
  const auto count = [&](const bytes& all, const std::string& text, bool trust) {
    champsim::table_feed from(io::open_bytes(all, "t"), table(text), {.trust = trust});
    return from.count();
  };
  const bytes all = elf();
  CHECK_THROWS_AS(count(all, fields, false), trace_error);
  CHECK(count(all, fields, true) == 4000);
  CHECK(count(all, "header: 64\n" + fields, false) == 3996);
  CHECK_THROWS_AS(count(content(test::data("tracepack/champsim_fast.tracepack")), fields, false),
                  trace_error);
  const auto sum = champsim::check(io::open_bytes(all, "t"), table(fields), [](const auto&) {});
  CHECK(sum.records == 0);
  CHECK(sum.count(champsim::rule::damaged) == 1);
}
