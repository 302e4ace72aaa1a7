// Tests opening by content: the right feed for each format, and error messages for other
// files.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>
#include <random>

#include "champsim/support.hpp"
#include "tracecodec/trace/open.hpp"
#include "tracecodec/umtracer/opens.hpp"
#include "tracecodec/x64dbg/opens.hpp"

namespace champsim = tracecodec::champsim;
namespace feed = tracecodec::feed;
namespace format = tracecodec::format;
namespace trace = tracecodec::trace;
namespace io = tracecodec::io;
using tracecodec::trace_errc;
using tracecodec::trace_error;

namespace {
template <class T> std::span<const std::byte> raw(const T& s) {
  return std::as_bytes(std::span(s));
}

std::string_view recognise(const std::string& path) {
  io::input in = io::open_input(path);
  return trace::recognise(in).name;
}
trace_errc refused(const test::folder& dir, std::span<const std::byte> bytes) {
  try {
    recognise(dir.file("t", bytes));
  } catch (const trace_error& e) {
    return e.code();
  }
  FAIL("was recognised");
  return {};
}
}  // namespace

TEST_CASE("recognises standard traces, compressed or not") {
  for (const char* name : {"sed64", "work32", "threads3_64"})
    CHECK(recognise(test::data(std::string(name) + ".champsimtrace.xz")) == "champsim");
  const test::folder dir;
  CHECK(recognise(dir.file("t", test::bytes_of(test::records(1)))) == "champsim");
}

TEST_CASE("refuses a file as a UMTracer trace, which must be a folder") {
  try {
    const trace::source in(io::open_bytes(raw(test::records(1)), "memory"),
                           {.format = &tracecodec::umtracer::descriptor::facts});
    FAIL("was opened");
  } catch (const trace_error& e) {
    CHECK(e.code() == trace_errc::refused);
    CHECK(std::string(e.what()).starts_with("memory: "));
  }
}

TEST_CASE("recognises CloudSuite's records") {
  const test::folder dir;
  // With and without memory operands. A single record is ambiguous: it is recognised as a ChampSim
  // record with excess bytes, which causes an error instead of a silent misreading.
  for (const std::size_t n : {2u, 3u, 1000u})
    for (const bool memory : {true, false}) {
      champsim::writer<champsim::cloudsuite_codec> out(dir / "t");
      for (const auto& r : test::records(n)) {
        test::cloudsuite_instruction c{};
        c.ip = r.ip;
        c.asid = {1, 0};
        if (memory) c.source_memory = {r.ip + 0x100, r.ip + 0x200, r.ip + 0x300, 0};
        out.write(c);
      }
      out.finish();
      CHECK(recognise(dir / "t") == "cloudsuite");
    }
}

TEST_CASE("visit passes the format's feed to the visitor, also for a forced format") {
  const auto path = test::data("sed64.champsimtrace.xz");
  const auto size = [](auto f) -> std::size_t {
    if constexpr (requires { f.next()[0].record(); })
      return sizeof(f.next()[0].record());
    else
      return 0;
  };
  CHECK(trace::visit(path, size) == sizeof(test::instruction));
  CHECK(trace::visit(io::open_input(path), {.format = &champsim::cloudsuite_descriptor::facts},
                     size) == sizeof(test::cloudsuite_instruction));
  CHECK(trace::find_format("cloudsuite") == &champsim::cloudsuite_descriptor::facts);
  CHECK(trace::find_format("champsim") == &champsim::descriptor::facts);
  CHECK_FALSE(trace::find_format("Champsim"));
  CHECK_FALSE(trace::find_format(""));
}

