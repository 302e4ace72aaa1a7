// Tests of tracecodec.h: refused arguments, damaged traces, and how errors are reported.
#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <vector>

#include "c/support.hpp"
#include "champsim/support.hpp"

TEST_CASE("reports the code and place of a truncated file") {
  const test::folder here;
  const auto all = test::records(5000);
  auto bytes = test::bytes_of(all);
  bytes.resize(bytes.size() - 24);
  const std::string path = here.file("cut", bytes);
  for (const std::uint32_t flags : {0U, static_cast<unsigned>(TRACECODEC_NO_MAP)}) {
    auto o = test::options();
    o.flags = flags;
    const auto t = test::open(path, &o);
    REQUIRE(tracecodec_last_error(t.get()) == nullptr);
    const tracecodec_record* records = nullptr;
    std::size_t n = 0, delivered = 0;
    tracecodec_status status = TRACECODEC_OK;
    while ((status = tracecodec_next_records(t.get(), test::any, &records, &n)) == TRACECODEC_OK &&
           n != 0)
      delivered += n;
    CHECK(delivered == 4999);
    for (int again = 0; again != 2; ++again) {
      CHECK(status == TRACECODEC_TRUNCATED);
      const tracecodec_error* const e = tracecodec_last_error(t.get());
      REQUIRE(e != nullptr);
      CHECK(e->code == status);
      CHECK(test::view(e->file) == path);
      CHECK(e->has_offset == 1);
      CHECK(e->offset == 4999 * 64 + 32);
      CHECK(e->has_record == 1);
      CHECK(e->record == 4999);
      CHECK(test::view(e->field) == "source_memory");
      CHECK(test::view(e->line).find(test::view(e->message)) != std::string_view::npos);
      CHECK(test::view(e->line).substr(0, path.size()) == path);
      CHECK(e->line.bytes[e->line.size] == '\0');
      // Columns fail in the same way.
      REQUIRE(tracecodec_want(t.get(), test::bit(TRACECODEC_COLUMN_IP), 0) == TRACECODEC_OK);
      CHECK(tracecodec_last_error(t.get()) == nullptr);
      status = tracecodec_next_columns(t.get(), test::any, &n);
    }
    CHECK(tracecodec_rewind(t.get()) == TRACECODEC_OK);
    CHECK(tracecodec_next_records(t.get(), test::any, &records, &n) == TRACECODEC_OK);
    CHECK(n != 0);
  }
}

TEST_CASE("a trace that could not be opened reports its error and can be closed") {
  const test::folder here;
  const auto t = test::open(here / "none");
  REQUIRE(t != nullptr);
  const tracecodec_error* e = tracecodec_last_error(t.get());
  REQUIRE(e != nullptr);
  CHECK(e->code == TRACECODEC_SYSTEM);
  CHECK(test::view(e->file) == here / "none");
  CHECK(e->has_offset == 0);
  CHECK(e->field.size == 0);
  CHECK(e->field.bytes != nullptr);
  std::size_t n = 0;
  std::uint64_t count = 0;
  const tracecodec_record* records = nullptr;
  CHECK(tracecodec_next_records(t.get(), 1, &records, &n) == TRACECODEC_SYSTEM);
  CHECK(tracecodec_next_columns(t.get(), 1, &n) == TRACECODEC_SYSTEM);
  CHECK(tracecodec_count(t.get(), &count) == TRACECODEC_SYSTEM);
  CHECK(tracecodec_rewind(t.get()) == TRACECODEC_SYSTEM);
  CHECK(tracecodec_has(t.get()) == 0);
  CHECK(std::string(tracecodec_format(t.get())).empty());
  CHECK(tracecodec_progress(t.get()) < 0);
  ArrowArrayStream stream{};
  CHECK(tracecodec_arrow_stream(t.get(), 0, &stream) == TRACECODEC_SYSTEM);
  CHECK(test::released(stream));

  const std::vector<std::byte> noise(1000, std::byte{'x'});
  const auto other = test::open(here.file("noise", noise));
  REQUIRE(tracecodec_last_error(other.get()) != nullptr);
  CHECK(tracecodec_last_error(other.get())->code == TRACECODEC_NOT_A_TRACE);
}

