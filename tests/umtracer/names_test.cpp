// Names of numbers: tables created by the caller, and parsed headers.
#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "bytes.hpp"
#include "tracecodec/umtracer/layout/enumeration.hpp"

using namespace test;
namespace umtracer = tracecodec::umtracer;
using umtracer::name_table;
using umtracer::parse_enumeration;
using letters = umtracer::name_table::letters;
using entries = std::vector<name_table::entry>;

namespace {
constexpr std::string_view header_text =
    "#if !defined(ICLASS_H)\n"
    "# define ICLASS_H\n"
    "#define XED_ICLASS_ADD_DEFINED \\\n  { 1 }\n"
    "struct not_this { int XED_ICLASS_NO; };\n"
    "/// @enum { XED_ICLASS_NO }\n"
    "enum empty_t f(void);\n"
    "typedef enum {\n"
    "  XED_ICLASS_INVALID,\n"
    "  XED_ICLASS_ADD=5, // , XED_ICLASS_NO\n"
    "  XED_ICLASS_CALL_NEAR /* = 9, */,\n"
    "  XED_ICLASS_JZ = 0x1F ,\r\n"
    "  XED_ICLASS_RET_NEAR=0X20u,\n"
    "  XED_ICLASS_SUM=XED_ICLASS_ADD, //< PSEUDO\n"
    "  OTHER_NAME,\n"
    "  XED_ICLASS_OCTAL = 010,\n"
    "  XED_ICLASS_LAST\n"
    "} iclass_t;\n"
    "enum more : unsigned { XED_ICLASS_NOP = 4294967295U };\n"
    "#endif\n";
}  // namespace

TEST_CASE("ignores a byte order mark before a header") {
  const std::string text = "\xEF\xBB\xBF" + std::string(header_text);
  CHECK(parse_enumeration(text, umtracer::mnemonic_prefix).entries() ==
        parse_enumeration(header_text, umtracer::mnemonic_prefix).entries());
  CHECK(parse_enumeration("\xEF\xBB\xBF"
                          "enum { XED_ICLASS_A = 7 };",
                          umtracer::mnemonic_prefix)
            .name(7) == "A");
}

TEST_CASE("reads the enumerations of a header") {
  const name_table t = parse_enumeration(header_text, umtracer::mnemonic_prefix);
  CHECK(t.entries() == entries{{0, "INVALID"},
                               {5, "ADD"},
                               {6, "CALL_NEAR"},
                               {31, "JZ"},
                               {32, "RET_NEAR"},
                               {5, "SUM"},
                               {8, "OCTAL"},
                               {4294967295, "NOP"}});
  CHECK(t.name(5) == "ADD");
  CHECK(t.name(6) == "CALL_NEAR");
  CHECK(t.name(4294967295) == "NOP");
  CHECK(t.name(7).empty());
  CHECK(t.text(31) == "JZ");
  CHECK(t.text(7) == "7");
  CHECK(t.number("SUM") == 5);
  CHECK(t.number("JZ") == 31);
  CHECK(!t.number("jz"));
  CHECK(!t.number("J"));
  CHECK(!t.number("JZZ"));
  CHECK(!t.number("LAST"));
  CHECK(t.number("jz", letters::any_case) == 31);
  CHECK(t.number("Ret_Near", letters::any_case) == 32);
}

TEST_CASE("each kind of name has a prefix") {
  CHECK(parse_enumeration("enum { XED_CATEGORY_CALL = 3 };", umtracer::category_prefix).name(3) ==
        "CALL");
  CHECK(parse_enumeration("enum { XED_IFORM_ADD_AL_IMMb = 7 };", umtracer::form_prefix).name(7) ==
        "ADD_AL_IMMb");
  CHECK(parse_enumeration("enum { SYSCALL_NtClose_0500_1 = 11 };", umtracer::syscall_prefix)
            .name(11) == "NtClose_0500_1");
}

