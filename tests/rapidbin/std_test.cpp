// std_text.hpp, std_reader.hpp, std_writer.hpp: both dialects, names, and what is refused.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>

#include "rapidbin/support.hpp"
#include "tracecodec/rapidbin/reader/std_reader.hpp"
#include "tracecodec/rapidbin/recognise.hpp"
#include "tracecodec/rapidbin/std_writer.hpp"

using namespace test;
namespace fs = std::filesystem;
using rapidbin::dialect;
using rapidbin::std_reader;

namespace {

bytes copied(std::string_view text) {
  const auto* p = reinterpret_cast<const std::byte*>(text.data());
  return {p, p + text.size()};
}
std::string text_of(const events& all, dialect d = dialect::wasmgrind,
                    std::uint64_t* left_out = nullptr) {
  bytes got;
  rapidbin::std_writer out(std::make_unique<vector_sink>(got), "memory", d);
  for (const event& e : all) out.write(e);
  out.finish();
  if (left_out != nullptr) *left_out = out.left_out();
  return {reinterpret_cast<const char*>(got.data()), got.size()};
}
events parsed(std::string_view text, rapidbin::std_options options = {},
              std::optional<trace_error>* error = nullptr) {
  const bytes raw = copied(text);
  std_reader in(input_of(raw), options);
  return all_of(in, error);
}

}  // namespace

TEST_CASE("the samples in both dialects, there and back") {
  for (const std::string name : {"r250", "r6000"}) {
    rapidbin::reader in(data("rapidbin/" + name + ".data"));
    const events all = all_of(in);
    const std::string wasmgrind = text_in(data("rapidbin/" + name + ".std"));
    CHECK(text_of(all) == wasmgrind);
    std::uint64_t left_out = 0;
    CHECK(text_of(all, dialect::rapid, &left_out) ==
          text_in(data("rapidbin/" + name + ".rapid.std")));
    CHECK(left_out == (name == "r250" ? 29 : 542));
    std_reader back(data("rapidbin/" + name + ".std"));
    CHECK(all_of(back) == all);
    CHECK(back.count() == all.size());
  }
}

TEST_CASE("every operation as text") {
  const std::string text =
      "T0|fork(T1)|0\nT1|begin|1\nT1|req(L0)|2\nT1|acq(L0)|2\nT1|w(V0)|3\nT1|branch|4\n"
      "T1|rel(L0)|5\nT1|end|6\nT0|join(T1)|7\nT0|r(V0)|8\n";
  CHECK(text_of(every_operation()) == text);
  CHECK(parsed(text) == every_operation());
  CHECK(text_of(every_operation(), dialect::rapid) ==
        "T0|fork(T1)|0\nT1|begin|1\nT1|acq(L0)|2\nT1|w(V0)|3\nT1|rel(L0)|5\nT1|end|6\n"
        "T0|join(T1)|7\nT0|r(V0)|8\n");
  const events largest{make(1023, op::read, rapidbin::largest_decor, 32767)};
  CHECK(text_of(largest) == "T1023|r(V17179869183)|32767\n");
  CHECK(parsed("T1023|r(V17179869183)|32767") == largest);  // without a line end
  CHECK(parsed("\r\n\nT0|r(V0)|8\r\n\n") == events{make(0, op::read, 0, 8)});
  CHECK(parsed("").empty());
}

TEST_CASE("a byte order mark before the text, which is recognised, and read again") {
  const std::string text = "\xEF\xBB\xBFT0|w(V1)|0\nT0|r(V1)|1\n";
  CHECK(rapidbin::begins_like_std(copied(text)));
  const bytes raw = copied(text);
  std_reader in(io::open_bytes(raw, "t"));
  const events all = all_of(in);
  REQUIRE(all.size() == 2);
  CHECK(all[0].operation == rapidbin::operation::write);
  in.rewind();
  CHECK(all_of(in) == all);
  CHECK(parsed("T0|w(V1)|0\nT0|r(V1)|1\n") == all);
}

