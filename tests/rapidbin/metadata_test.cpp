// Tests of the metadata next to a trace: reading both versions, reporting each defect, writing as
// Wasmgrind does, lookups in both directions, and overlapping variables.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "../files.hpp"
#include "tracecodec/rapidbin/read_metadata.hpp"

namespace {
namespace io = tracecodec::io;
using namespace tracecodec::rapidbin;
using test::data;
using test::folder;
using tracecodec::trace_errc;
using tracecodec::trace_error;

std::string text_of(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}
std::span<const std::byte> bytes_of(std::string_view text) {
  return std::as_bytes(std::span(text.data(), text.size()));
}
metadata parse(std::string_view text) { return parse_metadata(text, "t.json"); }
template <class F> std::optional<trace_error> error_of(const F& f) {
  try {
    f();
  } catch (const trace_error& e) {
    return e;
  }
  return std::nullopt;
}
std::optional<trace_error> error_in(std::string_view text) {
  return error_of([&] { parse(text); });
}

// Checks the lookup of every record in both directions, and lookups that must fail.
template <class WasmId> void check_lookups(const id_table<WasmId>& t) {
  for (const auto& r : t) {
    const WasmId* const found = t.find(r.trace_id);
    REQUIRE(found != nullptr);
    CHECK(*found == r.wasm_id);
    CHECK(t.find_trace_id(r.wasm_id) == r.trace_id);
  }
  CHECK(t.find(t.size()) == nullptr);
  CHECK(t.find(~std::uint64_t{0}) == nullptr);
}

std::vector<overlap> all_overlaps(const metadata& m) {
  std::vector<overlap> out;
  overlaps(m, [&out](const overlap& o) { out.push_back(o); });
  return out;
}

// Written by hand from the description of the file format.
constexpr std::string_view empty_text =
    "{\n"
    "  \"thread_records\": [],\n"
    "  \"memory_records\": [],\n"
    "  \"lock_records\": [],\n"
    "  \"location_records\": [],\n"
    "  \"shared_variables\": {}\n"
    "}";
constexpr std::string_view full_text = R"({
  "thread_records": [
    {
      "wasm_id": 0,
      "trace_id": 0
    },
    {
      "wasm_id": 7,
      "trace_id": 1
    }
  ],
  "memory_records": [
    {
      "wasm_id": {
        "address": 1048576,
        "access_width": 8
      },
      "trace_id": 0
    },
    {
      "wasm_id": {
        "address": 18446744073709551615,
        "access_width": 1
      },
      "trace_id": 17179869183
    }
  ],
  "lock_records": [
    {
      "wasm_id": 4096,
      "trace_id": 0
    }
  ],
  "location_records": [
    {
      "wasm_id": {
        "fidx": 4294967295,
        "iidx": 3
      },
      "trace_id": 0
    }
  ],
  "shared_variables": {
    "0": [
      0,
      1
    ],
    "2": [],
    "10": [
      1
    ]
  }
})";
metadata full() {
  metadata m;
  m.threads.add(0, 0);
  m.threads.add(7, 1);
  m.memory.add({1048576, 8}, 0);
  m.memory.add({0xFFFFFFFFFFFFFFFF, 1}, 0x3FFFFFFFF);
  m.locks.add(4096, 0);
  m.locations.add({4294967295, 3}, 0);
  m.shared_variables = {{10, {1}}, {0, {1, 0}}, {2, {}}};
  return m;
}
}  // namespace

TEST_CASE("ignores a byte order mark before metadata") {
  const auto m = parse("\xEF\xBB\xBF{\"thread_records\":[{\"wasm_id\":5,\"trace_id\":0}]}");
  CHECK(m.threads.size() == 1);
}