TEST_CASE("recognises traces whose first address begins with any byte") {
  const auto recognised = [](const auto& records) {
    using record = typename std::remove_cvref_t<decltype(records)>::value_type;
    using codec = champsim::codec_of<record>;
    std::vector<std::byte> bytes(records.size() * codec::size);
    for (std::size_t i = 0; i != records.size(); ++i)
      codec::encode(records[i], std::span(bytes).subspan(i * codec::size));
    io::input in = io::open_bytes(bytes, "t");
    return trace::recognise(in).name;
  };
  for (const std::size_t n : {1U, 3U, 2000U}) {
    auto records = test::records(n);
    std::vector<test::cloudsuite_instruction> wide(n);
    for (std::size_t i = 0; i != n; ++i) wide[i].ip = records[i].ip;
    // Test addresses without a prefix, and after characters with which a text may begin.
    for (const std::uint64_t space : {0U, 0x20U, 0x0AU})
      for (std::uint64_t first = 0; first != 256; ++first) {
        CAPTURE(first);
        const std::uint64_t ip = space == 0 ? 0x401000 + first : (0x4000 + first) << 8 | space;
        records[0].ip = wide[0].ip = ip;
        CHECK(recognised(records) == "champsim");
        if (n > 1) CHECK(recognised(wide) == "cloudsuite");
      }
  }
}

TEST_CASE("a few odd records do not change the format") {
  const test::folder dir;
  auto records = test::records(1000);
  records[5].is_branch = 2;
  records[9].branch_taken = 255;
  CHECK(recognise(dir.file("t", test::bytes_of(records))) == "champsim");
  for (auto& r : records) r.is_branch = 2;
  CHECK(refused(dir, test::bytes_of(records)) == trace_errc::not_a_trace);
}

TEST_CASE("does not recognise a fork's records, but reports the size of the records") {
  const test::folder dir;
  std::vector<std::byte> bytes(500 * 88, std::byte{7});
  const auto records = test::records(500);
  for (std::size_t i = 0; i < records.size(); ++i)
    champsim::instruction_codec::encode(records[i], std::span(bytes).subspan(i * 88 + 24));
  try {
    recognise(dir.file("t", bytes));
    FAIL("was recognised");
  } catch (const trace_error& e) {
    CHECK(std::string(e.what()).find("records of 88 bytes") != std::string::npos);
  }
}

TEST_CASE("refuses other files and reports the decisive byte") {
  const test::folder dir;
  CHECK(refused(dir, {}) == trace_errc::not_a_trace);
  const std::string text(300, 'x');
  CHECK(refused(dir, raw(text)) == trace_errc::not_a_trace);
  CHECK(refused(dir, raw(std::string("hello\n"))) == trace_errc::not_a_trace);
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> noise(1000);
  for (auto& w : noise) w = random();
  CHECK(refused(dir, raw(noise)) == trace_errc::not_a_trace);
  std::string elf(64, '\0');
  elf.replace(0, 4, "\177ELG");  // not quite ELF: an ELF file is refused by name
  elf[18] = 0x3e;                // e_machine
  elf += std::string("\6\0\0\0\4\0\0\0", 8) + std::string("\100", 1) + std::string(63, '\0');
  try {
    recognise(dir.file("elf", raw(elf)));
    FAIL("was recognised");
  } catch (const trace_error& e) {
    CHECK(e.offset() == 72);
  }
  std::string tar(512, '\0');
  tar.replace(257, 5, "ustar");
  CHECK(refused(dir, raw(tar)) == trace_errc::not_a_trace);
}

TEST_CASE("reports a read error instead of another format") {
  // Source that delivers `size` bytes of value `fill`, and then fails.
  struct broken final : io::source {
    broken(std::size_t size, std::byte fill) : left(size), value(fill) {}
    std::size_t read(std::span<std::byte> out) override {
      if (left == 0)
        throw tracecodec::trace_error(tracecodec::trace_errc::system, {.file = "disk"}, "broken");
      const std::size_t n = std::min(left, out.size());
      std::fill_n(out.begin(), n, value);
      left -= n;
      return n;
    }
    std::size_t left;
    std::byte value;
  };
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{63}, std::size_t{64},
                                 std::size_t{1000}, io::input::peek_limit - 1})
    for (const std::byte fill : {std::byte{}, std::byte{'x'}, std::byte{7}, std::byte{'\n'}}) {
      CAPTURE(size);
      auto in = io::open_source(std::make_unique<broken>(size, fill), "f");
      try {
        (void)trace::recognise(in);
        FAIL("was recognised");
      } catch (const tracecodec::trace_error& e) {
        CHECK(std::string(e.what()) == "disk: broken");
      }
    }
}

