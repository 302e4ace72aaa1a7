// Tests program/map.hpp, its JSON and the output of nm: names of addresses, and refused input.
#include "tracecodec/program/map.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

#include "tracecodec/io/open.hpp"
#include "tracecodec/program/map_json.hpp"
#include "tracecodec/program/read_symbols.hpp"
#if defined(TRACECODEC_WITH_SIMDJSON)
#include "tracecodec/program/read_map.hpp"
#endif

namespace io = tracecodec::io;
using tracecodec::program_map;

namespace {
constexpr std::uint64_t highest = std::numeric_limits<std::uint64_t>::max();

// Returns the place of an address as text, such as "ls+16 main+4" with decimal offsets.
std::string called(const program_map& map, std::uint64_t address) {
  const tracecodec::program_place p = map.at(address);
  std::string s;
  if (p.module != nullptr)
    s = std::string(p.module->name()) + '+' + std::to_string(p.module_offset);
  s += ' ';
  if (p.symbol != nullptr) s += p.symbol->name + '+' + std::to_string(p.symbol_offset);
  return s;
}
io::input input_of(std::string_view text) {
  return io::open_bytes(std::as_bytes(std::span(text.data(), text.size())), "f",
                        {.compression = io::codec::none});
}
std::vector<tracecodec::program_symbol> symbols_of(std::string_view text,
                                                   std::uint64_t most = 1 << 20) {
  return tracecodec::read_symbols(input_of(text), most);
}
std::string failure_of_symbols(std::string_view text, std::uint64_t most = 1 << 20) {
  try {
    symbols_of(text, most);
  } catch (const tracecodec::trace_error& e) {
    return e.what();
  }
  return "none";
}
}  // namespace

TEST_CASE("describes an address by module and symbol, also at their ends") {
  const program_map map(
      {{2000, 100, "/lib/libc.so.6"},
       {1000, 100, "/bin/ls", "ab"},
       {highest - 9, 10, "C:\\a\\top.dll"}},
      {{1010, 20, "main"}, {1050, 0, "loop"}, {2010, 0, "puts"}, {500, 0, "outside"}});
  CHECK(called(map, 999) == " outside+499");
  CHECK(called(map, 1000) == "ls+0 ");
  CHECK(called(map, 1009) == "ls+9 ");
  CHECK(called(map, 1010) == "ls+10 main+0");
  CHECK(called(map, 1029) == "ls+29 main+19");
  CHECK(called(map, 1030) == "ls+30 ");
  // A symbol without a size extends to the end of its module, but not into the next one.
  CHECK(called(map, 1099) == "ls+99 loop+49");
  CHECK(called(map, 2000) == "libc.so.6+0 ");
  CHECK(called(map, 2099) == "libc.so.6+99 puts+89");
  CHECK(called(map, 2010 + program_map::longest_unsized) == " ");
  CHECK(called(map, highest) == "top.dll+9 ");
  CHECK(called(program_map(), 0) == " ");
  CHECK(map.named("ls") == map.named("/bin/ls"));
  CHECK(map.named("l") == nullptr);
}

TEST_CASE("selects one of several symbols at an address, independently of their order") {
  program_map map({}, {{10, 5, "__write"}, {10, 5, "_write"}, {10, 0, "a"}});
  CHECK(called(map, 12) == " _write+2");
  map.add({{10, 5, "write2"}, {10, 5, "write"}, {10, 5, "writf"}});
  CHECK(called(map, 12) == " write+2");
  CHECK(map.symbols().size() == 1);
}

TEST_CASE("finds a symbol by name, with its size") {
  const program_map map({{1000, 100, "a"}}, {{1010, 20, "f"}, {1020, 0, "g"}, {1050, 0, "h"}});
  CHECK(map.symbol("f")->size == 20);
  CHECK(map.symbol("g")->size == 30);
  CHECK(map.symbol("h")->size == 50);
  CHECK(!map.symbol("i"));
}

TEST_CASE("derives the path of a trace's map, whatever the trace's compression") {
  CHECK(tracecodec::maps_path("a/x.trace64.xz") == "a/x.trace64.maps.json");
  CHECK(tracecodec::maps_path("x.trace64") == "x.trace64.maps.json");
  CHECK(tracecodec::maps_path("x.gz") == "x.maps.json");
  CHECK(tracecodec::maps_path("a.b/x") == "a.b/x.maps.json");
  CHECK(tracecodec::maps_path("a/.xz") == "a/.xz.maps.json");
}