TEST_CASE("reads the samples and writes the same text") {
  const auto r250 = read_metadata(data("rapidbin/r250.json"));
  CHECK(r250.threads.size() == 4);
  CHECK(r250.memory.size() == 39);
  CHECK(r250.locks.size() == 4);
  CHECK(r250.locations.size() == 156);
  CHECK(r250.shared_variables.size() == 30);
  CHECK(!r250.align);
  REQUIRE(r250.memory.find(2) != nullptr);
  CHECK(*r250.memory.find(2) == memory_location{1048832, 8});
  CHECK(r250.memory.find_trace_id({1048632, 1}) == 3);
  CHECK(!r250.memory.find_trace_id({1048632, 2}));
  CHECK(r250.shared_variables.at(4) == std::set<std::uint64_t>{0, 1, 3});
  CHECK(metadata_text(r250) == text_of(data("rapidbin/r250.json")));

  const auto r6000 = read_metadata(data("rapidbin/r6000.json"));
  CHECK(r6000.threads.size() == 12);
  CHECK(r6000.memory.size() == 40);
  CHECK(r6000.locks.size() == 4);
  CHECK(r6000.locations.size() == 200);
  CHECK(r6000.shared_variables.size() == 40);
  CHECK(metadata_text(r6000) == text_of(data("rapidbin/r6000.json")));

  for (const metadata& m : {r250, r6000}) {
    check_lookups(m.threads);
    check_lookups(m.memory);
    check_lookups(m.locks);
    check_lookups(m.locations);
    CHECK(parse(metadata_text(m)) == m);
  }
}

TEST_CASE("reads a file as a stream and from a source, and reports damage") {
  const auto path = data("rapidbin/r250.json");
  const auto text = text_of(path);
  const auto expected = parse(text);
  CHECK(read_metadata(io::open_input(path, {.map = false})) == expected);
  CHECK(read_metadata(io::open_source(std::make_unique<io::memory_source>(bytes_of(text)), "m")) ==
        expected);
  const folder dir;
  {
    const auto out = io::open_output(dir / "m.json.xz", io::codec::xz);
    out->write(bytes_of(text));
    out->finish();
  }
  CHECK(read_metadata(dir / "m.json.xz") == expected);
  const auto packed = text_of(dir / "m.json.xz");
  const auto cut = dir.file("cut.json.xz", bytes_of(packed).first(packed.size() - 20));
  auto e = error_of([&] { read_metadata(cut); });
  REQUIRE(e);
  CHECK(e->code() == trace_errc::truncated);
  CHECK(e->file() == cut);
  e = error_of([&] { read_metadata(dir.file("none.json", {})); });
  REQUIRE(e);
  CHECK(e->code() == trace_errc::bad_value);
  CHECK(e->message().starts_with("not JSON"));
  e = error_of([&] { read_metadata(dir / "missing.json"); });
  REQUIRE(e);
  CHECK(e->code() == trace_errc::system);
}

TEST_CASE("writes metadata in Wasmgrind's form") {
  CHECK(metadata_text({}) == empty_text);
  CHECK(metadata_text(full()) == full_text);
  CHECK(parse(full_text) == full());
  CHECK(parse(empty_text) == metadata{});
}

