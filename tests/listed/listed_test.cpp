// Tests traces of which each line is an instruction or a memory access: Lackey, Dinero and ML-DPC. The
// texts are examples from the documentation of these tools, or written by hand.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "bytes.hpp"
#include "tracecodec/dinero.hpp"
#include "tracecodec/lackey.hpp"
#include "tracecodec/mldpc.hpp"
#include "tracecodec/trace/source.hpp"

namespace dinero = tracecodec::dinero;
namespace feed = tracecodec::feed;
namespace file = tracecodec::file;
namespace format = tracecodec::format;
namespace io = tracecodec::io;
namespace lackey = tracecodec::lackey;
namespace mldpc = tracecodec::mldpc;
namespace trace = tracecodec::trace;
namespace wire = tracecodec::wire;
using tracecodec::trace_errc;
using tracecodec::trace_error;

namespace {

struct listed_step {
  std::uint64_t ip;
  std::vector<std::array<std::uint64_t, 3>> accesses = {};  // address, size, 1 for a write
  friend bool operator==(const listed_step&, const listed_step&) = default;
};
struct read_steps {
  std::vector<listed_step> steps = {};
  std::optional<trace_error> error = {};
};
io::input text_input(std::string_view text) {
  return io::open_bytes(std::as_bytes(std::span(text)), "t");
}
template <class Feed> read_steps listed_steps(std::string_view text, std::uint64_t skip = 0) {
  read_steps all;
  try {
    Feed from(text_input(text));
    from.skip(skip);
    for (const auto& i : from) {
      all.steps.push_back({i.ip()});
      feed::for_each_access(i, [&](std::uint64_t address, std::uint64_t size, bool write) {
        all.steps.back().accesses.push_back({address, size, write});
      });
    }
  } catch (const trace_error& e) {
    all.error = e;
  }
  return all;
}
std::string recognised(std::string_view text) {
  auto in = text_input(text);
  try {
    return std::string(trace::recognise(in).name);
  } catch (const trace_error&) {
    return "none";
  }
}
template <class File> std::string rewritten_lines(std::string_view text) {
  const test::folder dir;
  file::reader<File> from(text_input(text));
  file::writer<File> out(dir / "t");
  for (auto b = from.next(); b.size() != 0; b = from.next()) out.write(b.records);
  out.finish();
  return test::text_in(dir / "t");
}
template <class File> std::size_t problems_of(std::string_view text) {
  std::size_t n = 0;
  File::check(text_input(text), [&n](const tracecodec::diagnostic&) { ++n; });
  return n;
}

constexpr std::string_view lackey_text =
    "==20990== Lackey, an example Valgrind tool\n"
    "--20990-- a note\n"
    "I  0401ab70,3\n"
    "I  0401ab73,5\n"
    " S 1fff0006e8,8\n"
    "I  0401b771,4\n"
    " L 04032e40,8\n"
    " S 04032e48,16\n"
    " M 0421c7f0,4\n"
    "==20990== \n"
    "I  0401b775,1\n";
// The form of Bryant and O'Hallaron's traces, without zeros and with other blanks.
constexpr std::string_view short_lackey_text = " L 10,1\n M 20,1\n L 22,1\nI 400d7d4,8\r\n S 18,1";
constexpr std::string_view dinero_text =
    "0 7fff0010\n"
    "2 00401000 2402 lui\n"
    "1 7FFF0020\n"
    "0\t7fff0024\r\n"
    "4 0\n"
    "3 0\n"
    "2 401004\n"
    "0 401104";
constexpr std::string_view mldpc_text =
    "3659, 1024, 7f1c2a40, 40a1b2, 0\n"
    "3671, 1100, 7f1c2a80, 40a1b2, 1\n"
    "3672,1101,7f1c2ac0,40a1b6,1\n"
    "3673, 1101, 7f1c2b00, 40a1b2, 0\n";

}  // namespace

TEST_SUITE_BEGIN("listed");