TEST_CASE("reads functions from each form of nm's output") {
  const auto all = symbols_of(
      "\nlib.a:\nmember.o:\n"
      "0000000000001139 T main\n"
      "                 U puts\n"
      "                 w __gmon_start__\r\n"
      "0000000000001150 000000000000001f t f(int, char const*)\r\n"
      "0000000000004010 D data\n"
      "0000000000004018 b start.0\n"
      "ffffffffc0100000 t init_module\t[module]\n"
      "0000000000001190 t $x.1\n"
      "0000000000001190 t $d\n"
      "0000000000001190 T $dollar\n"
      "0000000000001180 W weak");
  REQUIRE(all.size() == 5);
  CHECK(all[0].name == "main");
  CHECK(all[0].address == 0x1139);
  CHECK(all[1].name == "f(int, char const*)");
  CHECK(all[1].size == 0x1f);
  CHECK(all[2].name == "init_module");
  CHECK(all[2].address == 0xffffffffc0100000);
  CHECK(all[3].name == "$dollar");
  CHECK(all[4].name == "weak");
}

TEST_CASE("refuses text that is not nm's output") {
  CHECK(failure_of_symbols("") == "f: has no functions: expected the output of nm");
  CHECK(failure_of_symbols("0000 D data\n") == "f: has no functions: expected the output of nm");
  const std::string expected = "expected the output of nm: address, type and name";
  for (const std::string_view bad :
       {"hello world\n", "1139 T\n", "1139 T \n", "1139\n", "1139 20\n", "1139 20 T\n",
        "1139 TT f\n", "0x1139 T f\n", "11391139113911391 T f\n", "ffffffffffffffff 2 T f\n", "{\n",
        "1139 2z t f\n"})
    CHECK(failure_of_symbols("0000000000001139 T main\n" + std::string(bad)) ==
          "f: offset 24: " + expected);
  CHECK(failure_of_symbols(std::string(70000, '1')) ==
        "f: offset 0: a line has more than 65535 bytes: expected the output of nm");
  std::string many;
  for (int i = 0; i < 1000; ++i) many += "1139 T main\n";
  CHECK(failure_of_symbols(many, 4096).find("needs more memory") != std::string::npos);
}

#if defined(TRACECODEC_WITH_SIMDJSON)
namespace {
program_map map_of(std::string_view text, std::uint64_t most = 1 << 20) {
  return tracecodec::read_program_map(input_of(text), most);
}
std::string failure_of(std::string_view text, std::uint64_t most = 1 << 20) {
  try {
    map_of(text, most);
  } catch (const tracecodec::trace_error& e) {
    return e.what();
  }
  return "none";
}
}  // namespace

TEST_CASE("reads a map that it wrote, and refuses every truncation of it") {
  const program_map map(
      {{0x400000, 0x1000, "/a \"b\"\n\xE2\x80\xAE"}, {highest - 9, 10, "top", "0f"}},
      {{0x400010, 4, "main"}, {0x400020, 0, "f<\\>"}});
  std::string text;
  tracecodec::add_program_map(text, map);
  CHECK(text.find('\n') != std::string::npos);
  CHECK(text.find("\xE2\x80\xAE") == std::string::npos);
  const program_map again = map_of(text);
  REQUIRE(again.modules().size() == 2);
  CHECK(again.modules()[0].path == map.modules()[0].path);
  CHECK(again.modules()[1].build_id == "0f");
  CHECK(again.modules()[1].base == highest - 9);
  REQUIRE(again.symbols().size() == 2);
  CHECK(again.symbols()[1].name == "f<\\>");
  CHECK(called(again, 0x400013) == called(map, 0x400013));
  for (std::size_t n = 0; n + 1 < text.size(); ++n)
    CHECK(failure_of(text.substr(0, n)).find("f: ") == 0);

  program_map later = map;
  later.set_from(7);
  text.clear();
  tracecodec::add_program_map(text, later);
  const program_map late = map_of(text);
  CHECK(late.from() == 7);
  CHECK(late.at(0x400013, 6).module == nullptr);
  CHECK(late.at(0x400013, 7).module != nullptr);

  text.clear();
  tracecodec::add_program_map(text, {});
  CHECK(map_of(text).empty());
}