TEST_CASE("names that are no numbers are numbered by first appearance") {
  CHECK(parsed("main|w(x)|1\nworker|acq(lock a)|2\nmain|w(y)|3\nmain|r(x)|4\n"
               "worker|acq(lock b)|5\nmain|fork(other)|6\n") ==
        events{make(0, op::write, 0, 1), make(1, op::acquire, 0, 2), make(0, op::write, 1, 3),
               make(0, op::read, 0, 4), make(1, op::acquire, 1, 5), make(0, op::fork, 2, 6)});
  // Names may hold parentheses; numbers keep theirs, and names take what is free.
  CHECK(parsed("T0|w(f(x)[3])|1\nT0|w(V0)|1", {.renumber = true}) ==
        events{make(0, op::write, 0, 0), make(0, op::write, 1, 0)});
  CHECK(parsed("T0|w(V0)|1\nT0|w(V2)|1\nT0|w(x)|1\nT0|w(y)|1\nT0|w(x)|1\nT0|w(V4)|1", {}, nullptr)
            .size() == 6);
  const events mixed = parsed("T0|w(V0)|1\nT0|w(V2)|1\nT0|w(x)|1\nT0|w(y)|1");
  CHECK(mixed[2].decor == 1);
  CHECK(mixed[3].decor == 3);
  // 5 and V5 in one trace are two names.
  const events forms = parsed("0|w(5)|1\n0|w(V5)|1\n0|r(5)|1");
  CHECK(forms[0].decor == 5);
  CHECK(forms[1].decor != 5);
  CHECK(forms[2].decor == 5);
  // No number: leading zeros and signs.
  CHECK(parsed("T0|w(V007)|1")[0].decor == 0);
  CHECK(parsed("T0|w(V+7)|1")[0].decor == 0);
}

TEST_CASE("a number that a name was given before is an error, unless all are renumbered") {
  const char* text = "T0|w(x)|1\nT0|w(V0)|1\nT0|w(V7)|1\n";
  std::optional<trace_error> error;
  CHECK(parsed(text, {}, &error).size() == 1);
  REQUIRE(error);
  CHECK(error->field() == "decor");
  CHECK(parsed(text, {.renumber = true}) ==
        events{make(0, op::write, 0, 0), make(0, op::write, 1, 0), make(0, op::write, 2, 0)});
}

