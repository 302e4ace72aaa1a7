// Tests of the header: keys in any order, unknown keys kept, every defect named, and the form
// that x64dbg writes.
#include <doctest/doctest.h>

#include <algorithm>

#include "support.hpp"
#include "tracecodec/io/text/json_text.hpp"
#include "tracecodec/x64dbg/writer.hpp"

using namespace test;

namespace {
std::optional<trace_error> open(const bytes& content) {
  const folder dir;
  const auto path = dir.file("t.trace64", content);
  return error_of([&] { x64dbg::reader<x64> r(io::open_input(path)); });
}
std::optional<trace_error> open_json(std::string_view json) { return open(with_prefix(json)); }
}  // namespace

TEST_CASE("reads header keys in any order, unknown keys and trailing NUL bytes") {
  const std::string json =
      R"({"path":"C:\\t\u00e4st\\\"a\".exe","x":[1, {"y":null}],"compression":"",)"
      R"("arch":"x64","hash":"0xAB","ver":1,"z":"q"})";
  const auto parsed = x64dbg::parse_header(json + std::string(3, '\0'));
  CHECK(parsed.problems.empty());
  const auto& h = parsed.header;
  CHECK(h.path == "C:\\t\xc3\xa4st\\\"a\".exe");
  CHECK(h.hash == "0xAB");
  CHECK(!h.hash_algorithm);
  REQUIRE(h.unknown.size() == 2);
  CHECK(h.unknown[0].first == "x");
  CHECK(h.unknown[0].second == R"([1,{"y":null}])");
  CHECK(h.text.size() == json.size() + 3);
  CHECK(x64dbg::json_of(h) ==
        "{\"ver\":1,\"arch\":\"x64\",\"hash\":\"0xAB\",\"compression\":\"\","
        "\"path\":\"C:\\\\t\xc3\xa4st\\\\\\\"a\\\".exe\",\"x\":[1,{\"y\":null}],"
        "\"z\":\"q\"}");
}

TEST_CASE("writes the same header as x64dbg") {
  x64dbg::trace_header h;
  h.arch = target::x86;
  h.hash = "0x795CA51C";
  h.path = "C:\\work\\w32a.exe";
  const auto sample = content(data("work32.trace32.xz"));
  const auto ours = x64dbg::header_bytes(x64dbg::json_of(h));
  REQUIRE(ours.size() < sample.size());
  CHECK(std::equal(ours.begin(), ours.end(), sample.begin()));
  h.path = "tab\there, bell \x07";
  CHECK(x64dbg::json_of(h).find(R"("tab\u0009here, bell \u0007")") != std::string::npos);
}

TEST_CASE("refuses values that a header cannot store") {
  x64dbg::trace_header h;
  h.path = "caf\xe9.exe";  // Latin-1
  auto e = error_of([&] { x64dbg::json_of(h, "out"); });
  REQUIRE(e);
  CHECK(e->code() == trace_errc::refused);
  CHECK(e->field() == "path");
  h.path = std::string(17000, 'a');
  e = error_of([&] { x64dbg::json_of(h); });
  REQUIRE(e);
  CHECK(e->field() == "json");
}

TEST_CASE("reports each defect of a header") {
  struct example {
    std::string_view json, field;
    trace_errc code;
  };
  for (const example& x : {
           example{"{", "json", trace_errc::bad_value},
           {"", "json", trace_errc::bad_value},
           {"[1]", "json", trace_errc::bad_value},
           {"{\"ver\":1,\"arch\":\"x64\",\"compression\":\"\"} x", "json", trace_errc::bad_value},
           {"{\"ver\":1,\"arch\":\"x64\",\"compression\":\"\xff\"}", "json", trace_errc::bad_value},
           {R"({"ver":2,"arch":"x64","compression":""})", "ver", trace_errc::unsupported},
           {R"({"ver":"1","arch":"x64","compression":""})", "ver", trace_errc::unsupported},
           {R"({"arch":"x64","compression":""})", "ver", trace_errc::bad_value},
           {R"({"ver":1,"compression":""})", "arch", trace_errc::bad_value},
           {R"({"ver":1,"arch":"arm","compression":""})", "arch", trace_errc::unsupported},
           {R"({"ver":1,"arch":64,"compression":""})", "arch", trace_errc::unsupported},
           {R"({"ver":1,"arch":"x86","compression":""})", "arch", trace_errc::refused},
           {R"({"ver":1,"arch":"x64"})", "compression", trace_errc::bad_value},
           {R"({"ver":1,"arch":"x64","compression":"lz4"})", "compression",
            trace_errc::unsupported},
           {R"({"ver":1,"arch":"x64","compression":null})", "compression", trace_errc::unsupported},
           {R"({"ver":1,"arch":"x64","compression":"","hash":5})", "hash", trace_errc::bad_value},
       }) {
    CAPTURE(x.json);
    const auto e = open_json(x.json);
    REQUIRE(e);
    CHECK(e->code() == x.code);
    CHECK(e->field() == x.field);
    CHECK(e->offset() == 8);
  }
}

TEST_CASE("reports a wrong magic or length, and a header truncated at any byte") {
  const auto all = header(x64);
  CHECK(!open(all));
  for (std::size_t n = 0; n < all.size(); ++n) {
    const auto e = open(bytes(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(n)));
    REQUIRE(e);
    CHECK(e->code() == (n == 0 ? trace_errc::not_a_trace : trace_errc::truncated));
    CHECK(e->field() == (n < 4 ? "magic" : n < 8 ? "length" : "json"));
  }
  CHECK(open(from_hex("54524144"))->code() == trace_errc::not_a_trace);
  CHECK(open(from_hex("54524143 ffffff00"))->code() == trace_errc::truncated);
  const auto e = open(from_hex("54524143 01000001 7b"));
  REQUIRE(e);
  CHECK(e->code() == trace_errc::bad_value);
  CHECK(e->field() == "length");
  CHECK(e->offset() == 4);
}

TEST_CASE("replaces invalid UTF-8 in names by U+FFFD") {
  const auto utf8 = [](std::string_view s) { return io::as_utf8(s); };
  CHECK(utf8("") == "");
  CHECK(utf8("/bin/true") == "/bin/true");
  CHECK(utf8("caf\xE9") == "caf\xEF\xBF\xBD");
  CHECK(utf8("\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80") == "\xC3\xA9 \xE2\x82\xAC \xF0\x9F\x98\x80");
  CHECK(utf8("\xC3") == "\xEF\xBF\xBD");
  CHECK(utf8("\xED\xA0\x80x") == "\xEF\xBF\xBD\xEF\xBF\xBD\xEF\xBF\xBDx");  // a surrogate
  x64dbg::trace_header h;
  h.path = utf8("\xFF\"\xC0\x80");
  CHECK(x64dbg::json_of(h).find("\"path\":\"\xEF\xBF\xBD\\\"\xEF\xBF\xBD\xEF\xBF\xBD\"") !=
        std::string::npos);
}
