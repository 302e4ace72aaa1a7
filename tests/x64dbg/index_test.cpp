// Tests of the index: seeking through a snapshot; saving and loading; stale and damaged files.
#include <doctest/doctest.h>

#include <chrono>
#include <filesystem>

#include "support.hpp"
#include "tracecodec/x64dbg/reader/index_file.hpp"

using namespace test;

namespace {
template <target T> std::uint64_t digest(const x64dbg::instruction<T>& i) {
  std::uint64_t h = i.index * 31 + i.offset + i.thread.value_or(7);
  for (const auto v : i.before->values()) h = (h ^ v) * 0x100000001B3;
  return h;
}
}  // namespace

TEST_CASE("seeking to any instruction equals reading in order") {
  const folder dir;
  const auto path = dir.file("t", content(data("threads3_64.trace64.xz")));
  x64dbg::reader<x64> r(io::open_input(path));
  const auto index = x64dbg::index_of(r, 1);
  CHECK(index.instructions() == 30000);
  CHECK(index.snapshots().size() == 59);  // one every 512 instructions
  std::vector<std::uint64_t> in_order;
  x64dbg::reader<x64> all(io::open_input(path));
  for (const auto& i : all) in_order.push_back(digest(i));
  x64dbg::instruction<x64> i;
  std::uint64_t different = 0, at = 17;
  for (std::size_t n = 0; n < 3000;
       ++n) {  // all remainders modulo the snapshot distance, in a scattered order
    at = (at + 7919) % 30000;
    REQUIRE(r.seek(at, &index));
    REQUIRE(r.next(i));
    different += i.index != at || digest(i) != in_order[at];
  }
  for (at = 0; at < 1100; ++at) {
    REQUIRE(r.seek(1099 - at, &index));
    REQUIRE(r.next(i));
    different += digest(i) != in_order[1099 - at];
  }
  CHECK(different == 0);
  CHECK(r.seek(29999, &index));
  CHECK(!r.seek(30000, &index));
  CHECK(!r.next(i));
  CHECK(r.seek(0));  // without an index
  CHECK(r.next(i));
  CHECK(digest(i) == in_order[0]);
  // A compressed trace starts again from the beginning, with the same results.
  x64dbg::reader<x64> packed(io::open_input(data("threads3_64.trace64.xz")));
  for (const std::uint64_t n : {20000u, 100u, 101u, 29999u}) {
    REQUIRE(packed.seek(n, &index));
    REQUIRE(packed.next(i));
    CHECK(digest(i) == in_order[n]);
  }
}

TEST_CASE("cannot seek to user blocks after the last instruction") {
  const folder dir;
  const auto path = dir.file("t", small_trace() + from_hex("80 01000000 aa  ff 00000000"));
  for (const bool map : {true, false}) {
    x64dbg::reader<x64> r(io::open_input(path, {.map = map}));
    std::vector<std::uint32_t> sizes;
    r.on_user_block([&](x64dbg::user_block_data<x64>& u) { sizes.push_back(u.size()); });
    CHECK(!r.seek(4));
    CHECK(sizes == std::vector<std::uint32_t>{3, 1, 0});
    x64dbg::instruction<x64> i;
    CHECK(!r.next(i));
    sizes.clear();
    CHECK(r.seek(3));  // the first user block precedes instruction 3
    CHECK(sizes == std::vector<std::uint32_t>{3});
    REQUIRE(r.next(i));
    CHECK(i.index == 3);
    CHECK(!r.next(i));
    CHECK(sizes.size() == 3);
  }
}

TEST_CASE("the index of a truncated trace covers its whole instructions") {
  const folder dir;
  auto all = content(data("work32.trace32.xz"));
  all.resize(all.size() / 2);
  x64dbg::reader<x86> r(io::open_input(dir.file("t", all)));
  const auto index = x64dbg::index_of(r);
  CHECK(index.instructions() > 20000);
  CHECK(index.end().offset <= all.size());
  CHECK(index.memory() < all.size() / 1000 + 64);
  x64dbg::reader<x64> none(io::open_input(dir.file("e", header(x64))));
  const auto empty = x64dbg::index_of(none);
  CHECK(empty.instructions() == 0);
  CHECK(empty.before(0) == nullptr);
  CHECK(!none.seek(0, &empty));
}

