// Tests of thread_records.hpp: one thread's records, in traces whose records store an address
// space.
#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "../bytes.hpp"
#include "support.hpp"
#include "tracecodec/champsim/thread_records.hpp"
#include "tracecodec/trace/open.hpp"

namespace champsim = tracecodec::champsim;
namespace file = tracecodec::file;
namespace format = tracecodec::format;
namespace io = tracecodec::io;
namespace trace = tracecodec::trace;
using test::bytes;
using test::cloudsuite_instruction;

namespace {

// Threads 7 and 0x1234 in turn, with one to three records at a time. Every record is a jump to its
// own thread's next instruction, 16 bytes later.
constexpr std::array<std::uint32_t, 12> turns{7,      0x1234, 7,      7,      0x1234, 0x1234,
                                              0x1234, 7,      0x1234, 0x1234, 7,      7};

bytes two_threads(std::span<const std::uint32_t> order = turns) {
  bytes all(order.size() * 96);
  std::array<std::uint64_t, 2> next{0x400000, 0x7f0000};
  for (std::size_t i = 0; i != order.size(); ++i) {
    cloudsuite_instruction r{};
    r.ip = next[order[i] != 7] += 16;
    r.is_branch = r.branch_taken = 1;
    r.destination_registers = {26};
    r.source_registers = {26};
    r.asid = {static_cast<std::uint8_t>(order[i]), static_cast<std::uint8_t>(order[i] >> 8)};
    champsim::cloudsuite_codec::encode(r, std::span(all).subspan(i * 96, 96));
  }
  return all;
}

struct seen {
  std::vector<std::uint64_t> ips, targets;
  std::optional<std::uint64_t> count;
  friend bool operator==(const seen&, const seen&) = default;
};

seen read(io::input in, std::uint32_t thread, format::open_options o = {}) {
  o.thread = thread;
  if (!o.record) o.format = &champsim::cloudsuite_descriptor::facts;
  seen all;
  trace::visit(std::move(in), o, [&all](auto feed) {
    for (const auto& i : feed) {
      all.ips.push_back(i.ip());
      all.targets.push_back(i.target());
    }
    try {
      all.count = feed.count();
    } catch (const tracecodec::trace_error&) {
      all.count = std::nullopt;  // a pipe
    }
  });
  return all;
}

const seen seventh{{0x400010, 0x400020, 0x400030, 0x400040, 0x400050, 0x400060},
                   {0x400020, 0x400030, 0x400040, 0x400050, 0x400060, 0},
                   6};

}  // namespace

TEST_CASE("selects records of one address space, with targets in their own thread") {
  const bytes raw = two_threads();
  CHECK(read(io::open_bytes(raw, "t"), 7) == seventh);
  const seen other = read(io::open_bytes(raw, "t"), 0x1234);
  CHECK(other.ips.front() == 0x7f0010);
  CHECK(other.targets ==
        std::vector<std::uint64_t>{0x7f0020, 0x7f0030, 0x7f0040, 0x7f0050, 0x7f0060, 0});
  seen once = read(io::open_source(std::make_unique<io::memory_source>(raw), "t"), 7);
  CHECK_FALSE(once.count);
  once.count = 6;
  CHECK(once == seventh);
}

TEST_CASE("reads the selected records in pieces of any size, from any place, and after rewind") {
  const bytes raw = two_threads();
  bytes want;
  for (std::size_t i = 0; i != turns.size(); ++i)
    if (turns[i] == 7)
      want.insert(want.end(), raw.begin() + static_cast<std::ptrdiff_t>(i * 96),
                  raw.begin() + static_cast<std::ptrdiff_t>(i * 96 + 96));
  const auto table = std::make_shared<const file::record_table>(champsim::cloudsuite_table());
  REQUIRE(table->size() == 96);
  for (const std::size_t piece : {1U, 95U, 96U, 97U, 4096U}) {
    CAPTURE(piece);
    io::input in = champsim::keep_thread(io::open_bytes(raw, "t"), table, 7);
    const auto rest = [&in, piece] {
      bytes out, part(piece);
      while (const std::size_t n = in.read(part))
        out.insert(out.end(), part.begin(), part.begin() + static_cast<std::ptrdiff_t>(n));
      return out;
    };
    CHECK(rest() == want);
    REQUIRE(in.rewindable());
    in.rewind();
    CHECK(in.skip(100) == 100);
    CHECK(rest() == bytes(want.begin() + 100, want.end()));
    CHECK(in.content_size() == want.size());
  }
}

