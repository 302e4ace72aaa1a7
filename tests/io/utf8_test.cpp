// Tests UTF-8: characters that a screen shows as themselves, and escapes for the others.
#include "tracecodec/io/text/utf8.hpp"

#include <doctest/doctest.h>

#include <string>
#include <string_view>

#include "tracecodec/io/text/json_text.hpp"

namespace io = tracecodec::io;

static std::string shown(std::string_view s) {
  std::string out;
  io::add_shown(out, s);
  return out;
}
static std::string as_json(std::string_view s) {
  std::string out;
  io::add_json_string(out, s);
  return out;
}

// Covers the explicit directional controls of UAX #9, the separators, and characters of zero
// width.
TEST_CASE("writes control characters as numbers") {
  CHECK(shown("\x1b]0;title\x07") == "\\x1b]0;title\\x07");
  CHECK(shown("a\nb\tc\rd\x7f") == "a\\x0ab\\x09c\\x0dd\\x7f");
  CHECK(shown(std::string_view("a\0b", 3)) == "a\\x00b");
  CHECK(shown("\xc2\x80 \xc2\x9b \xc2\x9f") == "\\u0080 \\u009b \\u009f");  // C1 control characters
  CHECK(shown("\xe2\x80\x8e\xe2\x80\x8f\xd8\x9c") == "\\u200e\\u200f\\u061c");
  CHECK(shown("\xe2\x80\xaa\xe2\x80\xae") == "\\u202a\\u202e");
  CHECK(shown("\xe2\x81\xa6\xe2\x81\xa9") == "\\u2066\\u2069");
  CHECK(shown("\xe2\x80\xa8\xe2\x80\xa9") == "\\u2028\\u2029");
  CHECK(shown("\xe2\x80\x8b\xe2\x80\x8d\xe2\x81\xa0\xef\xbb\xbf\xc2\xad") ==
        "\\u200b\\u200d\\u2060\\ufeff\\u00ad");
  CHECK(shown("\xf3\xa0\x80\x81\xf3\xa0\x81\xbf") == "\\U000e0001\\U000e007f");  // tag characters
}

TEST_CASE("writes all other characters unchanged") {
  const std::string_view names =
      "plain C:\\x\\y 'q' \"d\" ~ \xc3\xa4 \xc2\xa0 \xe6\x97\xa5\xe6\x9c\xac "
      "\xd7\x90 \xf0\x9f\x98\x80 \xe2\x80\x94 \xe2\x80\xaf \xef\xbf\xbd";
  CHECK(shown(names) == names);
  CHECK(shown("").empty());
}

TEST_CASE("writes invalid UTF-8 byte by byte") {
  CHECK(shown("\xff\xfe") == "\\xff\\xfe");
  CHECK(shown("\x9b[2J") == "\\x9b[2J");              // C1 control character as a single byte
  CHECK(shown("a\xc3") == "a\\xc3");                  // truncated
  CHECK(shown("\xc0\x9b") == "\\xc0\\x9b");           // overlong
  CHECK(shown("\xed\xa0\x80") == "\\xed\\xa0\\x80");  // a surrogate
  CHECK(shown("\xe2\x80") == "\\xe2\\x80");
}

// Python's json.loads() returns the original text, because escapes change only the form.
TEST_CASE("escapes control characters in JSON, too") {
  CHECK(as_json("\x1b[0m") == "\"\\u001b[0m\"");
  CHECK(as_json("\x7f") == "\"\\u007f\"");
  CHECK(as_json("\xc2\x9b") == "\"\\u009b\"");
  CHECK(as_json("a\xe2\x80\xae") == "\"a\\u202e\"");
  CHECK(as_json("\xf3\xa0\x80\x81") == "\"\\udb40\\udc01\"");
  CHECK(as_json("\xc3\xa4 \xf0\x9f\x98\x80 \"\\") == "\"\xc3\xa4 \xf0\x9f\x98\x80 \\\"\\\\\"");
  CHECK(as_json("\xff") == "\"\xef\xbf\xbd\"");
}

TEST_CASE("returns a character's number and size") {
  const auto is = [](std::string_view s, char32_t number, std::size_t size) {
    const io::character c = io::front_character(s);
    return c.number == number && c.size == size;
  };
  CHECK(is("a", 'a', 1));
  CHECK(is("\xc3\xa4.", 0xE4, 2));
  CHECK(is("\xe6\x97\xa5.", 0x65E5, 3));
  CHECK(is("\xf0\x9f\x98\x80", 0x1F600, 4));
  CHECK(is("\xf4\x8f\xbf\xbf", 0x10FFFF, 4));
  for (const std::string_view none :
       {"\x80", "\xc1\x80", "\xe0\x9f\xbf", "\xf0\x8f\xbf\xbf", "\xf4\x90\x80\x80",
        "\xf5\x80\x80\x80", "\xe2\x80", "\xe2\x41\x80"})
    CHECK(io::front_character(none).size == 0);
}

TEST_CASE("converts to UTF-16 and back") {
  CHECK(io::utf16_of("a\xc3\xa4\xe6\x97\xa5\xf0\x9f\x98\x80") == u"a\u00e4\u65e5\U0001f600");
  CHECK(io::utf16_of("") == u"");
  CHECK(!io::utf16_of("a\xff"));
  CHECK(!io::utf16_of("\xed\xa0\x80"));
  CHECK(io::utf8_of(u"a\u00e4\u65e5\U0001f600") == "a\xc3\xa4\xe6\x97\xa5\xf0\x9f\x98\x80");
  // An unpaired surrogate does not affect its neighbours.
  const char16_t alone[] = {0xD83D, u'a', 0xDE00, 0xD83D, 0xD83D, 0xDE00, 0xD83D};
  CHECK(io::utf8_of({alone, 7}) ==
        "\xef\xbf\xbd"
        "a"
        "\xef\xbf\xbd\xef\xbf\xbd\xf0\x9f\x98\x80\xef\xbf\xbd");
}
