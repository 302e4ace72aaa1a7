// Tests of the row writers: when output appears, and what remains after a row or an output
// fails.
#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>

#include "support.hpp"

using namespace test;

namespace {
struct plain {
  std::uint64_t n = 0;
  std::string_view text = {};
};

TEST_CASE("without rows, JSON has no line and CSV has only the names") {
  CHECK(text_of<rows::json_form, plain>({}).empty());
  CHECK(text_of<rows::csv_form, plain>({}) == "n,text\n");
}

TEST_CASE("a file appears only when it is complete") {
  const folder dir;
  const auto check = [&](auto writer, const std::string& path, const std::string& all) {
    for (std::uint64_t i = 0; i < 3; ++i) writer.write({i, "x,y"});
    CHECK(!std::filesystem::exists(path));
    CHECK(writer.written() == 3);
    writer.finish();
    CHECK(text_in(path) == all);
  };
  check(rows::csv<plain>(dir / "a.csv"), dir / "a.csv",
        "n,text\n0,\"x,y\"\n1,\"x,y\"\n2,\"x,y\"\n");
  check(rows::json_lines<plain>(dir / "a.jsonl"), dir / "a.jsonl",
        "{\"n\":0,\"text\":\"x,y\"}\n{\"n\":1,\"text\":\"x,y\"}\n{\"n\":2,\"text\":\"x,y\"}\n");
  {
    rows::csv<plain> left(dir / "b.csv");
    left.write({});
  }
  CHECK(!std::filesystem::exists(dir / "b.csv"));
}

// Cells from OWASP's page on CSV injection. All other cells, including numbers, are not
// changed by the guard.
TEST_CASE("text that a spreadsheet would treat as a formula can be guarded") {
  const folder dir;
  const auto written = [&](rows::csv_form form) {
    rows::csv<plain> out(dir / "a.csv", form);
    for (const std::string_view s :
         {"=1+1", "+1", "-1", "@a", "\t=1", "\r=1", "\n=1", "a=1", "", " =1", "=\"a\",b"})
      out.write({1, s});
    out.finish();
    return text_in(dir / "a.csv");
  };
  CHECK(written({.guard_formulas = true}) ==
        "n,text\n1,'=1+1\n1,'+1\n1,'-1\n1,'@a\n1,'\t=1\n1,\"'\r=1\"\n1,\"'\n=1\"\n1,a=1\n1,\"\"\n"
        "1, =1\n1,\"'=\"\"a\"\",b\"\n");
  CHECK(written({}) ==
        "n,text\n1,=1+1\n1,+1\n1,-1\n1,@a\n1,\t=1\n1,\"\r=1\"\n1,\"\n=1\"\n1,a=1\n1,\"\"\n"
        "1, =1\n1,\"=\"\"a\"\",b\"\n");
}

TEST_CASE("the suffix of a file name selects compression" * doctest::skip(!with_gzip)) {
  const folder dir;
  rows::json_lines<plain> out(dir / "a.jsonl.gz");
  out.write({4, "z"});
  out.finish();
  CHECK(text_in(dir / "a.jsonl.gz") == "{\"n\":4,\"text\":\"z\"}\n");
  std::ifstream raw(dir / "a.jsonl.gz", std::ios::binary);
  CHECK(raw.get() == 0x1F);
}

// Sink that counts the pieces it receives.
class counting_sink final : public io::sink {
 public:
  counting_sink(std::size_t& pieces, std::size_t& largest) : pieces_(pieces), largest_(largest) {}
  void write(std::span<const std::byte> in) override {
    ++pieces_;
    largest_ = std::max(largest_, in.size());
  }
  void finish() override {}

