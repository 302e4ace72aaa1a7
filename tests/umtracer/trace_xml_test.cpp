// trace_xml.hpp and make_context_map(): the two files without a table header.
#include <doctest/doctest.h>

#include <span>
#include <string>
#include <vector>

#include "umtracer/same_trace.hpp"
#include "umtracer/writer_support.hpp"

using namespace test;
using umtracer::file;
using umtracer::writer;

TEST_CASE("makes a context map from named registers") {
  const bytes map = small_map();
  REQUIRE(map.size() == 17424);
  CHECK(copy_of(std::span(map).first(4)) == from_hex("1000 3800"));  // dump size, element count
  CHECK(copy_of(std::span(map).subspan(16 + 2 * 54, 4)) == from_hex("0c00 0d00"));
  CHECK(copy_of(std::span(map).subspan(1040 + 16 * 54, 4)) == from_hex("72617800"));
  CHECK(copy_of(std::span(map).subspan(9232 + 8 * 54, 3)) == from_hex("ffff 00"));
  CHECK(copy_of(std::span(map).subspan(13328 + 8 * 55, 6)) == from_hex("0800 08 00 3700"));
  CHECK(copy_of(std::span(map).subspan(13328 + 8 * 511, 3)) == from_hex("ffff 00"));
  const auto field_of = [](std::vector<umtracer::context_register> r) {
    return error_of([&] { umtracer::make_context_map(16, r); }).value().field();
  };
  CHECK(field_of({{.id = 512}}) == "id");
  CHECK(field_of({{.id = 1}, {.id = 1}}) == "id");
  CHECK(field_of({{.id = 1, .name = "sixteen letters!"}}) == "name");
  CHECK(field_of({{.id = 1, .in64 = {9, 8, 1}}}) == "offset");
}

TEST_CASE("writes trace.xml") {
  CHECK(umtracer::make_trace_xml({.os_name = "Windows 7",
                                  .xed_version = "20150121",
                                  .command_line = "\"C:\\a & b.exe\" <x\t>",
                                  .bitness = 64,
                                  .process_id = 6151}) ==
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
        "<TraceMetaData>\n"
        "  <OS><Name>Windows 7</Name></OS>\n"
        "  <Xed><Version>20150121</Version></Xed>\n"
        "  <App><CommandLine>&quot;C:\\a &amp; b.exe&quot; &lt;x&#9;&gt;</CommandLine>"
        "<Bitness>64</Bitness><ProcessID>6151</ProcessID></App>\n"
        "</TraceMetaData>\n");
  const auto error = error_of([] { umtracer::make_trace_xml({.os_name = "\x01"}); });
  REQUIRE(error);
  CHECK(error->field() == "OS/Name");
  const written_trace t([](writer& out) { out.set_xml("<a/>"); });
  CHECK(file_of(t.path, file::xml) == from_hex("3c 61 2f 3e"));
  const written_trace none([](writer&) {});
  CHECK(file_of(none.path, file::xml).size() > 0);
}