TEST_CASE("refuses every null pointer") {
  CHECK(tracecodec_open("x", nullptr, nullptr) == TRACECODEC_REFUSED);
  tracecodec_trace* none = nullptr;
  CHECK(tracecodec_open(nullptr, nullptr, &none) == TRACECODEC_REFUSED);
  CHECK(none != nullptr);
  tracecodec_close(none);
  tracecodec_close(nullptr);
  CHECK(tracecodec_last_error(nullptr) == nullptr);
  CHECK(tracecodec_name(nullptr).size == 0);
  CHECK(std::string(tracecodec_format(nullptr)).empty());
  CHECK(tracecodec_rewind(nullptr) == TRACECODEC_REFUSED);
  CHECK(tracecodec_skip(nullptr, 1, nullptr) == TRACECODEC_REFUSED);
  CHECK(tracecodec_has(nullptr) == 0);
  CHECK(tracecodec_position(nullptr) == 0);
  CHECK(tracecodec_arrow_stream(nullptr, 0, nullptr) == TRACECODEC_REFUSED);
  CHECK(tracecodec_open_memory(nullptr, 1, "x", nullptr, &none) == TRACECODEC_REFUSED);
  tracecodec_close(none);
  CHECK(tracecodec_open_memory("x", 1, nullptr, nullptr, &none) == TRACECODEC_REFUSED);
  tracecodec_close(none);
  CHECK(tracecodec_open_memory("x", 1, "x", nullptr, nullptr) == TRACECODEC_REFUSED);
  CHECK(tracecodec_dropped_operands(nullptr) == 0);
  CHECK(tracecodec_first_row(nullptr) == 0);
  CHECK(tracecodec_left_out(nullptr) == 0);
  CHECK(tracecodec_progress(nullptr) < 0);
  CHECK(tracecodec_want(nullptr, 1, 0) == TRACECODEC_REFUSED);
  CHECK(tracecodec_select_register(nullptr, "rax", nullptr) == TRACECODEC_REFUSED);
  CHECK(tracecodec_match_mnemonic(nullptr, "add") == TRACECODEC_REFUSED);
  CHECK(tracecodec_limit(nullptr, 1) == TRACECODEC_REFUSED);
  CHECK(tracecodec_shard(nullptr, 0, 1) == TRACECODEC_REFUSED);
  CHECK(tracecodec_column(tracecodec_columns()) == nullptr);
  CHECK(tracecodec_part(tracecodec_columns(), 0) == nullptr);
  CHECK(tracecodec_part(0, 1) == nullptr);
  const auto t = test::open(test::data("rapidbin/r250.data"));
  std::size_t n = 0;
  const tracecodec_record* records = nullptr;
  tracecodec_array a{};
  CHECK(tracecodec_next_records(t.get(), 1, nullptr, &n) == TRACECODEC_REFUSED);
  CHECK(tracecodec_next_records(t.get(), 1, &records, nullptr) == TRACECODEC_REFUSED);
  CHECK(tracecodec_next_columns(t.get(), 1, nullptr) == TRACECODEC_REFUSED);
  CHECK(tracecodec_values(t.get(), 1, 0, nullptr) == TRACECODEC_REFUSED);
  CHECK(tracecodec_values(t.get(), 1, 1, &a) == TRACECODEC_REFUSED);
  CHECK(tracecodec_values(t.get(), 1, 0, &a) == TRACECODEC_REFUSED);  // not requested
  CHECK(tracecodec_count(t.get(), nullptr) == TRACECODEC_REFUSED);
  CHECK(tracecodec_select_register(t.get(), nullptr, &n) == TRACECODEC_REFUSED);
  CHECK(tracecodec_match_mnemonic(t.get(), nullptr) == TRACECODEC_REFUSED);
  CHECK(tracecodec_operation_name(t.get(), 0, nullptr) == TRACECODEC_REFUSED);
  CHECK(tracecodec_skip(t.get(), 0, nullptr) == TRACECODEC_OK);
  CHECK(tracecodec_arrow_stream(t.get(), 0, nullptr) == TRACECODEC_REFUSED);
  CHECK(tracecodec_want(t.get(), std::uint64_t{1} << 63, 0) == TRACECODEC_REFUSED);
  CHECK(tracecodec_want(t.get(), test::bit(TRACECODEC_COLUMN_TEXT), 0) == TRACECODEC_REFUSED);
  CHECK(tracecodec_shard(t.get(), 2, 2) == TRACECODEC_REFUSED);
  CHECK(tracecodec_next_records(t.get(), 0, &records, &n) == TRACECODEC_OK);
  CHECK(n == 1);
}

TEST_CASE("omitted lines of text are errors in strict mode") {
  const test::folder here;
  const std::string text = "T0|w(V0)|1\nT0|wait(L1)|2\nT0|r(V0)|3\n";
  const auto* const begin = reinterpret_cast<const std::byte*>(text.data());
  const std::string path = here.file("t.std", {begin, begin + text.size()});
  for (const std::uint32_t flags : {0U, static_cast<unsigned>(TRACECODEC_STRICT)}) {
    auto o = test::options();
    o.flags = flags;
    const auto t = test::open(path, &o);
    REQUIRE(tracecodec_want(t.get(), test::bit(TRACECODEC_COLUMN_IP), 0) == TRACECODEC_OK);
    std::size_t n = 0, rows = 0;
    tracecodec_status status = TRACECODEC_OK;
    while ((status = tracecodec_next_columns(t.get(), test::any, &n)) == TRACECODEC_OK && n != 0)
      rows += n;
    CHECK(rows == (flags != 0 ? 1 : 2));
    CHECK(status == (flags != 0 ? TRACECODEC_REFUSED : TRACECODEC_OK));
    if (flags == 0) continue;
    const tracecodec_error* const e = tracecodec_last_error(t.get());
    REQUIRE(e != nullptr);
    CHECK(e->offset == 11);
    CHECK(test::view(e->field) == "operation");
  }
}

