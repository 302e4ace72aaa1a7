// Tests that a JSON object read in pieces has the content that simdjson reads from the whole
// text.
#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "../files.hpp"
#include "tracecodec/io/text/json_pieces.hpp"

namespace io = tracecodec::io;
using tracecodec::trace_errc;
using tracecodec::trace_error;

namespace {

// Returns the text as `json_pieces` reads it, without spaces.
std::string again(std::string_view text) {
  io::window in(io::open_source(
      std::make_unique<io::memory_source>(std::as_bytes(std::span(text.data(), text.size()))), "t",
      {.compression = io::codec::none}));
  io::json_pieces json(in);
  std::string out = "{";
  while (json.next()) {
    if (out.size() > 1) out += ',';
    out += io::json_string(json.key()).value_or("?") + ':';
    const char kind = json.kind();
    std::string inside;
    const auto comma = [&inside] { inside += inside.empty() ? "" : ","; };
    if (kind == '[')
      json.values([&](const io::json_value& v) { comma(), inside += io::json_text_of(v); });
    else if (kind == '{')
      json.members([&](std::string_view key, const io::json_value& v) {
        comma(), inside += io::json_string(key).value_or("?") + ':' + io::json_text_of(v);
      });
    out += kind == '[' ? '[' + inside + ']' : kind == '{' ? '{' + inside + '}' : "0";
  }
  return out + '}';
}
std::optional<trace_errc> error_in(std::string_view text) {
  try {
    (void)again(text);
  } catch (const trace_error& e) {
    CHECK(e.file() == "t");
    return e.code();
  }
  return std::nullopt;
}
// Returns true if simdjson accepts the whole text.
bool is_json(const std::string& text) {
  try {
    io::json_document all(text, {});
    return true;
  } catch (const trace_error&) {
    return false;
  }
}

}  // namespace

TEST_CASE("reads members in one piece and in many") {
  CHECK(again("{}") == "{}");
  CHECK(again(" { } ") == "{}");
  CHECK(again(R"({"a":[],"b":{},"c":5,"d":"x","e":[1, [2,{"f":null}] ],"g":true})") ==
        R"({"a":[],"b":{},"c":0,"d":0,"e":[1,[2,{"f":null}]],"g":0})");
  CHECK(again(R"({"a\"b":["\\\"]},[{",2]})") == R"({"a\"b":["\\\"]},[{",2]})");
  CHECK(again("[1,2]") == "{}");
  CHECK(again("5") == "{}");
  // Several pieces of 64 KiB, and spaces that would fill several pieces.
  for (const std::string_view space : {"", " ", "\n    \t  "}) {
    std::string spaced = "{\"a\":[", plain = "{\"a\":[";
    for (int i = 0; i < 50000; ++i) {
      const std::string one = R"({"n":)" + std::to_string(i) + R"(,"s":"a, b]"})";
      plain.append(i == 0 ? "" : ",").append(one);
      spaced.append(i == 0 ? "" : ",").append(space).append(one).append(space);
    }
    CHECK(again(spaced + "]}") == plain + "]}");
    CHECK(error_in(spaced + ",]}") == trace_errc::bad_value);
    CHECK(error_in(spaced + ",,1]}") == trace_errc::bad_value);
    CHECK(error_in(spaced + "}}") == trace_errc::bad_value);
    CHECK(error_in(spaced) == trace_errc::bad_value);
  }
}

TEST_CASE("limits the length and depth of a value") {
  const std::string longest(io::largest_json_value - 2, 'x');
  for (const std::string behind : {"]}", ",1]}"}) {
    CHECK(again("{\"a\":[1,\"" + longest + '"' + behind).size() ==
          longest.size() + 8 + 4 - 2 + behind.size());
    CHECK(error_in("{\"a\":[1,\"" + longest + longest + '"' + behind) == trace_errc::unsupported);
  }
  const auto nested = [](std::size_t depth) {
    return "{\"a\":" + std::string(depth - 1, '[') + std::string(depth - 1, ']') + '}';
  };
  CHECK(!error_in(nested(io::deepest_json)));
  CHECK(error_in(nested(io::deepest_json + 1)) == trace_errc::bad_value);
  CHECK(error_in(std::string(100, '[') + std::string(100, ']')) == trace_errc::bad_value);
}

TEST_CASE("accepts and refuses the same texts as simdjson") {
  const std::string sound =
      R"({"a":[1,-2.5e3,{"b":[]}],"c":{"d":"\u00e9\\","e":[true,false,null]},"f":"g","h":7})";
  REQUIRE(is_json(sound));
  constexpr std::string_view odd = "{}[]:,\"\\ 0e-.tn\n\x01\x80";
  std::mt19937 random(3);
  std::size_t taken = 0;
  const auto compare = [&taken](const std::string& text) {
    CAPTURE(text);
    const auto e = error_in(text);
    CHECK((e != std::nullopt) == !is_json(text));
    taken += !e;
  };
  for (std::size_t n = 0; n <= sound.size(); ++n) compare(sound.substr(0, n));
  for (std::size_t n = 0; n < sound.size(); ++n)
    for (const char c : odd) {
      std::string changed = sound, longer = sound;
      changed[n] = c;
      compare(changed);
      compare(longer.insert(n, 1, c));
      compare(sound.substr(0, n) + sound.substr(n + 1));
    }
  for (int i = 0; i < 20000; ++i) {
    std::string changed = sound;
    for (int k = 0; k < 3; ++k) changed[random() % changed.size()] = odd[random() % odd.size()];
    compare(changed);
  }
  CHECK(taken > 500);
}
