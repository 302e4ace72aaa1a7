// Tests of the writer: bytes as specified, and no file under the final name until it is
// complete.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstring>

#include "support.hpp"

namespace champsim = tracecodec::champsim;
namespace io = tracecodec::io;

namespace {
std::string hex_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  std::string out;
  for (int c = in.get(); c != EOF; c = in.get()) {
    out += "0123456789abcdef"[c >> 4];
    out += "0123456789abcdef"[c & 15];
  }
  return out;
}
}  // namespace

TEST_CASE("writes the bytes of the C struct") {
  // Python: struct.pack('<Q2B2B4B2Q4Q', 0x3f000c, 1, 0, 26, 0, 26, 67, 0, 0, 0x33fca08, 0,
  //                     0xf484a10, 0, 0, 0).hex()
  const test::folder dir;
  test::instruction r{};
  r.ip = 0x3f000c;
  r.is_branch = 1;
  r.destination_registers = {26, 0};
  r.source_registers = {26, 67, 0, 0};
  r.destination_memory = {0x33fca08, 0};
  r.source_memory = {0xf484a10, 0, 0, 0};
  champsim::writer<champsim::instruction_codec> out(dir / "t");
  out.write(r);
  CHECK(!std::filesystem::exists(dir / "t"));
  out.finish();
  CHECK(hex_of(dir / "t") ==
        "0c003f0000000000"
        "0100"
        "1a00"
        "1a430000"
        "08ca3f0300000000"
        "0000000000000000"
        "104a480f00000000"
        "0000000000000000"
        "0000000000000000"
        "0000000000000000");
}

TEST_CASE("writes CloudSuite's padding as zero, whatever the object contains") {
  const test::folder dir;
  test::cloudsuite_instruction r;
  std::memset(static_cast<void*>(&r), 0xee, sizeof r);
  champsim::writer<champsim::cloudsuite_codec> out(dir / "t");
  out.write(r);
  out.finish();
  const std::string hex = hex_of(dir / "t");
  REQUIRE(hex.size() == 192);
  CHECK(hex.substr(2 * 18, 12) == "000000000000");
  CHECK(hex.substr(2 * 90, 12) == "000000000000");
  CHECK(std::count(hex.begin(), hex.end(), 'e') == 2 * (96 - 12));
}

TEST_CASE("an abandoned writer leaves no file") {
  const test::folder dir;
  {
    champsim::writer<champsim::instruction_codec> out(dir / (test::with_xz ? "t.xz" : "t"));
    out.write(test::records(3000));
  }
  CHECK(std::filesystem::is_empty(std::filesystem::path(dir / "x").parent_path()));
}

TEST_CASE("rewrites real traces byte for byte") {
  const test::folder dir;
  for (const char* name : {"sed64", "work32", "threads3_64"}) {
    const auto from = test::data(std::string(name) + ".champsimtrace.xz");
    champsim::reader<champsim::instruction_codec> in(io::open_input(from));
    champsim::writer<champsim::instruction_codec> out(dir / "copy");
    for (auto b = in.next(); !b.records.empty(); b = in.next()) out.write(b.records);
    out.finish();
    io::input original = io::open_input(from), copy = io::open_input(dir / "copy");
    REQUIRE(copy.bytes().size() == original.content_size());
    std::vector<std::byte> a(copy.bytes().size());
    std::size_t n = 0;
    while (const std::size_t got = original.read(std::span(a).subspan(n))) n += got;
    CHECK(std::equal(a.begin(), a.end(), copy.bytes().begin()));
  }
}

TEST_CASE("refuses a value that does not fit, and reports the record and the field") {
  struct narrow {
    std::uint64_t ip;
    std::uint32_t address;
  };
  using codec = tracecodec::wire::record<
      tracecodec::wire::fields<tracecodec::wire::field<&narrow::ip>,
                               tracecodec::wire::field<&narrow::address, std::uint16_t>>>;
  const test::folder dir;
  champsim::writer<codec> out(dir / "t");
  out.write({1, 65535});
  try {
    out.write({2, 65536});
    FAIL("no error");
  } catch (const tracecodec::trace_error& e) {
    CHECK(e.code() == tracecodec::trace_errc::refused);
    CHECK(e.record() == 1);
    CHECK(e.offset() == 18);
    CHECK(e.field() == "address");
  }
}
