// Tests of the writer byte by byte, and of what it refuses. These tests run on every host, because
// nothing is read.
#include <doctest/doctest.h>

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "example_blocks.hpp"
#include "tracecodec/x64dbg/writer.hpp"

using namespace test;
using x64dbg::writer_mode;

TEST_CASE("writes exact bytes for thread ids, unions and jmp $") {
  bytes out;
  x64dbg::trace_header h;
  h.hash_algorithm.reset();
  x64dbg::writer<x64> w(std::make_unique<vector_sink>(out), "out", h,
                        {.mode = writer_mode::exact_union});
  auto s = zeros();
  const x64dbg::memory_access wrote{0x2000, 7, 9, 0}, read{0x3000, 1, std::nullopt, 0};
  w.write(8, s, nop, {});
  w.write(8, s, from_hex("ebfe"),
          {});  // nothing changes before or after this instruction, therefore cip is added
  w.write(8, s, nop, {});
  s.set(0, 5);
  w.write(12, s, nop, std::array{wrote, read});
  w.write_user_block(0x81, from_hex("0102"));
  s.set(16, 6);
  w.write(12, s, nop, {});
  w.finish();
  const auto front =
      header(x64) + from_hex("00 ac 00 81 08000000 90") + bytes(172) + bytes(172 * 8);
  const auto expected =
      front + from_hex(
                  "00 01 00 02 ebfe 10 0000000000000000"  // only cip
                  // The last block of thread 8. It lists rax, because rax changes next.
                  "00 01 00 81 08000000 90 00 0000000000000000"
                  "00 02 02 81 0c000000 90 00 0f 0500000000000000 0000000000000000 0001"
                  "0020000000000000 0030000000000000 0700000000000000 0100000000000000"
                  "0900000000000000"
                  "81 02000000 0102"
                  "00 01 00 01 90 10 0600000000000000");
  CHECK(out == expected);
}

TEST_CASE("cip_always adds cip to the union of every block") {
  bytes out;
  x64dbg::trace_header h;
  h.hash_algorithm.reset();
  x64dbg::writer<x64> w(std::make_unique<vector_sink>(out), "out", h,
                        {.mode = writer_mode::exact_union, .cip_always = true});
  auto s = zeros();
  w.write(8, s, nop, {});
  w.write(8, s, nop, {});
  s.set(0, 5);
  w.write(8, s, nop, {});
  w.finish();
  CHECK(out == header(x64) + from_hex("00 ac 00 81 08000000 90") + bytes(172) + bytes(172 * 8) +
                   from_hex("00 02 00 01 90 00 0f 0000000000000000 0000000000000000"
                            "00 02 00 01 90 00 0f 0500000000000000 0000000000000000"));
}

TEST_CASE("refuses values that the format cannot store, and reports the record and the field") {
  bytes out;
  const auto with = [&](auto&& f) {
    out.clear();
    x64dbg::writer<x64> w(std::make_unique<vector_sink>(out), "out", {});
    w.write(1, zeros(), nop, {});
    const auto e = error_of([&] { f(w); });
    REQUIRE(e);
    CHECK(e->code() == trace_errc::refused);
    CHECK(e->file() == "out");
    CHECK(e->record() == 1);
    return e->field();
  };
  const auto accesses = [](std::size_t n) { return std::vector<x64dbg::memory_access>(n); };
  CHECK(with([&](auto& w) { w.write(1, zeros(), {}, {}); }) == "opcode");
  CHECK(with([&](auto& w) { w.write(1, zeros(), bytes(16), {}); }) == "opcode");
  CHECK(with([&](auto& w) { w.write(1, zeros(), nop, accesses(256)); }) == "accesses");
  CHECK(with([&](auto& w) { w.gap(), w.write(1, {}, nop, {}); }) == "values");
  CHECK(with([&](auto& w) { w.write_user_block(0x7F, {}); }) == "type");
  CHECK(with([&](auto& w) { w.begin_user_block(0x80, std::uint64_t{1} << 32); }) == "size");
  x64dbg::writer<x64> w(std::make_unique<vector_sink>(out), "out", {});
  w.write(1, zeros(), bytes(15), accesses(255));
  w.finish();

  x64dbg::trace_header h;
  h.arch = x86;
  CHECK(error_of([&] {
          x64dbg::writer<x64> v(std::make_unique<vector_sink>(out), "o", h);
        })->field() == "arch");
  x64dbg::writer<x86> narrow(std::make_unique<vector_sink>(out), "o", h);
  x64dbg::register_state<x86> s;
  s.fill_unknown(0);
  const std::uint64_t big = std::uint64_t{1} << 32;
  const auto field = [&](x64dbg::memory_access a) {
    const auto e = error_of([&] { narrow.write(1, s, nop, std::array{a}); });
    return e ? e->field() : std::string("none");
  };
  CHECK(field({big, 0, {}, 0}) == "addresses");
  CHECK(field({0, big, {}, 0}) == "old_values");
  CHECK(field({0, 0, big, 0}) == "new_values");
  CHECK(field({big - 1, big - 1, big - 1, 0}) == "none");
}

TEST_CASE("requires a user block to have its declared size") {
  for (const auto mode : {writer_mode::minimal, writer_mode::exact_union}) {
    bytes out;
    x64dbg::writer<x64> w(std::make_unique<vector_sink>(out), "out", {}, {.mode = mode});
    const auto field = [](auto&& f) {
      const auto e = error_of(f);
      return e && e->code() == trace_errc::refused ? e->field() : std::string("none");
    };
    CHECK(field([&] { w.add_user_data(nop); }) == "data");
    w.write(1, zeros(), nop, {});
    w.begin_user_block(0x80, 3);
    w.add_user_data(from_hex("01"));
    CHECK(field([&] { w.write(1, zeros(), nop, {}); }) == "data");
    CHECK(field([&] { w.write(x64dbg::instruction<x64>{}); }) == "data");
    CHECK(field([&] { w.write_block({}); }) == "data");
    CHECK(field([&] { w.begin_user_block(0x80, 0); }) == "data");
    CHECK(field([&] { w.write_user_block(0x80, {}); }) == "data");
    CHECK(field([&] { w.finish(); }) == "data");
    CHECK(field([&] { w.finish(zeros()); }) == "data");
    CHECK(field([&] { w.add_user_data(from_hex("020304")); }) == "data");
    w.add_user_data(from_hex("02"));
    w.add_user_data(from_hex("03"));
    w.write_user_block(0x81, {});
    w.finish();
    const auto behind = from_hex("80 03000000 010203 81 00000000");
    REQUIRE(out.size() > behind.size());
    CHECK(bytes(out.end() - static_cast<std::ptrdiff_t>(behind.size()), out.end()) == behind);
  }
}
