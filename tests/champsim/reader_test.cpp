// Tests of the reader: mapped, streamed and decoded records are equal. Also tests the end and
// damage of each of the three inputs.
#include <doctest/doctest.h>

#include <memory>

#include "support.hpp"

namespace champsim = tracecodec::champsim;
namespace io = tracecodec::io;
using tracecodec::trace_errc;
using tracecodec::trace_error;

namespace {
template <class Codec>
std::vector<typename Codec::value_type> read_all(champsim::reader<Codec>& reader) {
  std::vector<typename Codec::value_type> all;
  for (auto b = reader.next(); !b.records.empty(); b = reader.next())
    all.insert(all.end(), b.records.begin(), b.records.end());
  return all;
}
std::vector<test::instruction> read_all(const std::string& path, bool map = true) {
  champsim::reader<champsim::instruction_codec> reader(io::open_input(path, {.map = map}));
  return read_all(reader);
}
}  // namespace

TEST_CASE("mapped records are not copied, and streamed records are equal") {
  const test::folder dir;
  const auto records = test::records(10000);  // two batches and a part
  const auto path = dir.file("t.champsim", test::bytes_of(records));
  champsim::reader<champsim::instruction_codec> mapped(io::open_input(path));
  CHECK(mapped.zero_copy() == champsim::instruction_codec::object_layout);
  CHECK(mapped.count() == 10000);
  CHECK(read_all(mapped) == records);
  CHECK(read_all(path, false) == records);
  if (mapped.zero_copy()) CHECK(std::ranges::equal(mapped.mapped_records(), records));
}

TEST_CASE("each batch refers to the record that follows it") {
  const test::folder dir;
  for (const std::size_t n : {1u, 4095u, 4096u, 4097u, 8191u, 8192u, 8193u, 12290u}) {
    const auto path = dir.file("t", test::bytes_of(test::records(n)));
    for (const bool map : {true, false}) {
      champsim::reader<champsim::instruction_codec> reader(io::open_input(path, {.map = map}));
      std::uint64_t next = 0x401000, seen = 0;
      for (auto b = reader.next(); !b.records.empty(); b = reader.next()) {
        CHECK(b.records.front().ip == next);
        seen += b.records.size();
        CHECK((b.following == nullptr) == (seen == n));
        if (b.following) next = b.following->ip;
      }
      CHECK(seen == n);
      CHECK(reader.next().records.empty());
    }
  }
}

TEST_CASE("skip is exact and stops at the end") {
  const test::folder dir;
  const auto records = test::records(9000);
  const auto path = dir.file("t", test::bytes_of(records));
  for (const bool map : {true, false})
    for (const std::size_t n : {0u, 1u, 4095u, 4096u, 4097u, 8999u, 9000u, 9001u}) {
      champsim::reader<champsim::instruction_codec> reader(io::open_input(path, {.map = map}));
      CHECK(reader.skip(n) == std::min<std::uint64_t>(n, 9000));
      CHECK(reader.position() == std::min<std::uint64_t>(n, 9000));
      const auto b = reader.next();
      CHECK(b.records.empty() == (n >= 9000));
      if (!b.records.empty()) CHECK(b.records.front() == records[n]);
      reader.rewind();
      CHECK(reader.next().records.front() == records.front());
    }
}

TEST_CASE("a trace truncated at any byte delivers its whole records, then reports the field") {
  const test::folder dir;
  const auto bytes = test::bytes_of(test::records(3));
  // Returns the offset and field of a byte, by the specification's table.
  const auto field_at = [](std::size_t b) -> std::pair<std::size_t, std::string> {
    if (b < 8) return {0, "ip"};
    if (b < 9) return {8, "is_branch"};
    if (b < 10) return {9, "branch_taken"};
    if (b < 12) return {10, "destination_registers"};
    if (b < 16) return {12, "source_registers"};
    if (b < 32) return {16, "destination_memory"};
    return {32, "source_memory"};
  };
  for (const bool map : {true, false})
    for (std::size_t n = 1; n < bytes.size(); ++n) {
      const auto path = dir.file("cut", std::span(bytes).first(n));
      champsim::reader<champsim::instruction_codec> reader(io::open_input(path, {.map = map}));
      std::size_t whole = 0;
      try {
        for (auto b = reader.next(); !b.records.empty(); b = reader.next())
          whole += b.records.size();
        CHECK(n % 64 == 0);
      } catch (const trace_error& e) {
        CHECK(n % 64 != 0);
        CHECK(e.code() == trace_errc::truncated);
        CHECK(e.file() == path);
        CHECK(e.record() == n / 64);
        CHECK(e.offset() == n / 64 * 64 + field_at(n % 64).first);
        CHECK(e.field() == field_at(n % 64).second);
        // The next call throws again and never delivers invalid records.
        CHECK_THROWS_AS(reader.next(), trace_error);
      }
      CHECK(whole == n / 64);
    }
}

TEST_CASE("skip stops after the last whole record, and next() reports a damaged end") {
  const test::folder dir;
  auto bytes = test::bytes_of(test::records(100));
  bytes.resize(bytes.size() + 7);
  const auto path = dir.file("t", bytes);
  for (const bool map : {true, false}) {
    champsim::reader<champsim::instruction_codec> reader(io::open_input(path, {.map = map}));
    CHECK(reader.skip(1000) == 100);
    CHECK_THROWS_AS(reader.next(), trace_error);
  }
}

