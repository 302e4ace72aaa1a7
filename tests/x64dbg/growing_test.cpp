// Tests of traces that are still being written: missing bytes are not an error, and are read later.
#include <doctest/doctest.h>

#include <algorithm>
#include <memory>

#include "support.hpp"

using namespace test;

TEST_CASE("reads every step of a growing file") {
  const folder dir;
  const auto all = small_trace();
  for (const bool map : {true, false}) {
    for (std::size_t first = header(x64).size(); first < all.size(); first += 61) {
      const auto path = dir.file("g", std::span(all).first(first));
      x64dbg::reader<x64> r(io::open_input(path, {.map = map}), {.growing = true});
      x64dbg::instruction<x64> i;
      std::uint64_t seen = 0, ips = 0;
      int user = 0;
      r.on_user_block([&user](auto&) { ++user; });
      for (std::size_t n = first;;) {
        while (r.next(i)) {
          CHECK(i.index == seen++);
          ips += i.ip();
        }
        if (n == all.size()) break;
        const std::size_t more = std::min<std::size_t>(all.size() - n, n < 1600 ? 97 : 3);
        std::ofstream(path, std::ios::binary | std::ios::app)
            .write(reinterpret_cast<const char*>(all.data()) + n,
                   static_cast<std::streamsize>(more));
        n += more;
        r.resume();
      }
      CHECK(seen == 4);
      CHECK(user == 1);
      CHECK(ips == 0x1010 + 0x401000 + 0x401002 + 0x401005);
      CHECK(r.at_end());
      r.resume();  // nothing new
      CHECK(!r.next(i));
      CHECK(i.thread == 0x5678);
    }
  }
}

TEST_CASE("delivers a user block only when it is complete") {
  const folder dir;
  constexpr std::size_t size = std::size_t{3} << 20;  // more than a window holds
  bytes data(size);
  for (std::size_t i = 0; i < size; ++i) data[i] = static_cast<std::byte>(i * 7 >> 3);
  const auto front = header(x64) + snapshot<x64>();
  const auto all = front + from_hex("80 00003000") + data + from_hex("00 01 00 01 90 10") +
                   from_hex("0510400000000000");
  for (const bool map : {true, false}) {
    const auto path = dir.file("g", std::span(all).first(front.size() + 2));
    x64dbg::reader<x64> r(io::open_input(path, {.map = map}), {.growing = true});
    bytes got;
    int blocks = 0;
    r.on_user_block([&](x64dbg::user_block_data<x64>& u) {
      ++blocks;
      CHECK(u.offset() == front.size());
      for (auto piece = u.next(); !piece.empty(); piece = u.next())
        got.insert(got.end(), piece.begin(), piece.end());
    });
    x64dbg::instruction<x64> i;
    REQUIRE(r.next(i));
    std::size_t n = front.size() + 2;
    for (const std::size_t to : {front.size() + 5, front.size() + 100, front.size() + (size / 2),
                                 front.size() + 4 + size}) {
      CHECK(!r.next(i));
      CHECK(!r.next(i));
      CHECK(blocks == 0);
      CHECK(r.position().offset == front.size());
      x64dbg::reader<x64> other(io::open_input(path, {.map = map}), {.growing = true});
      CHECK(x64dbg::index_of(other).end().offset == front.size());
      std::ofstream(path, std::ios::binary | std::ios::app)
          .write(reinterpret_cast<const char*>(all.data()) + n,
                 static_cast<std::streamsize>(to - n));
      n = to;
      r.resume();
    }
    CHECK(!r.next(i));
    std::ofstream(path, std::ios::binary | std::ios::app)
        .write(reinterpret_cast<const char*>(all.data()) + n,
               static_cast<std::streamsize>(all.size() - n));
    if (map) CHECK(!r.next(i));  // not before resume()
    r.resume();
    REQUIRE(r.next(i));
    CHECK(i.ip() == 0x401005);
    CHECK(blocks == 1);
    CHECK(got == data);
  }
  // If the length of the input is unknown, the reader reads the data to determine whether the block
  // is complete.
  for (const std::size_t n : {all.size(), all.size() - 100}) {
    x64dbg::reader<x64> r(
        io::open_source(std::make_unique<io::memory_source>(std::span(all).first(n)), "bytes"),
        {.growing = true});
    int blocks = 0;
    r.on_user_block([&blocks](auto&) { ++blocks; });
    x64dbg::instruction<x64> i;
    CHECK(r.next(i));
    CHECK(r.next(i) == (n == all.size()));
    CHECK(blocks == (n == all.size() ? 1 : 0));
  }
}

TEST_CASE("an index grows with its trace") {
  const folder dir;
  const auto all = content(data("threads3_64.trace64.xz"));
  const auto path = dir.file("g", std::span(all).first(all.size() / 3));
  x64dbg::reader<x64> r(io::open_input(path), {.growing = true});
  x64dbg::snapshot_index index;
  index.add(r);
  const auto some = index.instructions();
  CHECK(some > 5000);
  dir.file("g", all);
  r.resume();
  index.add(r);
  CHECK(index.instructions() == 30000);
  x64dbg::reader<x64> fresh(io::open_input(path));
  CHECK(x64dbg::index_of(fresh).snapshots() == index.snapshots());
  REQUIRE(r.seek(some + 1, &index));
}

TEST_CASE("refuses to repair a growing trace, and reports its bad blocks") {
  const folder dir;
  const auto path = dir.file("g", header(x64) + snapshot<x64>() + from_hex("05"));
  CHECK(error_of([&] {
          x64dbg::reader<x64> r(io::open_input(path), {.repair = true, .growing = true});
        })->code() == trace_errc::refused);
  x64dbg::reader<x64> r(io::open_input(path), {.growing = true});
  x64dbg::instruction<x64> i;
  CHECK(r.next(i));
  CHECK(error_of([&] { r.next(i); })->field() == "type");
}