TEST_CASE("the reader reports a trace that is shorter than a record") {
  const test::folder dir;
  const std::string few(10, 'x');
  const auto path = dir.file("t", raw(few));
  CHECK(recognise(path) == "champsim");
  trace::visit(path, [](auto&& f) {
    try {
      f.next();
      FAIL("no error");
    } catch (const trace_error& e) {
      CHECK(e.code() == trace_errc::truncated);
      CHECK(e.offset() == 10);
      CHECK(e.field() == "destination_registers");
    }
  });
}

TEST_CASE("recognises an x64dbg trace by its magic, also truncated") {
  CHECK(recognise(test::data("work32.trace32.xz")) == "x64dbg");
  const test::folder dir;
  for (const std::string s : {"T", "TRA", "TRAC", "TRACxxxx"})
    CHECK(recognise(dir.file("t", raw(s))) == "x64dbg");
  CHECK(refused(dir, raw(std::string("TRAX") + std::string(600, 'x'))) == trace_errc::not_a_trace);
  CHECK(trace::find_format("x64dbg") == &tracecodec::x64dbg::descriptor::facts);
}

TEST_CASE("refuses options that a format does not have") {
  const auto open = [](const format::open_options& o) {
    return trace::visit(io::open_input(test::data("sed64.champsimtrace.xz")), o,
                        [](auto) { return trace_errc{}; });
  };
  for (const format::open_options& o :
       {format::open_options{.thread = 1}, format::open_options{.repair = true}}) {
    trace_errc code{};
    try {
      open(o);
    } catch (const trace_error& e) {
      code = e.code();
    }
    CHECK(code == trace_errc::refused);
  }
}

#if TRACECODEC_OPENS_X64DBG
TEST_CASE("visit opens x64dbg traces of both widths, and a single thread") {
  const auto lengths = [](const char* name, format::open_options o) {
    return trace::visit(io::open_input(test::data(name)), o, [](auto f) {
      std::uint64_t n = 0, bytes = 0;
      feed::for_each(f, [&](const auto& i) {
        ++n;
        if constexpr (requires { i.length(); }) bytes += i.length();
      });
      CHECK(bytes > n);
      return n;
    });
  };
  CHECK(lengths("work32.trace32.xz", {}) == 50000);
  CHECK(lengths("threads3_64.trace64.xz", {}) == 30000);
  CHECK(lengths("threads3_64_legacybug.trace64.xz", {.repair = true}) == 30000);
  std::uint64_t all = 0;
  for (const std::uint32_t thread : {6700U, 6704U, 6708U})
    all += lengths("threads3_64.trace64.xz", {.thread = thread});
  CHECK(all == 30000);
}
#else
TEST_CASE("a build without simdjson or Zydis reports that it cannot read x64dbg traces") {
  trace_errc code{};
  try {
    trace::visit(test::data("work32.trace32.xz"), [](auto) {});
  } catch (const trace_error& e) {
    code = e.code();
  }
  CHECK(code == trace_errc::unsupported);
}
#endif

TEST_CASE("memory accesses have sizes if the format contains them") {
  struct accessed {
    std::uint64_t reads = 0, writes = 0, read = 0, written = 0;  // numbers of accesses and of bytes
  };
  const auto of = [](const char* name) {
    return trace::visit(test::data(name), [](auto in) {
      accessed all;
      feed::for_each(in, [&](const auto& i) {
        feed::for_each_access(i, [&](std::uint64_t /*address*/, std::uint64_t size, bool write) {
          (write ? all.writes : all.reads) += 1;
          (write ? all.written : all.read) += size;
        });
      });
      return all;
    });
  };
  if (test::with_xz) {
    // A ChampSim record contains addresses, but no sizes.
    const accessed none = of("sed64.champsimtrace.xz");
    CHECK(none.reads > 1000);
    CHECK(none.writes > 1000);
    CHECK(none.read + none.written == 0);
  }
#if TRACECODEC_OPENS_X64DBG
  // The sum that docs/feed.md computes with columns.
  if (test::with_xz) CHECK(of("work32.trace32.xz").written == 40400);
#endif
#if TRACECODEC_OPENS_UMTRACER
  CHECK(of("umtracer/plain64").written == 201608);
#endif
}
