// Questions about memory in tracecodec.h, compared with a search through the columns.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "support.hpp"

namespace {

constexpr std::uint64_t none = std::numeric_limits<std::uint64_t>::max();

struct memory_use {
  std::uint64_t index, address, size;
  bool write;
};

// Returns all accesses of a trace, read as columns.
std::vector<memory_use> accesses_in(const std::string& path) {
  std::vector<memory_use> all;
  const auto t = test::open(path);
  REQUIRE(tracecodec_want(t.get(), test::bit(TRACECODEC_COLUMN_MEMORY), 0) == TRACECODEC_OK);
  for (std::size_t rows = 0;
       tracecodec_next_columns(t.get(), test::any, &rows) == TRACECODEC_OK && rows != 0;) {
    tracecodec_array address{}, size{}, write{};
    REQUIRE(tracecodec_values(t.get(), TRACECODEC_COLUMN_MEMORY, 0, &address) == TRACECODEC_OK);
    REQUIRE(tracecodec_values(t.get(), TRACECODEC_COLUMN_MEMORY, 1, &size) == TRACECODEC_OK);
    REQUIRE(tracecodec_values(t.get(), TRACECODEC_COLUMN_MEMORY, 2, &write) == TRACECODEC_OK);
    for (std::size_t r = 0; r != rows; ++r)
      for (auto i = static_cast<std::size_t>(address.offsets[r]);
           i != static_cast<std::size_t>(address.offsets[r + 1]); ++i)
        all.push_back(
            {tracecodec_first_row(t.get()) + r,
             static_cast<const std::uint64_t*>(address.values)[i],
             std::max<std::uint64_t>(static_cast<const std::uint64_t*>(size.values)[i], 1),
             static_cast<const std::uint8_t*>(write.values)[i] != 0});
  }
  return all;
}

// Asks random questions about the addresses of the accesses.
void compare(tracecodec_trace* t, const std::vector<memory_use>& all) {
  std::mt19937_64 random(7);
  const std::uint64_t end = all.back().index + 1;
  for (int i = 0; i != 30; ++i) {
    const std::uint64_t address = all[random() % all.size()].address + random() % 3,
                        size = 1 + random() % 9, from = random() % end;
    const auto kinds = static_cast<std::uint32_t>(1 + random() % 3);
    CAPTURE(address);
    CAPTURE(size);
    CAPTURE(from);
    CAPTURE(kinds);
    std::uint64_t last = none, next = none, found = 0;
    for (const memory_use& a : all) {
      if ((kinds & (a.write ? TRACECODEC_WRITES : TRACECODEC_READS)) == 0) continue;
      if (a.address - address >= size && address - a.address >= a.size) continue;
      if (a.index < from) last = a.index;
      if (a.index >= from && next == none) next = a.index;
    }
    REQUIRE(tracecodec_last_access(t, address, size, kinds, from, &found) == TRACECODEC_OK);
    CHECK(found == last);
    REQUIRE(tracecodec_next_access(t, address, size, kinds, from, &found) == TRACECODEC_OK);
    CHECK(found == next);
    CHECK(tracecodec_position(t) == 0);
  }
}

}  // namespace

TEST_CASE("accesses are found with and without an index") {
  const test::folder dir;
  for (const std::string& path : test::samples()) {
    CAPTURE(path);
    const auto all = accesses_in(path);
    if (all.empty()) continue;
    const auto t = test::open(path);
    compare(t.get(), all);
    const std::string index = dir / "index";
    REQUIRE(tracecodec_write_index(t.get(), index.c_str()) == TRACECODEC_OK);
    REQUIRE(tracecodec_use_index(t.get(), index.c_str()) == TRACECODEC_OK);
    compare(t.get(), all);
  }
}

