// Tests records that are stored relative to the record before them.
#include <doctest/doctest.h>

#include "file/support.hpp"
#include "tracecodec/feed/of.hpp"
#include "tracecodec/wire/items/delta.hpp"
#include "tracecodec/wire/rules/choice.hpp"

using namespace test;
namespace feed = tracecodec::feed;
namespace map = feed::map;
using file::match;

namespace {
// Header with the first program counter, then steps relative to the step before. A step of kind 1
// starts a thread, whose program counter is absolute.
struct start {
  std::uint32_t pc;
};
struct hop {
  std::uint8_t kind;
  std::uint64_t last, pc;
};
using hop_codec = wire::record<
    wire::fields<wire::previous<&hop::last, &hop::pc>, wire::field<&hop::kind>,
                 wire::choice<&hop::kind, wire::on<0, wire::delta<&hop::pc, &hop::last>>,
                              wire::on<1, wire::leb128<&hop::pc>>>>>;
using hops =
    file::of<"hops", file::header<wire::record<start>>,
             file::records<hop_codec, file::each<"hop">, file::args<&hop::last, &start::pc>>>;
// Steps without a header. The first one is relative to 0.
using bare_hops = file::of<"bare hops", file::records<hop_codec, file::each<"hop">>>;
using hop_feed = feed::of<hops, map::ip<&hop::pc>>;
static_assert(feed::stream<hop_feed>);

template <class Reader> std::vector<std::uint64_t> pcs(Reader& r) {
  std::vector<std::uint64_t> all;
  for (auto b = r.next(); b.size() != 0; b = r.next())
    for (const hop& h : b) all.push_back(h.pc);
  return all;
}
}  // namespace

TEST_CASE("reads and writes records relative to the one before, from a value of the header") {
  // 0x1000, then 3 and 8 more, then 0x80 in a new thread, then 1 less.
  const bytes raw = from_hex("00100000  00 06  00 10  01 8001  00 01");
  const std::vector<std::uint64_t> want{0x1003, 0x100b, 0x80, 0x7f};
  for (const bool mapped_in : {true, false}) {
    hops::reader r(mapped_in ? mapped(raw) : stream_of(raw));
    CHECK(pcs(r) == want);
    CHECK_FALSE(r.first_error());
  }
  bytes got;
  hops::writer out(std::make_unique<vector_sink>(got), "memory", {0x1000});
  for (const std::uint64_t pc : want)
    out.write(hop{std::uint8_t{pc == 0x80}, 99, pc});  // the writer replaces 99
  out.finish();
  CHECK(got == raw);
  std::vector<std::uint64_t> ips;
  for (const auto& i : hop_feed(mapped(raw))) ips.push_back(i.ip());
  CHECK(ips == want);
  CHECK(hops::probe(raw, raw.size()) == match::possible);
  CHECK(found_in<hops>(from_hex("00100000  00 06  00 10  02 00")) ==
        messages{"refused@8 kind: invalid value for the field (it begins with the byte 0x2)"});
}

TEST_CASE("seeks in records that depend on all records before them") {
  // Differences 1, 2, 3, ...: record n is at (n + 1) * (n + 2) / 2. The zigzag varint of n + 1
  // takes one byte below 64, and two bytes below 8192.
  constexpr std::uint64_t n = 5000;
  bytes got;
  bare_hops::writer out(std::make_unique<vector_sink>(got), "memory");
  for (std::uint64_t i = 0; i < n; ++i) out.write(hop{0, 0, (i + 1) * (i + 2) / 2});
  out.finish();
  CHECK(got.size() == 63 * 2 + (n - 63) * 3);
  for (const bool mapped_in : {true, false}) {
    bare_hops::reader r(mapped_in ? mapped(got) : stream_of(got));
    const auto all = pcs(r);
    REQUIRE(all.size() == n);
    bool right = true;
    for (std::size_t i = 0; i < n; ++i)
      right = right && all[i] == std::uint64_t{i + 1} * (i + 2) / 2;
    CHECK(right);
    if (!mapped_in) continue;
    for (const std::size_t at : {4999U, 0U, 1023U, 1024U, 1025U, 3000U}) {
      REQUIRE(r.seek(at));
      const auto b = r.next();
      CHECK(b[0].pc == all[at]);
      if (!b.last) CHECK(b.following().pc == all[at + b.size()]);
    }
    CHECK(r.count() == n);
    r.rewind();
    CHECK(r.next()[2].pc == 6);
  }
}