TEST_CASE("reads and writes names of ids in lists that Wasmgrind ignores") {
  const std::string text =
      R"({"thread_records":[],"memory_records":[],"lock_records":[],"location_records":[],)"
      R"("shared_variables":{},"variable_names":[{"name":"Foo.bar[3]","trace_id":4},)"
      R"({"trace_id":0,"name":"a \"b\" \u00fc\n"}],"thread_names":[{"name":"main","trace_id":1}],)"
      R"("lock_names":[],"location_names":[{"name":"/home/user/a.c:14","trace_id":32767}]})";
  const metadata m = parse(text);
  CHECK_FALSE(m.has_records());
  check_lookups(m.names.variables);
  REQUIRE(m.names.variables.find(4) != nullptr);
  CHECK(*m.names.variables.find(4) == "Foo.bar[3]");
  CHECK(*m.names.variables.find(0) == "a \"b\" \xC3\xBC\n");
  CHECK(m.names.of(id_kind::thread).find_trace_id("main") == 1);
  CHECK(m.names.locks.empty());
  CHECK(*m.names.of(id_kind::location).find(32767) == "/home/user/a.c:14");
  CHECK(parse(metadata_text(m)) == m);
  // A reader without support for names finds the usual lists, all of them empty.
  const std::string written = metadata_text(m);
  CHECK(written.starts_with("{\n  \"thread_records\": [],\n  \"memory_records\": [],\n"));
  CHECK(written.find("\"lock_names\"") == std::string::npos);
  CHECK(
      written.ends_with("      \"name\": \"/home/user/a.c:14\",\n      \"trace_id\": 32767\n    }\n"
                        "  ]\n}"));

  const auto field = [](const std::string& list) {
    const auto error = error_in(R"({"lock_records":[],"lock_names":)" + list + "}");
    REQUIRE(error);
    CHECK(error->code() == trace_errc::bad_value);
    return error->field();
  };
  CHECK(field("{}") == "lock_names");
  CHECK(field(R"([{"trace_id":1}])") == "lock_names[0].name");
  CHECK(field(R"([{"name":7,"trace_id":1}])") == "lock_names[0].name");
  CHECK(field(R"([{"name":"a"}])") == "lock_names[0].trace_id");
  CHECK(field(R"([{"name":"a","trace_id":1},{"name":"b","trace_id":1}])") ==
        "lock_names[1].trace_id");
  CHECK(field(R"([{"name":"a","trace_id":1},{"name":"a","trace_id":2}])") == "lock_names");
}

TEST_CASE("reads files from before September 2025") {
  const auto m = parse(R"({
    "thread_records": [{"wasm_id": 1, "trace_id": 0}],
    "memory_records": [{"wasm_id": {"address": 64, "align": 4}, "trace_id": 0}],
    "lock_records": [], "location_records": []})");
  CHECK(m.align);
  REQUIRE(m.memory.size() == 1);
  CHECK(m.memory[0].wasm_id == memory_location{64, 4});
  CHECK(m.shared_variables.empty());
  // Output always uses the current version.
  CHECK(metadata_text(m).find("\"access_width\": 4") != std::string::npos);
  CHECK(metadata_text(m).find("align") == std::string::npos);
}

TEST_CASE("accepts keys and records in any order, unknown keys and missing keys") {
  const auto m = parse(
      R"({"note":{"thread_records":5},"shared_variables":{"3":[2,0,2],"007":[]},)"
      R"("location_records":[{"trace_id":5,"x":null,"wasm_id":{"iidx":1,"y":[],"fidx":2}},)"
      R"({"trace_id":1,"wasm_id":{"iidx":4,"fidx":3}}],)"
      R"("memory_records":[{"trace_id":1,"wasm_id":{"align":3,"access_width":2,"address":9}}]})");
  CHECK(m.threads.empty());
  CHECK(m.locks.empty());
  CHECK(!m.align);  // `align` is an unknown key beside access_width
  CHECK(m.memory[0].wasm_id == memory_location{9, 2});
  REQUIRE(m.locations.size() == 2);
  CHECK(m.locations[0].trace_id == 1);
  CHECK(m.locations[0].wasm_id == code_location{3, 4});
  CHECK(m.locations[1].trace_id == 5);
  CHECK(m.locations[1].wasm_id == code_location{2, 1});
  CHECK(m.shared_variables ==
        std::map<std::uint64_t, std::set<std::uint64_t>>{{3, {0, 2}}, {7, {}}});
  CHECK(parse(R"({"lock_records":[]})") == metadata{});
}