TEST_CASE("numbers in text") {
  using hexadecimal = wire::number_text_of<std::uint16_t, wire::number_form{16, 4, 2}>;
  const auto scan = [](std::string_view s) {
    std::uint16_t v = 0;
    const auto r = hexadecimal::scan(v, std::as_bytes(std::span(s)));
    return std::pair(r.error, r ? std::pair<std::size_t, unsigned>(r.at, v)
                                : std::pair<std::size_t, unsigned>());
  };
  using wire::errc;
  CHECK(scan("1f,") == std::pair(errc::ok, std::pair<std::size_t, unsigned>(2, 0x1f)));
  CHECK(scan(" \t001F\r\n") == std::pair(errc::ok, std::pair<std::size_t, unsigned>(7, 0x1f)));
  CHECK(scan("ffff\n").first == errc::ok);
  CHECK(scan("10000\n").first == errc::malformed);
  for (const char* const s : {"\n", "-1\n", "x1\n", "1g\n", "1_\n", "0x1\n"})
    CHECK(scan(s).first == errc::malformed);
  for (const char* const s : {"", " ", "1", "1\r"}) CHECK(scan(s).first == errc::truncated);
  std::array<std::byte, 8> bytes{};
  CHECK(hexadecimal::store(0x1f, bytes.data()) == bytes.data() + 6);
  CHECK(hexadecimal::written(0x1f) == 6);
  CHECK(std::string(reinterpret_cast<const char*>(bytes.data()), 6) == "  001f");
}

TEST_CASE("reads the lines of Lackey") {
  const std::vector<listed_step> wanted{
      {0x401ab70},
      {0x401ab73, {{0x1fff0006e8, 8, 1}}},
      {0x401b771, {{0x4032e40, 8, 0}, {0x421c7f0, 4, 0}, {0x4032e48, 16, 1}, {0x421c7f0, 4, 1}}},
      {0x401b775}};
  const auto all = listed_steps<lackey::trace_feed>(lackey_text);
  CHECK_FALSE(all.error);
  CHECK(all.steps == wanted);
  lackey::trace_feed from(text_input(lackey_text));
  CHECK(from.count() == 4);
  CHECK((*from.begin()).length() == 3);
  for (std::size_t n = 0; n != 6; ++n) {
    const auto at = static_cast<std::ptrdiff_t>(std::min<std::size_t>(n, 4));
    CHECK(listed_steps<lackey::trace_feed>(lackey_text, n).steps ==
          std::vector(wanted.begin() + at, wanted.end()));
  }
  CHECK(rewritten_lines<lackey::trace_file>(lackey_text) == lackey_text);
  CHECK(problems_of<lackey::trace_file>(lackey_text) == 0);
  // Accesses before the first instruction belong to none.
  CHECK(listed_steps<lackey::trace_feed>(short_lackey_text).steps ==
        std::vector<listed_step>{{0, {{0x10, 1, 0}}},
                                 {0, {{0x20, 1, 0}}},
                                 {0, {{0x20, 1, 1}}},
                                 {0, {{0x22, 1, 0}}},
                                 {0x400d7d4, {{0x18, 1, 1}}}});
  CHECK(rewritten_lines<lackey::trace_file>(short_lackey_text) ==
        " L 00000010,1\n M 00000020,1\n L 00000022,1\nI  0400d7d4,8\n S 00000018,1\n");
}

TEST_CASE("writes instructions as the lines of Lackey") {
  std::string text;
  const auto add = [&text](const lackey::line& l) {
    std::array<std::byte, 64> bytes{};
    const auto r = lackey::line_codec::encode(l, bytes);
    text.append(reinterpret_cast<const char*>(bytes.data()), r.used);
  };
  const std::vector<feed::listed_access> accesses{
      {0x2000, 8, false}, {0x3000, 0, false}, {0x2000, 8, true}, {0x2000, 8, true}};
  lackey::write_instruction(0x1000, 0, accesses, add);
  CHECK(text == "I  00001000,1\n M 00002000,8\n L 00003000,1\n S 00002000,8\n");
}

TEST_CASE("reads the lines of Dinero") {
  const auto all = listed_steps<dinero::trace_feed>(dinero_text);
  CHECK_FALSE(all.error);
  CHECK(all.steps == std::vector<listed_step>{{0, {{0x7fff0010, 0, 0}}},
                                              {0x401000, {{0x7fff0024, 0, 0}, {0x7fff0020, 0, 1}}},
                                              {0x401004, {{0x401104, 0, 0}}}});
  CHECK(rewritten_lines<dinero::trace_file>(dinero_text) ==
        "0 7fff0010\n2 401000 2402 lui\n1 7fff0020\n0 7fff0024\n4 0\n3 0\n2 401004\n0 401104\n");
}