TEST_CASE("a bad line is named, and the next call goes on behind it") {
  struct wrong {
    const char* line;
    const char* field;
    trace_errc code;
  };
  const std::string long_line(70'000, 'x');
  const wrong all[] = {
      {"nothing", "operation", trace_errc::bad_value},
      {"T0|w(V0)", "operation", trace_errc::bad_value},
      {"|w(V0)|1", "thread", trace_errc::bad_value},
      {"T0|write(V0)|1", "operation", trace_errc::bad_value},
      {"T0||1", "operation", trace_errc::bad_value},
      {"T0|w|1", "decor", trace_errc::bad_value},
      {"T0|w()|1", "decor", trace_errc::bad_value},
      {"T0|w(V0|1", "decor", trace_errc::bad_value},
      {"T0|w(|1", "decor", trace_errc::bad_value},
      {"T0|begin(V0)|1", "decor", trace_errc::bad_value},
      {"T0|w(V0)|", "location", trace_errc::bad_value},
      {"T0|w(V0)|x", "location", trace_errc::bad_value},
      {"T0|w(V0)|-1", "location", trace_errc::bad_value},
      {"T0|w(V0)|32768", "location", trace_errc::refused},
      {"T0|w(V17179869184)|1", "decor", trace_errc::refused},
      {"T0|w(V99999999999999999999999)|1", "decor", trace_errc::refused},
      {"T1024|w(V0)|1", "thread", trace_errc::refused},
      {"T0|fork(T1024)|1", "decor", trace_errc::refused},
      {long_line.c_str(), "", trace_errc::bad_value},
  };
  for (const wrong& w : all) {
    const bytes raw = copied("T0|w(V0)|1\nT0|r(V0)|2\n" + std::string(w.line) + "\nT1|r(V0)|3\n");
    std_reader in(input_of(raw));
    std::optional<trace_error> error;
    CHECK(all_of(in, &error).size() == 2);
    REQUIRE(error);
    CHECK(error->code() == w.code);
    CHECK(error->field() == w.field);
    CHECK(error->offset() == 22);
    CHECK(error->record() == 2);
    CHECK(all_of(in) == events{make(1, op::read, 0, 3)});
  }
}

TEST_CASE("a text cut anywhere gives what is whole") {
  const std::string text = text_of(every_operation());
  for (std::size_t n = 0; n < text.size(); ++n) {
    std::optional<trace_error> error;
    const events got = parsed(text.substr(0, n), {}, &error);
    const auto lines = static_cast<std::size_t>(
        std::count(text.begin(), text.begin() + static_cast<long>(n), '\n'));
    CHECK(got.size() >= lines);
    CHECK(got.size() <= lines + 1);
    if (error) CHECK(error->record() == lines);
  }
}

TEST_CASE("a line of 64 KiB is the longest") {
  const std::string begin = "T0|w(", end = ")|1";
  const std::string line = begin + std::string(65536 - begin.size() - end.size(), 'x') + end;
  REQUIRE(line.size() == 65536);
  CHECK(parsed(line).size() == 1);
  CHECK(parsed(line + "\n" + line + "\n").size() == 2);
  std::optional<trace_error> error;
  CHECK(parsed("x" + line, {}, &error).empty());
  REQUIRE(error);
  CHECK(std::string(error->what()).find("64 KiB") != std::string::npos);
}

TEST_CASE("what is left of a line where compressed data is cut is no event" *
          doctest::skip(!with_gzip)) {
  events many;
  for (unsigned i = 0; i < 3000; ++i)
    many.push_back(make(i * 7 % 1000, op::write, i * 2654435761U % 1'000'000, i % 30'000));
  const folder dir;
  rapidbin::std_writer out(dir / "t.std.gz");
  for (const event& e : many) out.write(e);
  out.finish();
  const auto size = fs::file_size(dir / "t.std.gz");
  for (std::uintmax_t n = size - 1; n > 100; n -= 101) {
    fs::resize_file(dir / "t.std.gz", n);
    std_reader in(dir / "t.std.gz");
    std::optional<trace_error> error;
    const events got = all_of(in, &error);
    REQUIRE(error);
    REQUIRE(got.size() <= many.size());
    // A prefix of the events, and none made of half a line.
    CHECK(std::equal(got.begin(), got.end(), many.begin()));
  }
}

TEST_CASE("what no line holds is refused") {
  event e = make(0, op::read, 0, 0);
  const auto field = [](const event& bad) {
    const auto error = error_of([&] { text_of({make(0, op::read, 0, 0), bad}); });
    REQUIRE(error);
    CHECK(error->code() == trace_errc::refused);
    CHECK(error->record() == 1);
    return error->field();
  };
  e.sign = true;
  CHECK(field(e) == "sign");
  CHECK(field(make(0, static_cast<op>(10), 0, 0)) == "operation");
  CHECK(field(make(0, op::begin, 1, 0)) == "decor");
}

TEST_CASE("skip, rewind and large texts") {
  events many;
  for (unsigned i = 0; i < 100'000; ++i) many.push_back(make(i % 9, op::write, i % 7919, i % 1234));
  const folder dir;
  const std::string path = dir / (with_gzip ? "t.std.gz" : "t.std");
  rapidbin::std_writer out(path);
  for (const event& e : many) out.write(e);
  out.finish();
  std_reader in(path);
  CHECK(in.count() == many.size());
  CHECK(in.skip(99'990) == 99'990);
  CHECK(in.position() == 99'990);
  CHECK(all_of(in) == events(many.end() - 10, many.end()));
  CHECK(in.skip(1) == 0);
  in.rewind();
  CHECK(all_of(in) == many);
}