TEST_CASE("reports each defect") {
  struct example {
    std::string_view json, field;
    std::string_view message = {};  // a part of the message
  };
  for (const example& x : {
           example{R"({"thread_records":{}})", "thread_records", "is not a list"},
           {R"({"thread_records":null})", "thread_records"},
           {R"({"thread_records":[5]})", "thread_records[0]", "is not an object"},
           {R"({"thread_records":[{"wasm_id":1,"trace_id":0},{"trace_id":1}]})",
            "thread_records[1].wasm_id", "is missing"},
           {R"({"thread_records":[{"wasm_id":1}]})", "thread_records[0].trace_id", "is missing"},
           {R"({"thread_records":[{"wasm_id":-1,"trace_id":0}]})", "thread_records[0].wasm_id",
            "is -1, expected a number from 0 to 18446744073709551615"},
           {R"({"thread_records":[{"wasm_id":1.0,"trace_id":0}]})", "thread_records[0].wasm_id"},
           {R"({"thread_records":[{"wasm_id":"1","trace_id":0}]})", "thread_records[0].wasm_id",
            "is \"1\""},
           {R"({"thread_records":[{"wasm_id":true,"trace_id":0}]})", "thread_records[0].wasm_id"},
           {R"({"thread_records":[{"wasm_id":1,"trace_id":17179869184}]})",
            "thread_records[0].trace_id", "to 17179869183"},
           {R"({"thread_records":[{"wasm_id":1,"trace_id":-3}]})", "thread_records[0].trace_id"},
           {R"({"lock_records":[{"wasm_id":{},"trace_id":0}]})", "lock_records[0].wasm_id"},
           {R"({"lock_records":[{"wasm_id":5,"trace_id":4},{"wasm_id":6,"trace_id":0},)"
            R"({"wasm_id":7,"trace_id":4}]})",
            "lock_records[2].trace_id", "is 4, as that of record 0"},
           {R"({"lock_records":[{"wasm_id":5,"trace_id":0},{"wasm_id":5,"trace_id":0}]})",
            "lock_records[1].trace_id", "is 0, as that of record 0"},
           {R"({"memory_records":[{"wasm_id":1,"trace_id":0}]})", "memory_records[0].wasm_id",
            "is not an object"},
           {R"({"memory_records":[{"wasm_id":{"access_width":1},"trace_id":0}]})",
            "memory_records[0].wasm_id.address", "is missing"},
           {R"({"memory_records":[{"wasm_id":{"address":1},"trace_id":0}]})",
            "memory_records[0].wasm_id.access_width", "is missing"},
           {R"({"memory_records":[{"wasm_id":{"address":1,"access_width":[]},"trace_id":0}]})",
            "memory_records[0].wasm_id.access_width", "is []"},
           {R"({"memory_records":[{"wasm_id":{"address":1,"align":-4},"trace_id":0}]})",
            "memory_records[0].wasm_id.align"},
           {R"({"memory_records":[{"wasm_id":{"address":1,"align":4}}]})",
            "memory_records[0].trace_id"},
           {R"({"location_records":[{"wasm_id":{"fidx":4294967296,"iidx":0},"trace_id":0}]})",
            "location_records[0].wasm_id.fidx", "to 4294967295"},
           {R"({"location_records":[{"wasm_id":{"fidx":0,"iidx":4294967296},"trace_id":0}]})",
            "location_records[0].wasm_id.iidx"},
           {R"({"location_records":[{"wasm_id":{"fidx":0},"trace_id":0}]})",
            "location_records[0].wasm_id.iidx", "is missing"},
           {R"({"shared_variables":[]})", "shared_variables", "is not an object"},
           {R"({"shared_variables":{"x\n":[]}})", "shared_variables", "the key \"x\\u000a\""},
           {R"({"shared_variables":{"":[]}})", "shared_variables"},
           {R"({"shared_variables":{"-1":[]}})", "shared_variables"},
           {R"({"shared_variables":{"1 ":[]}})", "shared_variables"},
           {R"({"shared_variables":{"17179869184":[]}})", "shared_variables"},
           {R"({"shared_variables":{"99999999999999999999":[]}})", "shared_variables"},
           {R"({"shared_variables":{"1":5}})", "shared_variables.1", "is not a list"},
           {R"({"shared_variables":{"1":[],"01":[]}})", "shared_variables.1", "occurs twice"},
           {R"({"shared_variables":{"1":[0,"0"]}})", "shared_variables.1[1]"},
           {R"({"thread_records":[],"shared_variables":{"1":[17179869184]}})",
            "shared_variables.1[0]"},
           {R"({"thread_records":[{"wasm_id":1,"trace_id":0}],"shared_variables":{"1":[-1]}})",
            "shared_variables.1[0]"},
       }) {
    CAPTURE(x.json);
    const auto e = error_in(x.json);
    REQUIRE(e);
    CHECK(e->code() == trace_errc::bad_value);
    CHECK(e->field() == x.field);
    CHECK(e->file() == "t.json");
    CHECK(e->message().find(x.message) != std::string::npos);
  }
}