TEST_CASE("skips batches without records of the thread") {
  std::vector<std::uint32_t> order(30'000, 0x1234);
  for (const std::size_t at : {0U, 12'345U, 12'346U, 29'999U}) order[at] = 7;
  const bytes raw = two_threads(order);
  const seen all = read(io::open_bytes(raw, "t"), 7);
  CHECK(all.ips == std::vector<std::uint64_t>{0x400010, 0x400020, 0x400030, 0x400040});
  CHECK(all.count == 4);
}

TEST_CASE("refuses a thread without records, and records without threads") {
  const bytes raw = two_threads();
  const auto none = test::error_of([&] { read(io::open_bytes(raw, "t"), 8); });
  REQUIRE(none);
  CHECK(none->code() == tracecodec::trace_errc::refused);
  CHECK(none->what() == std::string("t: field asid: none of its 12 records belongs to thread 8"));

  format::open_options o;
  o.thread = 7;
  o.format = &champsim::descriptor::facts;
  const bytes plain = test::bytes_of(test::records(4));
  const auto error =
      test::error_of([&] { trace::visit(io::open_bytes(plain, "t"), o, [](auto) {}); });
  REQUIRE(error);
  CHECK(error->code() == tracecodec::trace_errc::refused);

  const auto empty = test::error_of([&] { read(io::open_bytes({}, "t"), 8); });
  REQUIRE(empty);
  CHECK(empty->code() == tracecodec::trace_errc::not_a_trace);
}

TEST_CASE("reports a truncated record after all whole records, with its place in the file") {
  bytes raw = two_threads();
  raw.resize(11 * 96 + 40);
  format::open_options o;
  o.thread = 0x1234;
  o.format = &champsim::cloudsuite_descriptor::facts;
  std::size_t n = 0;
  const auto error = test::error_of([&] {
    trace::visit(io::open_bytes(raw, "t"), o, [&n](auto feed) {
      for (const auto& i : feed) n += i.asid() == 0x1234;
    });
  });
  CHECK(n == 6);
  REQUIRE(error);
  CHECK(error->code() == tracecodec::trace_errc::truncated);
  CHECK(error->offset() == 11 * 96 + 24);  // where the field begins
  CHECK(error->record() == 11);
  CHECK(error->field() == "destination_memory");
}

TEST_CASE("selects a thread of described records after a header, with renumbered registers") {
  const std::string text =
      "header: 5 4845414444\n0 8 ip u64 little\n8 4 asid u32 big\n12 1 destination_registers u8\n"
      "13 1 source_registers u8\n";
  const bytes raw = test::from_hex(
      "48 45 41 44 44"
      "1000000000000000 00010007 23 23"
      "2000000000000000 00020007 23 23"
      "3000000000000000 00010007 23 23");
  format::open_options o;
  o.record = std::make_shared<const file::record_table>(file::parse_record_table(text, "t.txt"));
  o.own.set(champsim::register_numbers{35, 6, 25});
  const seen all = read(io::open_bytes(raw, "t"), 0x10007, o);
  CHECK(all == seen{{0x10, 0x30}, {0x30, 0}, 2});
  CHECK(read(io::open_bytes(raw, "t"), 0x20007, o).ips == std::vector<std::uint64_t>{0x20});

  o.record = std::make_shared<const file::record_table>(
      file::parse_record_table("0 8 ip u64 little\n", "t.txt"));
  for (const auto* const f :
       {&champsim::descriptor::facts, &champsim::cloudsuite_descriptor::facts}) {
    o.format = f;
    const auto error = test::error_of([&] { read(io::open_bytes(raw, "t"), 7, o); });
    REQUIRE(error);
    CHECK(error->code() == tracecodec::trace_errc::refused);
  }
}