TEST_CASE("reads the lines of ML-DPC") {
  const auto all = listed_steps<mldpc::trace_feed>(mldpc_text);
  CHECK_FALSE(all.error);
  CHECK(all.steps == std::vector<listed_step>{{0x40a1b2, {{0x7f1c2a40, 0, 0}}},
                                              {0x40a1b2, {{0x7f1c2a80, 0, 0}}},
                                              {0x40a1b6, {{0x7f1c2ac0, 0, 0}}},
                                              {0x40a1b2, {{0x7f1c2b00, 0, 0}}}});
  CHECK(rewritten_lines<mldpc::trace_file>(mldpc_text) ==
        "3659, 1024, 7f1c2a40, 40a1b2, 0\n3671, 1100, 7f1c2a80, 40a1b2, 1\n"
        "3672, 1101, 7f1c2ac0, 40a1b6, 1\n3673, 1101, 7f1c2b00, 40a1b2, 0\n");
  file::reader<mldpc::trace_file> from(text_input(mldpc_text));
  const auto b = from.next();
  REQUIRE(b.size() == 4);
  CHECK(b[1].instruction == 3671);
  CHECK(b[1].cycle == 1100);
  CHECK(b[1].hit == 1);
}

TEST_CASE("a listed trace is read up to the line that is damaged or cut") {
  const auto lines_in = [](std::string_view s) { return std::count(s.begin(), s.end(), '\n'); };
  for (std::size_t n = 1; n != mldpc_text.size(); ++n) {
    CAPTURE(n);
    const auto part = mldpc_text.substr(0, n);
    const auto all = listed_steps<mldpc::trace_feed>(part);
    // A last line without a line feed is whole if its last number is there.
    const bool whole = part.back() == '\n' || mldpc_text[n] == '\n';
    CHECK(all.error.has_value() == !whole);
    if (all.error) CHECK(all.error->code() == trace_errc::truncated);
    CHECK(all.steps.size() ==
          static_cast<std::size_t>(lines_in(part)) + (whole && part.back() != '\n'));
  }
  for (std::size_t n = 1; n != lackey_text.size(); ++n)
    CHECK(listed_steps<lackey::trace_feed>(lackey_text.substr(0, n)).steps.size() <= 4);
  const auto all = listed_steps<lackey::trace_feed>("I  1000,4\n S 2000,8\nX 3000,4\n");
  REQUIRE(all.error);
  CHECK(all.error->field() == "kind");
  CHECK(all.error->record() == 2);
  CHECK(all.steps == std::vector<listed_step>{{0x1000, {{0x2000, 8, 1}}}});
  CHECK(listed_steps<dinero::trace_feed>("2 1000\n5 2000\n").error->field() == "label");
  CHECK(listed_steps<mldpc::trace_feed>("1, 2, 3000, 4000, 2\n").error->field() == "hit");
  CHECK(problems_of<dinero::trace_file>("2 1000\n5 2000\n") == 1);
}

TEST_CASE("an instruction has at most 64 accesses") {
  std::string text = "I  00001000,4\n";
  for (int n = 0; n != 100; ++n) text += " L 00002000,8\n";
  const auto all = listed_steps<lackey::trace_feed>(text);
  REQUIRE(all.steps.size() == 2);
  CHECK(all.steps[0].accesses.size() == 64);
  CHECK(all.steps[1].ip == 0x1000);
  CHECK(all.steps[1].accesses.size() == 36);
}

TEST_CASE("recognises lines by several that are well formed") {
  CHECK(recognised(lackey_text) == "lackey");
  CHECK(recognised(short_lackey_text) == "lackey");
  CHECK(recognised(dinero_text) == "dinero");
  CHECK(recognised(mldpc_text) == "mldpc");
  for (const char* const other :
       {"==1== Memcheck, a memory error detector\n==1== \n==1== \n==1== \n==1== \n",
        "I think\nthat this\nis prose\nof four lines\n", "I  0400,3\n", " L 10,1\n L 10,1\n",
        // An edge list, a table, and a matrix.
        "0 1\n0 2\n1 2\n2 7\n1 9\n0 4\n", "0 1 5\n1 2 7\n2 3 9\n1 4 11\n0 5 13\n",
        "0 12345\n1 12346\n2 12347\n3 12348\n4 12349\n5 12350\n",
        "1, 2, 3, 4, 0\n2, 3, 4, 5, 1\n3, 4, 5, 6, 0\n4, 5, 6, 7, 1\n",
        "id, cycle, address, pc, hit\n1, 2, 7f000000, 400000, 0\n",
        "2024, 10, 20000, 15000, 3\n2024, 11, 20000, 15000, 2\n2024, 12, 20000, 15000, 1\n"})
    CHECK(recognised(other) == "none");
}

TEST_SUITE_END();
