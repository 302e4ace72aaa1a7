// trace.xml: both forms, encodings, missing parts and malformed input.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "tracecodec/io/text/json.hpp"
#include "tracecodec/umtracer/read_metadata.hpp"
#include "umtracer/support.hpp"

using namespace test;
using umtracer::parse_metadata;

namespace {
// Form of 2015: one root.
constexpr std::string_view rooted =
    "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n"
    "<TraceMetaData>\n"
    "  <CPU><HasXMM>true</HasXMM><HasYMM>false</HasYMM></CPU>\n"
    "  <OS><Id>12</Id><Name>Windows 7 &amp; SP1</Name></OS>\n"
    "  <Pin><Version>71313</Version><CommandLine>pin -t x.dll</CommandLine>"
    "<WorkingDirectory>C:\\w</WorkingDirectory></Pin>\n"
    "  <Xed><Version>20150121</Version></Xed>\n"
    "  <App><CommandLine><![CDATA[\"a b\" <x>]]></CommandLine><Bitness>64</Bitness>"
    "<ProcessID> 4711 </ProcessID></App>\n"
    "  <RawTrace><Size unit=\"bytes\">99</Size></RawTrace>\n"
    "</TraceMetaData>\n";
// Older form: several elements at the top level, here without an XML declaration.
constexpr std::string_view fragments =
    "<Xed><Version>56759</Version></Xed>\n<App><ProcessID>8</ProcessID></App>\n"
    "<Xed><Version>1</Version></Xed>";

// Encodes ASCII as UTF-16 with a byte order mark.
std::string utf16(std::string_view text, bool big) {
  std::string out;
  const auto add = [&](char high, char low) {
    out += big ? high : low;
    out += big ? low : high;
  };
  add('\xFE', '\xFF');
  for (const char c : text) add('\0', c);
  return out;
}
std::string nested(std::size_t depth, const std::string& inside) {
  std::string out;
  for (std::size_t i = 0; i < depth; ++i) out += "<a>";
  out += inside;
  for (std::size_t i = 0; i < depth; ++i) out += "</a>";
  return out;
}
}  // namespace

TEST_CASE("reads the version and process of each sample") {
  for (const std::string name : umtracer_samples) {
    const bytes lines = content(umtracer_sample(name) + ".expected.jsonl.xz");
    const std::string_view all(reinterpret_cast<const char*>(lines.data()), lines.size());
    const io::json_document line(all.substr(0, all.find('\n')), {});
    const auto expected = *io::as_object(line.root());
    REQUIRE(io::as_string(*io::member(expected, "t")) == "xml");
    const auto m = umtracer::read_metadata(umtracer::trace_files(umtracer_sample(name)));
    CHECK(m.xed_version == io::as_string(*io::member(expected, "xed")));
    CHECK(m.app_process_id == io::as_string(*io::member(expected, "pid")));
    CHECK(m.app_bitness == name.substr(name.size() - 2));
    CHECK(m.app_command_line == "\"C:\\a & b.exe\"");
    CHECK(m.cpu == std::vector<umtracer::cpu_flag>{{"HasXMM", "true"}});
  }
}

TEST_CASE("reads trace.xml with a root element") {
  const auto m = parse_metadata(rooted, "x");
  CHECK(m.xed_version == "20150121");
  CHECK(m.os_id == "12");
  CHECK(m.os_name == "Windows 7 & SP1");
  CHECK(m.pin_version == "71313");
  CHECK(m.pin_command_line == "pin -t x.dll");
  CHECK(m.pin_working_directory == "C:\\w");
  CHECK(m.app_command_line == "\"a b\" <x>");
  CHECK(umtracer::number_in(m.app_bitness) == 64);
  CHECK(umtracer::number_in(m.app_process_id) == 4711);
  CHECK(m.cpu == std::vector<umtracer::cpu_flag>{{"HasXMM", "true"}, {"HasYMM", "false"}});
  REQUIRE(m.elements.size() == 19);
  CHECK(m.path(0) == "TraceMetaData");
  CHECK(m.path(2) == "TraceMetaData/CPU/HasXMM");
  CHECK(m.path(17) == "TraceMetaData/RawTrace");
  CHECK(m.path(18) == "TraceMetaData/RawTrace/Size");
  CHECK(m.elements[18].text == "99");
}