TEST_CASE("refuses JSON that is not metadata") {
  for (const std::string_view json :
       {"{}", "[]", "5", R"({"records":[]})", R"(["lock_records"])"}) {
    CAPTURE(json);
    const auto e = error_in(json);
    REQUIRE(e);
    CHECK(e->code() == trace_errc::not_a_trace);
    CHECK(e->message() == "not RapidBin metadata");
  }
  for (const std::string_view json :
       {"", " ", "nul", "{\"lock_records\":[]} x", "{\"lock_records\":[],}", "\xff",
        R"({"lock_records":[{"wasm_id":18446744073709551616,"trace_id":0}]})"}) {
    CAPTURE(json);
    const auto e = error_in(json);
    REQUIRE(e);
    CHECK(e->code() == trace_errc::bad_value);
    CHECK(e->field().empty());
    CHECK(e->message().starts_with("not JSON: "));
  }
}

TEST_CASE("truncates a long text in an error between characters") {
  std::string key(38, 'a');
  for (int i = 0; i < 9; ++i) key += "\xe2\x82\xac";
  const auto e = error_in("{\"shared_variables\":{\"" + key + "\":[]}}");
  REQUIRE(e);
  CHECK(e->message().starts_with("the key \"" + std::string(38, 'a') + "... is not a number"));
}

TEST_CASE("refuses metadata that is truncated at any byte") {
  for (std::size_t n = 0; n < full_text.size(); ++n) {
    CAPTURE(n);
    const auto e = error_in(full_text.substr(0, n));
    REQUIRE(e);
    CHECK(e->code() == trace_errc::bad_value);
  }
  CHECK(!error_in(full_text));
}

TEST_CASE("a changed byte causes a trace_error or other metadata") {
  std::mt19937 random(7);
  std::size_t read = 0;
  for (int i = 0; i < 20000; ++i) {
    std::string text(full_text);
    text[random() % text.size()] =
        static_cast<char>(i % 2 != 0 ? random() % 256 : '0' + random() % 10);
    const auto e = error_in(text);
    if (e) CHECK(e->message().find('\n') == std::string::npos);
    read += !e;
  }
  CHECK(read > 1000);
}

TEST_CASE("ids can be added in any order and found in both directions") {
  std::mt19937_64 random(1);
  for (const std::size_t n : {0U, 1U, 2U, 3U, 7U, 64U, 300U}) {
    CAPTURE(n);
    using table = id_table<std::uint64_t>;
    std::vector<table::record> records;
    for (std::size_t i = 0; i < n; ++i) records.push_back({random() % (n + n / 2), 2 * i});
    // The reference is a linear search.
    const auto check = [&](const table& t) {
      REQUIRE(t.size() == n);
      REQUIRE(t.empty() == (n == 0));
      CHECK(std::equal(t.begin(), t.end(), records.begin(), records.end()));
      for (std::size_t i = 0; i < n; ++i) {
        REQUIRE(t.find(2 * i) != nullptr);
        CHECK(*t.find(2 * i) == records[i].wasm_id);
        CHECK(t.find(2 * i + 1) == nullptr);
      }
      for (std::uint64_t id = 0; id < n + n / 2 + 1; ++id) {
        const auto first = std::find_if(records.begin(), records.end(),
                                        [id](const auto& r) { return r.wasm_id == id; });
        CHECK(t.find_trace_id(id) ==
              (first == records.end() ? std::nullopt : std::optional(first->trace_id)));
      }
    };
    table ascending, shuffled;
    for (const auto& r : records) CHECK(ascending.add(r.wasm_id, r.trace_id));
    check(ascending);
    auto other = records;
    std::shuffle(other.begin(), other.end(), random);
    for (const auto& r : other) CHECK(shuffled.add(r.wasm_id, r.trace_id));
    check(shuffled);
    CHECK(shuffled == ascending);
    for (const auto& r : records) CHECK(!shuffled.add(r.wasm_id + 1, r.trace_id));
    check(shuffled);
    const std::size_t once = other.size();
    for (std::size_t i = 0; i < once; ++i) other.push_back({other[i].wasm_id + 1, 2 * i});
    check(table(other));
    // Ids can also be added after construction from a list.
    table both(std::vector(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(n / 2)));
    for (std::size_t i = n / 2; i < n; ++i) both.add(records[i].wasm_id, records[i].trace_id);
    check(both);
  }
}