TEST_CASE("an index continues at its end, whatever the reader's position") {
  const folder dir;
  const auto path = dir.file("t", content(data("threads3_64.trace64.xz")));
  x64dbg::block_reader<x64> blocks(io::open_input(path));
  x64dbg::snapshot_index index;
  index.add(blocks);
  const auto snapshots = index.snapshots();
  const auto end = index.end();
  CHECK(end.instruction == 30000);
  blocks.seek(blocks.first());
  index.add(blocks);
  CHECK(index.snapshots() == snapshots);
  CHECK(index.end().offset == end.offset);
  CHECK(index.end().instruction == end.instruction);
  CHECK(blocks.position().offset == end.offset);
}

TEST_CASE("an index is saved next to the trace and used only if it matches") {
  const folder dir;
  auto all = content(data("threads3_64.trace64.xz"));
  const auto path = dir.file("t.trace64", all);
  x64dbg::reader<x64> r(io::open_input(path));
  const auto index = x64dbg::index_of(r);
  CHECK(!x64dbg::load_index(path).index);
  CHECK(x64dbg::load_index(path).note.find(".idx") != std::string::npos);
  x64dbg::save_index(index, path);
  const auto again = x64dbg::load_index(path);
  REQUIRE(again.index);
  CHECK(again.note.empty());
  CHECK(again.index->snapshots() == index.snapshots());
  CHECK(again.index->instructions() == 30000);
  CHECK(again.index->end().offset == all.size());

  const auto saved = content(path + ".idx");
  CHECK(saved.size() == 72 + 24 * index.snapshots().size());
  SUBCASE("any changed byte makes the index invalid") {
    for (std::size_t i = 0; i < saved.size(); ++i) {
      auto bad = saved;
      bad[i] ^= std::byte{0x10};
      dir.file("t.trace64.idx", bad);
      const auto l = x64dbg::load_index(path);
      CHECK(!l.index);
      CHECK(!l.note.empty());
    }
  }
  SUBCASE("the index is truncated or longer") {
    for (std::size_t n = 0; n < saved.size(); ++n) {
      dir.file("t.trace64.idx", std::span(saved).first(n));
      CHECK(!x64dbg::load_index(path).index);
    }
    dir.file("t.trace64.idx", saved + from_hex("00"));
    CHECK(x64dbg::load_index(path).note.find("damaged") != std::string::npos);
  }
  SUBCASE("the trace has other content") {
    auto other = all;
    other[100] ^= std::byte{1};
    dir.file("t.trace64", other);
    CHECK(x64dbg::load_index(path).note.find("stale") != std::string::npos);
    other = all;
    other.push_back(std::byte{0});
    dir.file("t.trace64", other);
    CHECK(x64dbg::load_index(path).note.find("stale") != std::string::npos);
  }
  SUBCASE("the trace changed between the sampled bytes") {
    // One changed bit, as after the repair of a thread id. Only the file's modification time
    // reveals the change.
    auto other = all;
    other[other.size() / 512 * 3 + 100] ^= std::byte{0x80};
    const auto time = std::filesystem::last_write_time(path);
    dir.file("t.trace64", other);
    std::filesystem::last_write_time(path, time + std::chrono::milliseconds(1));
    const auto l = x64dbg::load_index(path);
    CHECK(!l.index);
    CHECK(l.note.find("changed since") != std::string::npos);
    // The index remains valid for a copy with the same modification time, whatever the copy's name.
    const auto copy = dir.file("copy", all);
    std::filesystem::last_write_time(copy, time);
    CHECK(x64dbg::load_index(copy, path + ".idx").index);
  }
  SUBCASE("the index has the first version") {
    auto old = saved;
    old[4] = std::byte{1};
    dir.file("t.trace64.idx", old);
    CHECK(x64dbg::load_index(path).note.find("version") != std::string::npos);
  }
  SUBCASE("the index matches but has wrong offsets") {
    std::vector<x64dbg::snapshot> wrong = index.snapshots();
    wrong[2].offset += 1;
    const x64dbg::snapshot_index bad(wrong, index.end());
    CHECK(error_of([&] { r.seek(wrong[2].instruction + 1, &bad); }));
    wrong[2].offset = all.size() + 5;
    const x64dbg::snapshot_index beyond(wrong, index.end());
    CHECK(error_of([&] { r.seek(wrong[2].instruction + 1, &beyond); }));
  }
}

