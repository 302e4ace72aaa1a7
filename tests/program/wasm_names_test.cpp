// Tests program/wasm_names.hpp: function names of modules that are encoded here by the
// specification's grammar, and of damaged modules.
#include <doctest/doctest.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "bytes.hpp"
#include "opened.hpp"
#include "tracecodec/program/wasm_names.hpp"

using namespace test;
using tracecodec::trace_errc;
using tracecodec::trace_error;
using tracecodec::wasm_function;

namespace {

const std::string header("\0asm\1\0\0\0", 8);

// Returns an unsigned LEB128 number of at least `least` bytes, padded with zeros.
std::string leb(std::uint64_t n, std::size_t least = 1) {
  std::string s;
  do {
    s += static_cast<char>(n % 128 + (n / 128 != 0 || s.size() + 1 < least ? 128 : 0));
    n /= 128;
  } while (n != 0 || s.size() < least);
  return s;
}
std::string sized(const std::string& content) { return leb(content.size()) + content; }
std::string section(char id, const std::string& content) { return id + sized(content); }
std::string custom(const std::string& name, const std::string& content) {
  return section(0, sized(name) + content);
}
using names = std::vector<std::pair<std::uint64_t, std::string>>;
std::string functions(const names& all) {
  std::string s = leb(all.size());
  for (const auto& [index, name] : all) s += leb(index) + sized(name);
  return section(1, s);
}
// Returns a module with sections of types, and with the names of the module, functions and
// locals.
std::string module_of(const names& all) {
  const std::string types = section(1, std::string("\1\x60\0\0", 4));
  return header + types + custom("producers", "x") +
         custom("name", section(0, sized("a.wasm")) + functions(all) + section(2, "...")) +
         section(10, std::string(300, 'x'));
}

std::vector<wasm_function> read(const std::string& module, way how = way::mapped,
                                std::uint64_t memory = std::uint64_t{1} << 30) {
  return tracecodec::read_wasm_names(opened(std::as_bytes(std::span(module)), how, "m.wasm"),
                                     memory);
}
std::optional<trace_error> failure(const std::string& module) {
  return error_of([&] { read(module); });
}

}  // namespace

TEST_CASE("reads the names of a module's functions") {
  const std::string long_name(70'000, 'f');
  const names all{{0, "__wasm_call_ctors"}, {1, "main"}, {127, "compute"},
                  {128, "f\xC3\xBC"},       {300, ""},   {4'000'000'000, long_name}};
  std::vector<wasm_function> want;
  for (const auto& [index, name] : all) want.push_back({static_cast<std::uint32_t>(index), name});
  for (const way how : all_ways) CHECK(read(module_of(all), how) == want);
  // Numbers may have more bytes than necessary, because linkers write such numbers.
  const std::string padded =
      header + custom("name", "\1" + leb(4 + 4 + 1 + 3, 5) + leb(1, 4) + leb(7, 4) + "\3" + "abc");
  CHECK(read(padded) == std::vector<wasm_function>{{7, "abc"}});
  CHECK(tracecodec::begins_like_wasm(std::as_bytes(std::span(header))));
  CHECK_FALSE(tracecodec::begins_like_wasm({}));
}

TEST_CASE("refuses modules without function names") {
  const auto code = [](const std::string& module) {
    const auto error = failure(module);
    REQUIRE(error);
    CHECK(error->file() == "m.wasm");
    return error->code();
  };
  CHECK(code("") == trace_errc::not_a_trace);
  CHECK(code("main T 1000") == trace_errc::not_a_trace);
  CHECK(code(header) == trace_errc::not_a_trace);
  CHECK(code(header + section(1, "abc")) == trace_errc::not_a_trace);
  CHECK(code(header + custom("name", "")) == trace_errc::not_a_trace);
  CHECK(code(header + custom("name", functions({}))) == trace_errc::not_a_trace);
  CHECK(code(header + custom("names", functions({{1, "a"}}))) == trace_errc::not_a_trace);
  CHECK(code(std::string("\0asm\x0d\0\1\0", 8)) == trace_errc::not_a_trace);
  CHECK(std::string(failure(header)->what()).find("section \"name\" is missing") !=
        std::string::npos);
}

TEST_CASE("refuses damaged names") {
  struct wrong {
    std::string module;
    const char* field;
  };
  const std::string five_bytes("\xFF\xFF\xFF\xFF\x7F", 5);  // 35 bits
  const wrong all[] = {
      {header + std::string("\0", 1) + five_bytes, "section"},
      {header + section(0, leb(9) + "name"), "section name"},
      {header + custom("name", "\1" + leb(100) + leb(1)), "name subsection"},
      {header + custom("name", section(1, leb(1) + leb(0) + leb(9) + "abc")), "function name"},
      {header + custom("name", section(1, leb(1'000'000'000) + leb(0) + sized("a"))),
       "function index"},
      {header + custom("name", section(1, "\x80")), "number of names"},
      {header + custom("name", functions({{2, "a"}, {2, "b"}})), "function index"},
      {header + custom("name", functions({{2, "a"}, {1, "b"}})), "function index"},
      {header + custom("name", functions({{0xFFFFFFFF, "a"}})), "function index"},
  };
  for (const wrong& w : all) {
    const auto error = failure(w.module);
    REQUIRE(error);
    CHECK(error->code() == trace_errc::bad_value);
    CHECK(error->field() == w.field);
    REQUIRE(error->offset());
    CHECK(*error->offset() <= w.module.size());
  }
  // A wrong count uses no memory, and names use no more memory than allowed.
  const auto error = error_of([] {
    read(module_of({{1, std::string(3000, 'a')}, {2, std::string(3000, 'b')}}), way::mapped, 5000);
  });
  REQUIRE(error);
  CHECK(error->code() == trace_errc::unsupported);
}

TEST_CASE("refuses a module that is truncated at any byte") {
  const std::string whole = module_of({{0, "first"}, {1, "second"}});
  // The last section has 3 bytes before its content.
  const std::size_t behind_names = whole.size() - 300 - 3;
  for (const way how : all_ways)
    for (std::size_t n = 0; n < behind_names; ++n) {
      const auto error = error_of([&] { read(whole.substr(0, n), how); });
      REQUIRE(error);
      CHECK((error->code() == trace_errc::truncated || error->code() == trace_errc::not_a_trace ||
             error->code() == trace_errc::bad_value));
    }
  CHECK(read(whole.substr(0, behind_names)).size() == 2);
}