TEST_CASE("finds overlapping variables") {
  metadata m;
  m.memory.add({104, 4}, 0);
  m.memory.add({100, 8}, 1);
  m.memory.add({108, 4}, 2);  // after both
  m.memory.add({96, 4}, 3);   // before both
  m.memory.add({102, 0}, 4);  // no bytes
  CHECK(all_overlaps(m) == std::vector<overlap>{{1, 0, 104, 4, {}}});
  m.shared_variables = {{0, {0, 1}}};
  CHECK(all_overlaps(m) == std::vector<overlap>{{1, 0, 104, 4, {}}});
  m.shared_variables = {{0, {0, 1}}, {1, {1, 2}}};
  CHECK(all_overlaps(m) == std::vector<overlap>{{1, 0, 104, 4, {1}}});
  m.memory.add({100, 1}, 5);
  m.memory.add({107, 2}, 6);
  CHECK(all_overlaps(m) == std::vector<overlap>{{1, 5, 100, 1, {}},
                                                {1, 0, 104, 4, {1}},
                                                {1, 6, 107, 1, {}},
                                                {0, 6, 107, 1, {}},
                                                {6, 2, 108, 1, {}}});
  CHECK(all_overlaps({}).empty());
  // The first pair costs 1 + 2 + 0 steps, the second 1 + 2 + 2.
  const auto steps = [&m](std::uint64_t most) {
    std::size_t pairs = 0;
    const bool all = overlaps(
        m, [&pairs](const overlap&) { ++pairs; }, most);
    return std::pair(pairs, all);
  };
  CHECK(steps(0) == std::pair(std::size_t{0}, false));
  CHECK(steps(3) == std::pair(std::size_t{1}, false));
  CHECK(steps(8) == std::pair(std::size_t{2}, false));
  CHECK(steps(1000) == std::pair(std::size_t{5}, true));
}

TEST_CASE("finds overlaps at the last address") {
  constexpr std::uint64_t last = 0xFFFFFFFFFFFFFFFF;
  metadata m;
  m.memory.add({last, 8}, 0);
  m.memory.add({last - 3, 4}, 1);
  m.memory.add({0, 4}, 2);  // no variable wraps around to address 0
  CHECK(all_overlaps(m) == std::vector<overlap>{{1, 0, last, 1, {}}});
  m.memory.add({1, last}, 3);
  CHECK(all_overlaps(m) ==
        std::vector<overlap>{
            {2, 3, 1, 3, {}}, {3, 1, last - 3, 4, {}}, {3, 0, last, 1, {}}, {1, 0, last, 1, {}}});
  m = {};
  m.memory.add({0, last}, 0);
  m.memory.add({0, last}, 1);
  m.memory.add({last, last}, 2);
  CHECK(all_overlaps(m) == std::vector<overlap>{{0, 1, 0, last, {}}});
}