#if defined(TRACECODEC_WITH_XZ) && TRACECODEC_OPENS_X64DBG
TEST_CASE("memory is known from the last access") {
  const std::string path = test::data("threads3_64.trace64.xz");
  const auto t = test::open(path);
  constexpr std::uint64_t at = 5000;
  // x64dbg stores whole words, of which an instruction may access only some bytes, or none.
  std::set<std::pair<std::uint64_t, std::uint64_t>> accessed;  // instruction, address
  for (const memory_use& a : accesses_in(path))
    for (std::uint64_t i = 0; i != a.size; ++i) accessed.emplace(a.index, a.address + i);
  struct known {
    std::uint8_t value;
    std::uint64_t index;
  };
  std::map<std::uint64_t, known> memory;
  REQUIRE(tracecodec_want(t.get(), test::bit(TRACECODEC_COLUMN_MEMORY_VALUES), 0) == TRACECODEC_OK);
  REQUIRE(tracecodec_limit(t.get(), at) == TRACECODEC_OK);
  for (std::size_t rows = 0;
       tracecodec_next_columns(t.get(), test::any, &rows) == TRACECODEC_OK && rows != 0;) {
    tracecodec_array address{}, trusted{}, bytes{};
    constexpr int column = TRACECODEC_COLUMN_MEMORY_VALUES;
    REQUIRE(tracecodec_values(t.get(), column, 0, &address) == TRACECODEC_OK);
    REQUIRE(tracecodec_values(t.get(), column, 2, &trusted) == TRACECODEC_OK);
    REQUIRE(tracecodec_values(t.get(), column, 3, &bytes) == TRACECODEC_OK);
    // Values that may be wrong make a byte unknown, unless the instruction also has one that is right.
    for (std::size_t r = 0; r != rows; ++r)
      for (const int is_trusted : {0, 1})
        for (auto i = static_cast<std::size_t>(address.offsets[r]);
             i != static_cast<std::size_t>(address.offsets[r + 1]); ++i) {
          if (static_cast<const std::uint8_t*>(trusted.values)[i] != is_trusted) continue;
          const std::uint64_t first = static_cast<const std::uint64_t*>(address.values)[i];
          for (auto b = bytes.offsets[i]; b != bytes.offsets[i + 1]; ++b) {
            const std::uint64_t place = first + static_cast<std::uint64_t>(b - bytes.offsets[i]);
            if (!accessed.contains({tracecodec_first_row(t.get()) + r, place})) continue;
            if (is_trusted == 0)
              memory.erase(place);
            else
              memory[place] = {static_cast<const std::uint8_t*>(bytes.values)[b],
                               tracecodec_first_row(t.get()) + r};
          }
        }
  }
  REQUIRE(memory.size() > 100);
  int n = 0;
  for (const auto& known_byte : memory) {
    const auto& address = known_byte.first;
    const auto& byte = known_byte.second;
    if (n++ % 37 != 0) continue;
    CAPTURE(address);
    tracecodec_memory_byte found{};
    REQUIRE(tracecodec_memory_at(t.get(), address, 1, at, &found) == TRACECODEC_OK);
    REQUIRE(found.known == TRACECODEC_EARLIER);
    CHECK(found.value == byte.value);
    CHECK(found.index == byte.index);
  }
}
#endif

TEST_CASE("bad questions are refused") {
  const test::folder dir;
  const std::string path = test::data("rapidbin/r250.data");
  const auto t = test::open(path);
  std::uint64_t n = 0;
  tracecodec_memory_byte byte{};
  const auto refused = [&](tracecodec_status s, std::string_view why) {
    CHECK(s == TRACECODEC_REFUSED);
    REQUIRE(tracecodec_last_error(t.get()) != nullptr);
    CHECK(test::view(tracecodec_last_error(t.get())->message).find(why) != std::string_view::npos);
  };
  refused(tracecodec_last_access(t.get(), 1, 0, 3, 9, &n), "exceed the address space");
  refused(tracecodec_last_access(t.get(), none, 2, 3, 9, &n), "exceed the address space");
  refused(tracecodec_next_access(t.get(), 1, 1, 0, 9, &n), "accesses are");
  refused(tracecodec_next_access(t.get(), 1, 1, 5, 9, &n), "accesses are");
  refused(tracecodec_next_access(t.get(), 1, 1, 1, 9, nullptr), "pointer is null");
  refused(tracecodec_memory_at(t.get(), 1, 1, 9, &byte), "values of memory");
  CHECK(tracecodec_use_index(t.get(), (dir / "missing").c_str()) == TRACECODEC_SYSTEM);
  CHECK(tracecodec_last_access(nullptr, 1, 1, 3, 9, &n) == TRACECODEC_REFUSED);

  const std::string bytes(640, '\0');
  tracecodec_trace* m = nullptr;
  auto o = test::options();
  o.format = "champsim";
  REQUIRE(tracecodec_open_memory(bytes.data(), bytes.size(), path.c_str(), &o, &m) ==
          TRACECODEC_OK);
  const test::c_trace in_memory(m);
  CHECK(tracecodec_write_index(m, (dir / "index").c_str()) == TRACECODEC_REFUSED);
}