TEST_CASE("reads a list without the enum keyword") {
  const name_table t =
      parse_enumeration("XED_ICLASS_A,\nXED_ICLASS_B=4,\nXED_ICLASS_C", "XED_ICLASS_");
  CHECK(t.entries() == entries{{0, "A"}, {4, "B"}, {5, "C"}});
}

TEST_CASE("looks up names and numbers in a caller's table") {
  const name_table t(entries{{9, "b"}, {2, "B"}, {9, "c"}, {1, "b"}});
  CHECK(t.name(9) == "b");
  CHECK(t.number("b") == 9);
  CHECK(t.number("B") == 2);
  CHECK(t.number("c") == 9);
  CHECK(t.number("B", letters::any_case) == 9);
  const umtracer::names none;
  CHECK(none.mnemonics.empty());
  CHECK(none.mnemonics.text(637) == "637");
  CHECK(!none.syscalls.number("x"));
}

TEST_CASE("reports the line that is not an enumerator") {
  struct sample {
    std::string text;
    std::size_t line;  // offset of the line
  };
  const std::string front = "enum {\n XED_ICLASS_A,\n";  // 22 bytes
  for (const sample& s :
       {sample{front + " XED_ICLASS_B = x };", 22}, sample{front + " XED_ICLASS_B = -1 };", 22},
        sample{front + " XED_ICLASS_B = 0x };", 22}, sample{front + " XED_ICLASS_B = 09 };", 22},
        sample{front + " XED_ICLASS_B = 4294967296 };", 22},
        sample{front + " XED_ICLASS_B = 4294967295,\n XED_ICLASS_C };", 50},
        sample{front + " XED_ICLASS_B = 99999999999999999999 };", 22},
        sample{front + " XED_ICLASS_B =", 22}, sample{front + " XED_ICLASS_B", 22},
        sample{front, 22}, sample{front + " XED_ICLASS_B XED_ICLASS_C };", 22},
        sample{front + " 5 };", 22}, sample{front + " XED_ICLASS_A };", 22},
        sample{front + " /* \n", 22}, sample{"enum { A, B };", 0}, sample{"", 0},
        sample{"int main(void) { return 0; }", 0}}) {
    const auto e = error_of([&] { parse_enumeration(s.text, "XED_ICLASS_", "h"); });
    REQUIRE_MESSAGE(e, s.text);
    CHECK(e->code() == trace_errc::bad_value);
    CHECK(e->file() == "h");
    CHECK_MESSAGE(e->offset() == s.line, std::string(e->what()));
  }
}

TEST_CASE("reads an enumeration from a file") {
  const folder dir;
  const auto all = std::as_bytes(std::span(header_text.data(), header_text.size()));
  const name_table t = umtracer::read_enumeration(dir.file("h", all), "XED_ICLASS_");
  CHECK(t.number("JZ") == 31);
  CHECK(error_of([&] { umtracer::read_enumeration(dir / "none", "XED_"); })->code() ==
        trace_errc::system);
  const bytes long_one((std::size_t{16} << 20) + 1, std::byte{' '});
  CHECK(error_of([&] { umtracer::read_enumeration(dir.file("l", long_one), "XED_"); })->code() ==
        trace_errc::unsupported);
}

TEST_CASE("recognises the kind of names by the enumerators' prefixes") {
  const folder dir;
  const auto file_of = [&](std::string_view text) {
    return dir.file("h", std::as_bytes(std::span(text.data(), text.size())));
  };
  umtracer::names all;
  read_names(file_of("// SYSCALL_ numbers are elsewhere\n"
                     "enum { XED_ICLASS_MOV = 637, XED_ICLASS_SYSCALL_AMD };"),
             all);
  CHECK(all.mnemonics.name(638) == "SYSCALL_AMD");
  CHECK(all.syscalls.name(637).empty());
  read_names(file_of("enum { SYSCALL_NtClose = 5 };"), all);
  CHECK(all.syscalls.name(5) == "NtClose");
  CHECK(all.mnemonics.name(637) == "MOV");
  const auto e = error_of([&] { read_names(file_of("enum { NONE };"), all); });
  CHECK(e.value().code() == trace_errc::bad_value);
}