TEST_CASE("refuses unknown options, and missing options are 0") {
  const std::string path = test::data("rapidbin/r250.data");
  const auto code = [&](const tracecodec_options& o) {
    const auto t = test::open(path, &o);
    const tracecodec_error* const e = tracecodec_last_error(t.get());
    return e != nullptr ? e->code : TRACECODEC_OK;
  };
  auto o = test::options();
  CHECK(code(o) == TRACECODEC_OK);
  o.size = 0;
  CHECK(code(o) == TRACECODEC_REFUSED);
  // An application that was compiled when the struct had fewer members.
  o.size = offsetof(tracecodec_options, compression);
  o.compression = "nonsense";
  CHECK(code(o) == TRACECODEC_OK);
  o = test::options();
  o.compression = "nonsense";
  CHECK(code(o) == TRACECODEC_REFUSED);
  o = test::options();
  o.format = "nonsense";
  CHECK(code(o) == TRACECODEC_REFUSED);
  o.format = "rapidbin";
  CHECK(code(o) == TRACECODEC_OK);
  o.flags = 1U << 31;
  CHECK(code(o) == TRACECODEC_REFUSED);
  o = test::options();
  o.threads = 64;  // has no effect on this format
  CHECK(code(o) == TRACECODEC_OK);
  o.threads = 65;
  CHECK(code(o) == TRACECODEC_REFUSED);
  o = test::options();
  o.flags = TRACECODEC_BRANCHES_OF_2022;  // this format has no such rules
  CHECK(code(o) == TRACECODEC_REFUSED);
  o = test::options();
  o.flags = TRACECODEC_STRICT;  // has no effect, because the trace is not text
  CHECK(code(o) == TRACECODEC_OK);
  o = test::options();
  o.metadata = "";
  CHECK(code(o) == TRACECODEC_OK);
  o.metadata = "/none";
  CHECK(code(o) == TRACECODEC_SYSTEM);
  // An application that was compiled when the struct had more members.
  struct {
    tracecodec_options known;
    std::uint64_t more;
  } later{test::options(), 0};
  later.known.size = sizeof later;
  CHECK(code(later.known) == TRACECODEC_OK);
  later.more = 1;
  CHECK(code(later.known) == TRACECODEC_REFUSED);
}

#if defined(TRACECODEC_WITH_SIMDJSON)
TEST_CASE("passes a warning to the callback") {
  auto o = test::options();
  const std::string other = test::data("rapidbin/r6000.json");  // of another trace
  o.metadata = other.c_str();
  std::vector<std::string> said;
  o.context = &said;
  o.warn = [](void* context, tracecodec_text text) {
    static_cast<std::vector<std::string>*>(context)->emplace_back(text.bytes, text.size);
  };
  const auto t = test::open(test::data("rapidbin/r250.data"), &o);
  CHECK(tracecodec_last_error(t.get()) == nullptr);
  REQUIRE(said.size() == 1);
  CHECK(said[0].find("r6000.json") != std::string::npos);
}
#endif

TEST_CASE("returns the names of status codes") {
  CHECK(std::string(tracecodec_status_name(TRACECODEC_OK)) == "ok");
  CHECK(std::string(tracecodec_status_name(TRACECODEC_NOT_A_TRACE)) == "not_a_trace");
  CHECK(std::string(tracecodec_status_name(TRACECODEC_INTERNAL)) == "internal");
  CHECK(std::string(tracecodec_status_name(99)) == "unknown");
  CHECK(std::string(tracecodec_version()).find('.') != std::string::npos);
}

#if !defined(_WIN32)
TEST_CASE("reports a mapped file that becomes shorter, if the SIGBUS handler is installed") {
  REQUIRE(tracecodec_install_sigbus_handler() == TRACECODEC_OK);
  CHECK(tracecodec_install_sigbus_handler() == TRACECODEC_OK);
  const test::folder here;
  const std::string path = here.file("t", test::bytes_of(test::records(20000)));
  auto o = test::options();
  o.format = "champsim";
  const auto t = test::open(path, &o);
  const tracecodec_record* records = nullptr;
  std::size_t n = 0;
  REQUIRE(tracecodec_next_records(t.get(), 100, &records, &n) == TRACECODEC_OK);
  std::filesystem::resize_file(path, 64 * 200);
  std::uint64_t sum = 0;
  tracecodec_status status = TRACECODEC_OK;
  while (status == TRACECODEC_OK && n != 0) {
    for (std::size_t i = 0; i != n; ++i) sum += records[i].ip;  // missing pages read as zeros
    status = tracecodec_next_records(t.get(), test::any, &records, &n);
  }
  CHECK(sum != 0);
  CHECK(status == TRACECODEC_SYSTEM);
  REQUIRE(tracecodec_last_error(t.get()) != nullptr);
  CHECK(test::view(tracecodec_last_error(t.get())->message) == "became shorter while it was read");
}
#endif