TEST_CASE("skips any number of records from any place in a compressed trace") {
  const test::folder dir;
  const auto records = test::records(1000);
  auto bytes = test::bytes_of(records);
  for (const std::size_t behind : {0U, 5U}) {
    bytes.resize(64 * 1000 + behind);
    for (const auto codec : {io::codec::xz, io::codec::gzip, io::codec::zstd}) {
      const bool built_in = codec == io::codec::xz     ? test::with_xz
                            : codec == io::codec::gzip ? test::with_gzip
                                                       : test::with_zstd;
      if (!built_in) continue;
      CAPTURE(io::codec_name(codec));
      // Use blocks that end inside records.
      const auto out = io::open_output(dir / "t", codec, {.level = 1, .block_size = 5000});
      out->write(bytes);
      out->finish();
      champsim::reader<champsim::instruction_codec> reader(io::open_input(dir / "t"));
      for (const std::size_t first : {0U, 1U, 127U, 128U, 700U})
        for (std::size_t n = 0; n < 1100; n += 1 + n % 97) {
          CAPTURE(first);
          CAPTURE(n);
          reader.rewind();
          REQUIRE(reader.skip(first) == first);
          if (first == 127) CHECK(reader.next().records.front() == records[first]);
          const std::uint64_t at = reader.position();
          const std::uint64_t moved = std::min<std::uint64_t>(n, 1000 - at);
          CHECK(reader.skip(n) == moved);
          CHECK(reader.position() == at + moved);
          if (at + moved < 1000) {
            const auto b = reader.next();
            CHECK(b.records.front() == records[static_cast<std::size_t>(at + moved)]);
          } else if (behind == 0) {
            CHECK(reader.next().records.empty());
          } else {
            try {
              reader.next();
              FAIL("no error");
            } catch (const trace_error& e) {
              CHECK(e.code() == trace_errc::truncated);
              CHECK(e.record() == 1000U);
              CHECK(e.field() == "ip");
            }
          }
        }
      CHECK(reader.skip(~std::uint64_t{0}) == 0);
      reader.rewind();
      CHECK(reader.skip(~std::uint64_t{0}) == 1000);
      CHECK(reader.count() == 1000);
    }
  }
}

TEST_CASE("reads bytes in memory and custom sources like files") {
  const auto records = test::records(5000);
  const auto bytes = test::bytes_of(records);
  champsim::reader<champsim::instruction_codec> reader(
      io::open_source(std::make_unique<io::memory_source>(bytes), "memory"));
  CHECK(reader.name() == "memory");
  CHECK(read_all(reader) == records);
  CHECK(!reader.progress());
  CHECK_THROWS_AS(reader.rewind(), trace_error);
}

TEST_CASE("refuses an empty file") {
  const test::folder dir;
  const auto path = dir.file("empty", {});
  for (const bool map : {true, false}) {
    champsim::reader<champsim::instruction_codec> reader(io::open_input(path, {.map = map}));
    try {
      reader.next();
      FAIL("no error");
    } catch (const trace_error& e) {
      CHECK(e.code() == trace_errc::not_a_trace);
      CHECK(e.offset() == 0);
    }
  }
}

TEST_CASE("a damaged compressed trace delivers its whole records first" *
          doctest::skip(!test::with_xz)) {
  const test::folder dir;
  const auto records = test::records(20000);
  const auto path = dir / "t.xz";
  {
    champsim::writer<champsim::instruction_codec> out(path);
    out.write(records);
    out.finish();
  }
  CHECK(read_all(path) == records);
  const auto size = std::filesystem::file_size(path);
  for (const std::uint64_t cut : {size - 1, size - 40, size / 2, size / 3}) {
    std::filesystem::copy_file(path, dir / "cut.xz",
                               std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(dir / "cut.xz", cut);
    champsim::reader<champsim::instruction_codec> reader(io::open_input(dir / "cut.xz"));
    std::vector<test::instruction> got;
    bool threw = false;
    try {
      for (auto b = reader.next(); !b.records.empty(); b = reader.next())
        got.insert(got.end(), b.records.begin(), b.records.end());
    } catch (const trace_error& e) {
      threw = true;
      CHECK(e.code() == trace_errc::truncated);
      CHECK(e.offset().value_or(0) <= cut);
    }
    CHECK(threw);
    REQUIRE(got.size() <= records.size());
    CHECK(std::equal(got.begin(), got.end(), records.begin()));
    if (cut == size - 1) CHECK(got.size() == records.size());
  }
}

TEST_CASE("decodes a record whose layout differs from the host's") {
  // The layout with the other byte order cannot be laid over the file.
  using tracecodec::wire::order;
  using other =
      tracecodec::wire::record<test::instruction,
                               order::native == order::little ? order::big : order::little>;
  static_assert(!other::object_layout);
  const test::folder dir;
  const auto records = test::records(5000);
  std::vector<std::byte> bytes(records.size() * 64);
  for (std::size_t i = 0; i < records.size(); ++i)
    other::encode(records[i], std::span(bytes).subspan(i * 64));
  const auto path = dir.file("other", bytes);
  champsim::reader<other> reader(io::open_input(path));
  CHECK(!reader.zero_copy());
  CHECK(read_all(reader) == records);
  CHECK(reader.count() == 5000);
}