TEST_CASE("uses the first of several elements at the top level") {
  const auto m = parse_metadata(fragments, "x");
  CHECK(m.xed_version == "56759");
  CHECK(umtracer::xed_date(*m.xed_version) == "20140106");
  CHECK(umtracer::xed_date("20150121") == "20150121");
  CHECK(m.app_process_id == "8");
  CHECK(m.path(2) == "App");
}

TEST_CASE("reads UTF-8, UTF-16 and ISO 8859-1") {
  const auto expected = parse_metadata(rooted, "x");
  CHECK(parse_metadata("\xEF\xBB\xBF" + std::string(rooted), "x") == expected);
  for (const bool big : {false, true}) {
    CHECK(parse_metadata(utf16(rooted, big), "x") == expected);
    CHECK(parse_metadata(utf16(rooted, big).substr(2), "x") == expected);
  }
  CHECK(parse_metadata(std::string(rooted) + std::string(3, '\0'), "x") == expected);
  CHECK(parse_metadata("<?xml version=\"1.0\" encoding=\"iso-8859-1\"?><OS><Name>\xE9</Name></OS>",
                       "x")
            .os_name == "\xC3\xA9");
}

TEST_CASE("reports missing elements as absent") {
  for (const std::string_view text :
       {"", "<a/>", "<Version>1</Version>", "<Xed>1</Xed>", "<!-- <Xed><Version/></Xed> -->"}) {
    const auto m = parse_metadata(text, "x");
    CHECK(!m.xed_version);
    CHECK(!m.app_process_id);
    CHECK(!m.os_name);
    CHECK(m.cpu.empty());
  }
  CHECK(parse_metadata("<Xed><Version/></Xed>", "x").xed_version == "");
  CHECK(!umtracer::number_in(std::nullopt));
  CHECK(!umtracer::number_in("12x"));
  CHECK(!umtracer::number_in(""));
  const umtracer::trace_files none(umtracer::trace_files::contents{}, "t");
  const auto e = error_of([&] { umtracer::read_metadata(none); });
  REQUIRE(e);
  CHECK(e->code() == trace_errc::not_a_trace);
  CHECK(e->file() == "t/trace.xml");
}

TEST_CASE("reports the offset of malformed XML") {
  struct sample {
    std::string text;
    std::size_t least, most;  // range of the offset
  };
  const std::string open = "<App><ProcessID>8</ProcessID>";
  for (const sample& s :
       {sample{open + "</Ap>", open.size(), open.size() + 5},
        sample{open, open.size() - 1, open.size()},
        sample{open + "</App><", open.size() + 6, open.size() + 7},
        sample{open + std::string(1, '\0') + "</App>", open.size(), open.size()},
        sample{utf16(open + "</Ap>", false), 2 * open.size() + 2, 2 * open.size() + 12},
        sample{utf16(open + "</Ap>", true), 2 * open.size() + 2, 2 * open.size() + 12}}) {
    const auto e = error_of([&] { parse_metadata(s.text, "f"); });
    REQUIRE(e);
    CHECK(e->code() == trace_errc::bad_value);
    CHECK(e->file() == "f");
    REQUIRE(e->offset());
    CHECK(*e->offset() >= s.least);
    CHECK(*e->offset() <= s.most);
  }
}

TEST_CASE("reads deeply nested elements, and refuses files that are too long") {
  constexpr std::size_t depth = 100'000;
  const auto m = parse_metadata(nested(depth, "<Xed><Version>7</Version></Xed>"), "x");
  CHECK(m.xed_version == "7");
  CHECK(m.elements.size() == depth + 2);
  CHECK(m.path(depth + 1).size() == 2 * depth + 11);
  CHECK(error_of([&] { parse_metadata(std::string(6 * depth / 2, '<'), "x"); }));
  CHECK(error_of([&] { parse_metadata(nested(depth, "</b>"), "x"); }));
  const auto e = error_of([&] { parse_metadata(std::string((1U << 20) + 1, ' '), "x"); });
  REQUIRE(e);
  CHECK(e->code() == trace_errc::bad_value);
  CHECK(!parse_metadata(std::string(1U << 20, ' '), "x").xed_version);
}