TEST_CASE("overlaps of random tables equal a comparison of every pair") {
  std::mt19937_64 random(2);
  std::size_t pairs = 0, shared = 0;
  for (int round = 0; round < 300; ++round) {
    metadata m;
    const std::uint64_t base = round % 3 == 0 ? 0xFFFFFFFFFFFFFF00 : 0;
    const std::uint64_t range = 1 + random() % 256;
    const std::uint64_t widest = 1 + random() % 40;
    for (std::uint64_t i = random() % 80; i-- != 0;) {
      m.memory.add({base + random() % range, random() % widest}, 3 * i);
      if (random() % 3 == 0) continue;
      for (std::uint64_t t = random() % 4; t-- != 0;)
        m.shared_variables[3 * i].insert(random() % 6);
    }
    // Reference implementation: tests each byte, up to the largest address.
    const auto touches = [](const memory_location& l, std::uint64_t a) {
      return a >= l.address && a - l.address < l.access_width;
    };
    std::vector<overlap> expected;
    for (const auto& a : m.memory)
      for (const auto& b : m.memory) {
        if (std::tuple(a.wasm_id.address, a.trace_id) >= std::tuple(b.wasm_id.address, b.trace_id))
          continue;
        overlap o{a.trace_id, b.trace_id, 0, 0, {}};
        for (std::uint64_t i = 0; i < 256; ++i) {
          if (!touches(a.wasm_id, base + i) || !touches(b.wasm_id, base + i)) continue;
          if (o.bytes++ == 0) o.address = base + i;
        }
        // If `base` is 0, an overlap may extend beyond the 256 tested addresses, so compute
        // its size.
        if (base == 0 && o.bytes != 0)
          o.bytes = std::min(a.wasm_id.address + a.wasm_id.access_width,
                             b.wasm_id.address + b.wasm_id.access_width) -
                    o.address;
        if (o.bytes == 0) continue;
        for (std::uint64_t t = 0; t < 6; ++t)
          if (m.shared_variables.contains(a.trace_id) && m.shared_variables.contains(b.trace_id) &&
              m.shared_variables[a.trace_id].contains(t) &&
              m.shared_variables[b.trace_id].contains(t))
            o.threads.push_back(t);
        expected.push_back(o);
      }
    auto found = all_overlaps(m);
    CHECK(std::is_sorted(found.begin(), found.end(),
                         [](const overlap& x, const overlap& y) { return x.address < y.address; }));
    const auto by_ids = [](const overlap& x, const overlap& y) {
      return std::tuple(x.first, x.second) < std::tuple(y.first, y.second);
    };
    std::sort(found.begin(), found.end(), by_ids);
    std::sort(expected.begin(), expected.end(), by_ids);
    CHECK(found == expected);
    pairs += found.size();
    for (const overlap& o : found) shared += !o.threads.empty();
  }
  CHECK(pairs > 10000);
  CHECK(shared > 1000);
}

TEST_CASE("derives the path of a trace's metadata") {
  CHECK(metadata_path("x.data") == "x.json");
  CHECK(metadata_path("dir.d/trace.data") == "dir.d/trace.json");
  for (const std::string end :
       {".xz", ".gz", ".zst", ".bz2", ".lz4", ".sz", ".zip", ".gzip", ".zstd", ".XZ"}) {
    CHECK(metadata_path("a/x.data" + end) == "a/x.json");
    CHECK(metadata_path("x" + end) == "x.json");
  }
  CHECK(metadata_path("x") == "x.json");
  CHECK(metadata_path("dir.d/x") == "dir.d/x.json");
  CHECK(metadata_path("dir.xz/x") == "dir.xz/x.json");
  CHECK(metadata_path("x.y.bin") == "x.y.json");
  CHECK(metadata_path("x.") == "x.json");
  CHECK(metadata_path("a/.hidden") == "a/.hidden.json");
  CHECK(metadata_path(".xz") == ".xz.json");
  CHECK(metadata_path("a/.xz") == "a/.xz.json");
}