TEST_CASE("an index that ends before the trace is used only for a growing trace") {
  const folder dir;
  const auto all = content(data("threads3_64.trace64.xz"));
  const auto path = dir.file("t", std::span(all).first(all.size() / 2));
  x64dbg::reader<x64> r(io::open_input(path), {.growing = true});
  const auto half = x64dbg::index_of(r);
  dir.file("t", all);  // the trace has grown meanwhile
  x64dbg::save_index(half, path);
  CHECK(x64dbg::load_index(path).note.find("reach the trace's end") != std::string::npos);
  auto growing = x64dbg::load_index(path, {.growing = true});
  REQUIRE(growing.index);
  r.resume();
  growing.index->add(r);
  CHECK(growing.index->instructions() == 30000);
  // The end of a compressed trace is unknown, so it is not compared.
  const auto packed = dir / "t.xz";
  std::filesystem::copy_file(data("threads3_64.trace64.xz"), packed);
  x64dbg::reader<x64> p(io::open_input(packed));
  x64dbg::save_index(x64dbg::index_of(p), packed);
  CHECK(x64dbg::load_index(packed).index);
}

TEST_CASE("an index built with repair works only for readers with repair") {
  const folder dir;
  const auto path = dir.file("t", content(data("threads3_64_legacybug.trace64.xz")));
  x64dbg::reader<x64> r(io::open_input(path), {.repair = true});
  const auto index = x64dbg::index_of(r);
  CHECK(index.repaired());
  CHECK(index.instructions() == 30000);
  x64dbg::save_index(index, path);
  CHECK(x64dbg::load_index(path).note.find("made with repair") != std::string::npos);
  const auto again = x64dbg::load_index(path, {.repair = true});
  REQUIRE(again.index);
  CHECK(again.index->repaired());
  CHECK(again.index->snapshots() == index.snapshots());

  const auto sound = dir.file("s", content(data("threads3_64.trace64.xz")));
  x64dbg::reader<x64> s(io::open_input(sound));
  auto plain = x64dbg::index_of(s);
  CHECK(!plain.repaired());
  x64dbg::save_index(plain, sound);
  CHECK(x64dbg::load_index(sound, {.repair = true}).note.find("made without") != std::string::npos);
  CHECK(x64dbg::load_index(sound).index);
  CHECK(error_of([&] { plain.add(r); })->code() == trace_errc::refused);
}

TEST_CASE("the index omits snapshots that need repair, because reading cannot begin there") {
  // The first block of another thread stores all registers, but the bit for its thread id is
  // missing.
  const auto next = [](const char* ip) { return from_hex("00 01 00 01 90 10") + from_hex(ip); };
  auto trace = header(x64) + snapshot<x64>();
  trace += from_hex("00 01 00 81 34120000 90 10 0010400000000000");  // 1, thread 0x1234
  auto bad = snapshot<x64>(0x2000);                                  // 2, thread 0x5678
  bad[3] = std::byte{0x01};
  bad[4] = std::byte{0x78};
  bad[5] = std::byte{0x56};
  trace += bad;
  trace += next("0120400000000000") + next("0220400000000000");  // 3 and 4
  trace += snapshot<x64>(0x3000) + next("0130400000000000");     // 5 and 6
  const folder dir;
  const auto path = dir.file("t", trace);
  x64dbg::reader<x64> r(io::open_input(path), {.repair = true});
  const auto index = x64dbg::index_of(r, 1);
  CHECK(index.instructions() == 7);
  REQUIRE(index.snapshots().size() == 2);
  CHECK(index.snapshots()[1].instruction == 5);
  x64dbg::reader<x64> in_order(io::open_input(path), {.repair = true});
  std::vector<std::uint64_t> digests;
  for (const auto& i : in_order) digests.push_back(digest(i));
  x64dbg::instruction<x64> i;
  for (const std::uint64_t n : {2u, 3u, 6u, 4u, 2u, 5u, 0u, 4u}) {
    REQUIRE(r.seek(n, &index));
    REQUIRE(r.next(i));
    CHECK(digest(i) == digests[n]);
  }
  CHECK(digests.size() == 7);
}