 private:
  std::size_t& pieces_;
  std::size_t& largest_;
};

TEST_CASE("streams rows, including rows longer than the buffer") {
  std::size_t pieces = 0, largest = 0;
  rows::csv<plain> out(std::make_unique<counting_sink>(pieces, largest));
  for (std::uint64_t i = 0; i < 100'000; ++i) out.write({i, "text"});
  CHECK(pieces >= 15);
  CHECK(largest < 70'000);
  const std::string long_text(1'000'000, 'x');
  out.write({1, long_text});
  out.finish();
  CHECK(largest >= 1'000'000);
}

TEST_CASE("writes rows of every length around the buffer's size") {
  for (std::size_t n = 131'000; n < 131'200; ++n) {
    const std::string text(n, '"');
    const std::string csv = csv_of(plain{1, text});
    REQUIRE(csv == "n,text\n1,\"" + text + text + "\"\n");
  }
}

// Value that throws while it is written, like a record with pointers outside its file.
struct failing {
  bool fails = false;
  template <class Out> void to_json(rows::json<Out>& j) const {
    j.array().number(1U);
    if (fails) throw std::runtime_error("no such value");
    j.end_array();
  }
};
struct fragile {
  int n = 0;
  failing list = {};
};

TEST_CASE("writes nothing of a row that fails") {
  const auto check = [](auto form, const std::string& wanted) {
    bytes out;
    rows::row_writer<fragile, decltype(form)> writer(std::make_unique<vector_sink>(out));
    writer.write({1, {false}});
    CHECK_THROWS_AS(writer.write({2, {true}}), std::runtime_error);
    CHECK(writer.written() == 1);
    writer.write({3, {false}});
    writer.finish();
    CHECK(std::string(reinterpret_cast<const char*>(out.data()), out.size()) == wanted);
  };
  check(rows::json_form(), "{\"n\":1,\"list\":[1]}\n{\"n\":3,\"list\":[1]}\n");
  check(rows::csv_form(), "n,list\n1,[1]\n3,[1]\n");
}

// Sink that fails as a full disk does, after it accepted the bytes.
class full_sink final : public io::sink {
 public:
  explicit full_sink(std::size_t& taken) : taken_(taken) {}
  void write(std::span<const std::byte> in) override {
    taken_ += in.size();
    throw trace_error(trace_errc::system, {}, "no space");
  }
  void finish() override { FAIL("an output that failed was finished"); }

 private:
  std::size_t& taken_;
};

TEST_CASE("abandons an output that failed, and writes nothing twice") {
  std::size_t taken = 0;
  rows::json_lines<plain> out(std::make_unique<full_sink>(taken));
  const auto finish = [&] {
    const auto e = error_of([&] { out.finish(); });
    return e ? std::optional(e->code()) : std::nullopt;
  };
  out.write({1, "a"});
  CHECK(finish() == trace_errc::system);
  CHECK(taken == 19);  // {"n":1,"text":"a"} and the line end
  out.write({2, "b"});
  CHECK(finish() == trace_errc::refused);
  CHECK(finish() == trace_errc::refused);
  CHECK(taken == 19);
}

TEST_CASE("writers and buffers can be moved") {
  bytes written;
  rows::json_lines<plain> first(std::make_unique<vector_sink>(written));
  first.write({1, "a"});
  rows::json_lines<plain> second(std::move(first));
  second.write({2, "b"});
  second.finish();
  CHECK(std::string_view(reinterpret_cast<const char*>(written.data()), written.size()) ==
        "{\"n\":1,\"text\":\"a\"}\n{\"n\":2,\"text\":\"b\"}\n");
  rows::buffer a, b;
  a += "one";
  b += "three";
  b = std::move(a);
  a = rows::buffer();
  a += "two";
  CHECK(a.text() == "two");
  CHECK(b.text() == "one");
}

struct listing {
  std::span<const std::uint32_t> of = {};
};

TEST_CASE("rows appended to a std::string equal those of a writer") {
  const auto check = []<class Row>(auto form, const Row& row) {
    using form_type = decltype(form);
    const std::string head = text_of<form_type, Row>({}), all = text_of<form_type, Row>({row});
    std::string s = "before\n";
    form.add(s, row);
    CHECK(s == "before\n" + all.substr(head.size()));
  };
  for (const char* text : {"plain", "", "a,b", "\"", "\"a\"\n\"\""}) {
    check(rows::csv_form(), plain{7, text});
    check(rows::json_form(), plain{7, text});
  }
  // In CSV only the list of two numbers is quoted.
  const std::array<std::uint32_t, 2> numbers{5, 6};
  for (const std::size_t n : {1U, 2U}) {
    check(rows::csv_form(), listing{std::span(numbers).first(n)});
    check(rows::json_form(), listing{std::span(numbers).first(n)});
  }
}
}  // namespace