TEST_CASE("reads maps of other programs, with keys in any order, numbers and unknown keys") {
  const program_map map = map_of(
      R"({"symbols":[{"name":"f","address":4198400,"x":[1]}],"y":{},"modules":[{"path":"p","size":16,"base":"0x401000"}]})");
  CHECK(called(map, 0x401002) == "p+2 f+2");
}

TEST_CASE("refuses a map of another version, wherever the version is") {
  const auto version = [](const std::string& v) {
    const std::string first = failure_of(R"({"version":)" + v + R"(,"modules":[]})");
    CHECK(failure_of(R"({"modules":[],"version":)" + v + "}") == first);
    return first;
  };
  CHECK(version("1") == "none");
  const std::string reads =
      ", but this version of tracecodec reads 1: a newer version may read the map";
  CHECK(version("2") == "f: field version: is 2" + reads);
  CHECK(version("0") == "f: field version: is 0" + reads);
  CHECK(version("18446744073709551615") == "f: field version: is 18446744073709551615" + reads);
  for (const std::string bad : {"-1", "1.0", R"("1")", "null", "[1]"})
    CHECK(version(bad) == "f: field version: is not a number: expected 1");
}

TEST_CASE("ignores a byte order mark before a map and before symbols") {
  const std::string mark = "\xEF\xBB\xBF";
  CHECK(
      map_of(mark + R"({"modules":[{"path":"p","size":16,"base":"0x401000"}]})").modules().size() ==
      1);
  CHECK(symbols_of(mark + "0000000000001139 T main\n").front().name == "main");
  // A second mark, or a mark elsewhere, is an error.
  CHECK(failure_of(mark + mark + "{}").find("not JSON") != std::string::npos);
  CHECK(failure_of(R"({"modules":[]})" + mark).find("more text after its end") !=
        std::string::npos);
}

TEST_CASE("checks the numbers of a map") {
  const auto module = [](const std::string& rest) {
    return failure_of(R"({"modules":[{"path":"p",)" + rest + "}]}");
  };
  CHECK(module(R"("base":0)") == "f: field modules[0].size: is missing");
  CHECK(module(R"("base":0,"size":0)") == "f: field modules[0].size: is 0");
  CHECK(module(R"("base":"0xffffffffffffffff","size":2)") ==
        "f: field modules[0].size: extends beyond the last address");
  const std::string no_address =
      "is not an address: expected \"0x\" and hexadecimal digits, or a number";
  for (const std::string bad :
       {R"("12")", R"("0x")", R"("0xg")", "-1", "1.5", "null", "[]", R"("0x11112222333344445")"})
    CHECK(module(R"("size":1,"base":)" + bad) == "f: field modules[0].base: " + no_address);
  CHECK(failure_of(R"({"modules":[{"base":1,"size":1,"path":1}]})") ==
        "f: field modules[0].path: is not a string");
  CHECK(failure_of(
            R"({"modules":[{"base":1,"size":9,"path":"a"},{"base":9,"size":1,"path":"b"}]})") ==
        "f: field modules: b overlaps a");
  CHECK(failure_of(R"({"modules":[1]})") == "f: field modules[0]: is not an object");
  CHECK(failure_of(R"({"modules":{}})") == "f: field modules: is not a list");
  CHECK(failure_of(R"({"symbols":[{"name":"f","address":"0xffffffffffffffff","size":2}]})") ==
        "f: field symbols[0].size: extends beyond the last address");
  CHECK(failure_of(R"({"a":1})") ==
        "f: not a map of a program: it has neither modules nor symbols");
  for (const std::string bad : {"-1", "1.5", R"("3")", "null", "true", "[]", "{}", "1e3"})
    CHECK(failure_of(R"({"modules":[],"from":)" + bad + "}") ==
          "f: field from: is not an instruction number: expected 0 or more");
  std::string many = R"({"symbols":[)";
  for (int i = 0; i < 100; ++i) many += R"({"name":"f","address":1},)";
  CHECK(failure_of(many + R"({"name":"f","address":1}]})", 4096).find("needs more memory") !=
        std::string::npos);
}
#endif
