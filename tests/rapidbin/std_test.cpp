// Tests of std_text.hpp, std_reader.hpp and std_writer.hpp: both dialects, names, and refused
// input.
#include <doctest/doctest.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "rapidbin/support.hpp"
#include "tracecodec/rapidbin/open.hpp"
#include "tracecodec/rapidbin/reader/std_reader.hpp"
#include "tracecodec/rapidbin/recognise.hpp"
#include "tracecodec/rapidbin/std_writer.hpp"

using namespace test;
namespace fs = std::filesystem;
using rapidbin::dialect;
using rapidbin::std_reader;
using kind = rapidbin::id_kind;

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

TEST_CASE("the samples round-trip in both dialects") {
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

TEST_CASE("reads and writes every operation as text") {
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

TEST_CASE("ignores a byte order mark before text, also after rewind") {
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

TEST_CASE("numbers names by first appearance") {
  CHECK(parsed("main|w(x)|1\nworker|acq(lock a)|2\nmain|w(y)|3\nmain|r(x)|4\n"
               "worker|acq(lock b)|5\nmain|fork(other)|6\n") ==
        events{make(0, op::write, 0, 1), make(1, op::acquire, 0, 2), make(0, op::write, 1, 3),
               make(0, op::read, 0, 4), make(1, op::acquire, 1, 5), make(0, op::fork, 2, 6)});
  // Names may contain parentheses. Numbers keep their ids, and names get unused ones.
  CHECK(parsed("T0|w(f(x)[3])|1\nT0|w(V0)|1", {.renumber = true}) ==
        events{make(0, op::write, 0, 0), make(0, op::write, 1, 0)});
  CHECK(parsed("T0|w(V0)|1\nT0|w(V2)|1\nT0|w(x)|1\nT0|w(y)|1\nT0|w(x)|1\nT0|w(V4)|1", {}, nullptr)
            .size() == 6);
  const events mixed = parsed("T0|w(V0)|1\nT0|w(V2)|1\nT0|w(x)|1\nT0|w(y)|1");
  CHECK(mixed[2].decor == 1);
  CHECK(mixed[3].decor == 3);
  // 5 and V5 are the same variable.
  CHECK(parsed("0|w(5)|1\nT0|w(V5)|1\n0|r(5)|1") ==
        events{make(0, op::write, 5, 1), make(0, op::write, 5, 1), make(0, op::read, 5, 1)});
  // Leading zeros and signs make a name, not a number.
  CHECK(parsed("T0|w(V007)|1")[0].decor == 0);
  CHECK(parsed("T0|w(V+7)|1")[0].decor == 0);
}

TEST_CASE("a number whose id belongs to a name gets another id and keeps its name") {
  const std::string text = "T0|w(x)|1\nT0|w(V0)|1\nT0|w(V7)|1\nT0|r(0)|1\n";
  const bytes raw = copied(text);
  std_reader in(input_of(raw));
  CHECK(all_of(in) == events{make(0, op::write, 0, 1), make(0, op::write, 1, 1),
                             make(0, op::write, 7, 1), make(0, op::read, 1, 1)});
  REQUIRE(in.name_of(kind::variable, 0) != nullptr);
  CHECK(*in.name_of(kind::variable, 0) == "x");
  REQUIRE(in.name_of(kind::variable, 1) != nullptr);
  CHECK(*in.name_of(kind::variable, 1) == "V0");
  CHECK(in.name_of(kind::variable, 7) == nullptr);
  CHECK(in.id_of(kind::variable, "V0") == 1);
  CHECK(in.id_of(kind::variable, "0") == 1);
  CHECK(in.id_of(kind::variable, "V7") == 7);
  CHECK(parsed(text, {.renumber = true}) ==
        events{make(0, op::write, 0, 0), make(0, op::write, 1, 0), make(0, op::write, 2, 0),
               make(0, op::read, 1, 0)});
}

TEST_CASE("a number has the same meaning with and without its letter") {
  std::vector<std::string> remarks;
  const auto note = [&](rapidbin::std_remark r, const std::string& message) {
    CHECK(r == rapidbin::std_remark::two_spellings);
    remarks.push_back(message);
  };
  // RoadRunner's tools write fork(1) together with T1.
  const events want{make(0, op::fork, 1, 0), make(1, op::acquire, 7, 1), make(1, op::release, 7, 2),
                    make(1, op::read, 3, 4)};
  const std::string text = "T0|fork(1)|0\nT1|acq(7)|1\nT1|rel(L7)|2\nT1|r(V3)|4\n";
  CHECK(parsed(text, {.remark = note}) == want);
  CHECK(remarks ==
        std::vector<std::string>{
            "threads occur both with and without their letter: 1 and T1 are the same thread",
            "locks occur both with and without their letter: 7 and L7 are the same lock"});
  // Ids of each kind are numbered by first appearance.
  CHECK(parsed(text, {.renumber = true}) ==
        events{make(0, op::fork, 1, 0), make(1, op::acquire, 0, 1), make(1, op::release, 0, 2),
               make(1, op::read, 0, 3)});
}

TEST_CASE("reads the text of race detectors") {
  const std::string text =
      "# made by hand\r\n\n   \n"
      "T0|fork(T1)|/home/user/race/interceptors.cpp:1041\r\n"
      "T1 | rd( 0x555556a7eba8 ) | /home/user/race/mini.cpp:14\n"
      "\tT1|lock(java.lang.Object@1f)|-1\n"
      "T1|WR(0x726c00000000)|/home/user/race/mini.cpp:14|extra|columns\n"
      "T1|wait(m)|3\nT1|notify(m)|3\nT1|notifyAll(m)|3\nT1|dummy|3\n"
      "  # indented\n"
      "T1|unlock(java.lang.Object@1f)|7\n"
      "T70000|read(V99999999999)|99999\n";
  std::vector<std::pair<rapidbin::std_remark, std::string>> remarks;
  const bytes raw = copied(text);
  std_reader in(input_of(raw), {.remark = [&](rapidbin::std_remark r, const std::string& message) {
                  remarks.emplace_back(r, message);
                }});
  const events want{make(0, op::fork, 1, 0),    make(1, op::read, 0, 1),
                    make(1, op::acquire, 0, 2), make(1, op::write, 1, 1),
                    make(1, op::release, 0, 7), make(70000, op::read, 99'999'999'999, 99999)};
  CHECK(all_of(in) == want);
  using rapidbin::std_remark;
  CHECK(
      remarks ==
      std::vector<std::pair<std_remark, std::string>>{
          {std_remark::left_out, "4 lines with wait, notify, notifyAll or dummy skipped"},
          {std_remark::more_columns, "1 line with columns after the location, which are ignored"}});
  const auto called = [&](kind k, std::uint64_t id) {
    const std::string* const name = in.name_of(k, id);
    return name != nullptr ? *name : std::string();
  };
  CHECK(called(kind::variable, 0) == "0x555556a7eba8");
  CHECK(called(kind::variable, 1) == "0x726c00000000");
  CHECK(called(kind::lock, 0) == "java.lang.Object@1f");
  CHECK(called(kind::location, 0) == "/home/user/race/interceptors.cpp:1041");
  CHECK(called(kind::location, 1) == "/home/user/race/mini.cpp:14");
  CHECK(called(kind::location, 2) == "-1");
  CHECK(called(kind::location, 7).empty());
  CHECK(called(kind::thread, 1).empty());
  CHECK(in.named() == 6);
  const folder dir;
  std_reader again(dir.file("t.std", raw));
  CHECK(again.count() == want.size());
  CHECK(again.named() == 0);
  CHECK(all_of(again) == want);
  CHECK(again.named() == 6);

  // In strict mode a line without an event is an error, and the next call continues after it.
  std_reader strict(input_of(raw), {.strict = true});
  std::optional<trace_error> error;
  CHECK(all_of(strict, &error).size() == 3);
  REQUIRE(error);
  CHECK(error->code() == trace_errc::refused);
  CHECK(error->field() == "location");
  CHECK(all_of(strict, &error).empty());
  REQUIRE(error);
  CHECK(error->field() == "operation");
}

TEST_CASE("keeps names when text is written from text") {
  const std::string text =
      "main|fork(worker-1)|0\nworker-1|acq(java.lang.Object@1f)|3\nworker-1|w(Foo.bar[3])|a.c:4\n"
      "worker-1|r(V9)|a.c:4\nmain|join(worker-1)|6\n";
  const bytes raw = copied(text);
  std_reader in(input_of(raw));
  const events all = all_of(in);
  bytes got;
  rapidbin::std_writer out(std::make_unique<vector_sink>(got), "memory");
  out.set_names([&in](kind k, std::uint64_t id) { return in.name_of(k, id); });
  for (const event& e : all) out.write(e);
  out.finish();
  CHECK(std::string(reinterpret_cast<const char*>(got.data()), got.size()) == text);
  for (const char* name :
       {"main", "Foo.bar[3]", "a b", "f(x", "T", "T01", "-1", "0x10", "T4294967296"})
    CHECK(rapidbin::readable_in_std(kind::thread, name));
  for (const char* name : {"", "7", "T7", "a|b", " a", "a ", "a\nb", "#1"})
    CHECK_FALSE(rapidbin::readable_in_std(kind::thread, name));
  CHECK(rapidbin::readable_in_std(kind::lock, "T7"));
  CHECK_FALSE(rapidbin::readable_in_std(kind::lock, "L7"));
  CHECK(rapidbin::readable_in_std(kind::location, "L7"));
}

TEST_CASE("keeps mixed names and numbers") {
  // Id 0 belongs to main, 1 to T0, and 2 therefore to T1. Locks, variables and locations are
  // numbered likewise.
  const std::string text =
      "main|fork(T0)|a.c:4\nT0|acq(m)|0\nT0|w(x)|1\nT1|acq(L0)|0\nT1|r(V0)|1\nT0|r(V9)|7\n";
  const bytes raw = copied(text);
  std_reader in(input_of(raw));
  const events all = all_of(in);
  CHECK(all == events{make(0, op::fork, 1, 0), make(1, op::acquire, 0, 1), make(1, op::write, 0, 2),
                      make(2, op::acquire, 1, 1), make(2, op::read, 1, 2),
                      make(1, op::read, 9, 7)});
  bytes got;
  rapidbin::std_writer out(std::make_unique<vector_sink>(got), "memory");
  out.set_names([&in](kind k, std::uint64_t id) { return in.name_of(k, id); });
  for (const event& e : all) out.write(e);
  out.finish();
  CHECK(std::string(reinterpret_cast<const char*>(got.data()), got.size()) == text);
}

TEST_CASE("selects events of text by name") {
  const std::string text =
      "main|fork(w-1)|0\nw-1|acq(m)|1\nw-1|w(x)|2\nw-1|w(V0)|2\nw-1|rel(m)|f.c:3\nmain|r(x)|5\n";
  const auto chosen = [&](auto set) {
    rapidbin::open_options how{.text = true};
    set(how.wanted);
    const bytes raw = copied(text);
    const auto in = rapidbin::open_events(input_of(raw), std::move(how));
    return all_of(*in);
  };
  const events all = parsed(text);
  REQUIRE(all.size() == 6);
  CHECK(chosen([](auto& w) { w.names.threads = {"main"}; }) == events{all[0], all[5]});
  CHECK(chosen([](auto& w) { w.names.variables = {"x"}; }) == events{all[2], all[5]});
  CHECK(chosen([](auto& w) { w.names.locks = {"m"}; }) == events{all[1], all[4]});
  CHECK(chosen([](auto& w) { w.names.locations = {"f.c:3"}; }) == events{all[4]});
  CHECK(chosen([](auto& w) { w.names.variables = {"nothing"}; }).empty());
  // Id 0 belongs to x, and V0 has another id. A bare number selects an id, and V0 selects the
  // variable that is named V0 in the text.
  CHECK(chosen([](auto& w) { w.variables.insert(0); }) == events{all[2], all[5]});
  CHECK(chosen([](auto& w) { w.names.variables = {"V0"}; }) == events{all[3]});
  CHECK(chosen([](auto& w) { w.names.variables = {"0"}; }) == events{all[3]});
  // The text has no V1: id 1 belongs to V0. The text has a location 2.
  CHECK(chosen([](auto& w) { w.names.variables = {"V1"}; }).empty());
  CHECK(chosen([](auto& w) { w.names.locations = {"2"}; }) == events{all[2], all[3]});
}

TEST_CASE("selects events of text without names by number") {
  const bytes raw = copied("T3|w(V7)|1\nT4|w(7)|9\n");
  rapidbin::open_options how{.text = true};
  how.wanted.names.threads = {"T4"};
  how.wanted.names.locations = {"9"};
  const auto in = rapidbin::open_events(input_of(raw), std::move(how));
  CHECK(all_of(*in) == events{make(4, op::write, 7, 9)});
}

TEST_CASE("selects by a name that appears after thousands of events with its number") {
  // The first batch assigns id 0 to x, and a later batch assigns id 1 to V0.
  std::string text;
  for (unsigned i = 0; i < 10'000; ++i) text += "main|w(x)|1\n";
  text += "main|w(V0)|2\n";
  const bytes raw = copied(text);
  rapidbin::open_options how{.text = true};
  how.wanted.names.variables = {"V0"};
  const auto in = rapidbin::open_events(io::open_bytes(raw, "t"), std::move(how));
  CHECK(all_of(*in) == events{make(0, op::write, 1, 2)});
  in->rewind();
  CHECK(all_of(*in) == events{make(0, op::write, 1, 2)});
}

TEST_CASE("finds an id of a RapidBin file by name first, then by number") {
  rapidbin::id_names names;
  names.threads.add("main", 0);
  names.threads.add("T0", 1);
  names.locations.add("4", 7);
  const auto id = [&](kind k, const char* name) { return rapidbin::id_of_name(k, name, &names); };
  CHECK(id(kind::thread, "main") == 0);
  CHECK(id(kind::thread, "T0") == 1);
  CHECK(id(kind::thread, "0") == 0);
  CHECK(id(kind::thread, "T5") == 5);
  CHECK(id(kind::thread, "t5") == 5);
  CHECK(id(kind::variable, "T0") == std::nullopt);
  CHECK(id(kind::location, "4") == 7);
  CHECK(id(kind::location, "5") == 5);
  CHECK(rapidbin::id_of_name(kind::thread, "T0", nullptr) == 0);
  CHECK(rapidbin::id_of_name(kind::lock, "", nullptr) == std::nullopt);
  CHECK(rapidbin::id_of_name(kind::lock, "L", nullptr) == std::nullopt);
  CHECK(rapidbin::id_of_name(kind::lock, "L99999999999999999999999", nullptr) == std::nullopt);
}

TEST_CASE("keeps only names that distinguish all ids in text") {
  const auto kept = [](std::initializer_list<std::pair<const char*, unsigned>> all) {
    rapidbin::id_names names;
    for (const auto& [name, id] : all) names.threads.add(name, id);
    std::string out;
    for (const auto& r : rapidbin::names_for_std(names).threads)
      out += std::to_string(r.trace_id) + '=' + r.wasm_id + ' ';
    return out;
  };
  // Names as the reader of STD text assigns them. If a name already has a number's id, the number
  // gets the next id.
  CHECK(kept({{"main", 0}, {"T0", 1}, {"T1", 2}}) == "0=main 1=T0 2=T1 ");
  CHECK(kept({{"T2", 1}, {"T1", 2}}) == "1=T2 2=T1 ");
  CHECK(kept({{"T5", 5}}) == "5=T5 ");
  // Id 0 has no name and is written as T0. Therefore id 1 cannot keep the name T0. It is written as
  // T1, so id 2 cannot keep the name T1.
  CHECK(kept({{"T0", 1}, {"T1", 2}}).empty());
  CHECK(kept({{"a|b", 0}, {"T0", 1}, {"T1", 2}, {"c", 3}}) == "3=c ");
  // Several ids with the same name or the same number.
  CHECK(kept({{"main", 4}, {"main", 6}, {"T6", 7}}) == "4=main ");
  CHECK(kept({{"main", 0}, {"T0", 1}, {"0", 2}, {"T2", 3}}) == "0=main 1=T0 ");
  // A number that is too large, which STD text reads as a name.
  CHECK(kept({{"T4294967296", 0}, {"T0", 1}}) == "0=T4294967296 1=T0 ");
}

TEST_CASE("reports a bad line, and the next call continues after the line") {
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
      {"T0|store(V0)|1", "operation", trace_errc::bad_value},
      {"T0||1", "operation", trace_errc::bad_value},
      {"T0|w|1", "decor", trace_errc::bad_value},
      {"T0|w()|1", "decor", trace_errc::bad_value},
      {"T0|w(V0|1", "decor", trace_errc::bad_value},
      {"T0|w(|1", "decor", trace_errc::bad_value},
      {"T0|begin(V0)|1", "decor", trace_errc::bad_value},
      {"T0|w(V0)|", "location", trace_errc::bad_value},
      {"T0|w(V0)|32768", "location", trace_errc::refused},
      {"T0|w(V17179869184)|1", "decor", trace_errc::refused},
      {"T0|w(V99999999999999999999999)|1", "decor", trace_errc::refused},
      {"T1024|w(V0)|1", "thread", trace_errc::refused},
      {"T0|fork(T1024)|1", "decor", trace_errc::refused},
      {long_line.c_str(), "", trace_errc::bad_value},
  };
  for (const wrong& w : all) {
    const bytes raw = copied("T0|w(V0)|1\nT0|r(V0)|2\n" + std::string(w.line) + "\nT1|r(V0)|3\n");
    // Numbers that do not fit in a word are refused only for output to a RapidBin file.
    if (w.code == trace_errc::refused) {
      std_reader any(input_of(raw));
      CHECK(all_of(any).size() == 4);
    }
    std_reader in(input_of(raw), {.fitting = true});
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

TEST_CASE("a truncated text delivers its whole events") {
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

TEST_CASE("the longest accepted line has 64 KiB") {
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

TEST_CASE("the rest of a line at truncated compressed data is not an event" *
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
    // The result is a prefix of the events, and no event comes from a truncated line.
    CHECK(std::equal(got.begin(), got.end(), many.begin()));
  }
}

TEST_CASE("refuses events that a line cannot contain") {
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

TEST_CASE("skips and rewinds large texts") {
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
