// Tests bulk.hpp against the codec, which converts one event at a time.
#include "tracecodec/rapidbin/bulk.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <random>
#include <vector>

#include "rapidbin/support.hpp"
#include "tracecodec/wire/columns/columns.hpp"

using namespace test;

namespace {

struct arrays {
  explicit arrays(std::size_t n) : thread(n), location(n), operation(n), sign(n), decor(n) {}
  rapidbin::columns out(bool signs) {
    rapidbin::columns c{thread, operation, decor, location};
    if (signs) c.sign = sign;
    return c;
  }
  rapidbin::const_columns in(bool signs) const {
    rapidbin::const_columns c{thread, operation, decor, location};
    if (signs) c.sign = sign;
    return c;
  }
  event at(std::size_t i, bool signs) const {
    return {signs && sign[i] != 0, location[i], decor[i], static_cast<op>(operation[i]), thread[i]};
  }
  std::vector<std::uint16_t> thread, location;
  std::vector<std::uint8_t> operation, sign;
  std::vector<std::uint64_t> decor;
};

// Returns `n` random events after `before` random bytes.
bytes random_events(std::size_t n, bool signs, std::size_t before = 0) {
  std::mt19937_64 random(n + 1);
  bytes out(before + 8 * n);
  for (std::byte& b : out) b = static_cast<std::byte>(random());
  for (std::size_t i = 0; i < n && !signs; ++i) out[before + 8 * i] &= std::byte{0x7F};
  return out;
}

// The columns that the functions of bulk.hpp decode and encode.
namespace wire = tracecodec::wire;
using id_columns =
    wire::columns<rapidbin::event_codec, &event::thread, wire::as<&event::operation, std::uint8_t>,
                  &event::location, &event::decor>;

// Returns all sizes around a block, and a size that exceeds the assumed cache.
std::vector<std::size_t> sizes() {
  std::vector<std::size_t> all;
  for (std::size_t n = 0; n <= 600; ++n) all.push_back(n);
  all.push_back(5000);
  all.push_back(id_columns::cached_records + 300);
  return all;
}

}  // namespace

TEST_CASE("columns equal the codec's values and encode the same bytes") {
  for (const bool signs : {false, true})
    for (const std::size_t n : sizes()) {
      const bytes raw = random_events(n, signs, 18);  // events are never aligned
      const std::span<const std::byte> at_first_block = std::span(raw).subspan(18);
      const rapidbin::event_array events(at_first_block);
      arrays a(n);
      const auto done = rapidbin::decode(events, a.out(signs));
      REQUIRE(done.events == n);
      bool any = false, same = true;
      for (std::size_t i = 0; i < n; ++i) {
        event e = events[i];
        any |= e.sign;
        e.sign &= signs;
        same &= a.at(i, signs) == e;
      }
      REQUIRE(same);
      REQUIRE(done.signs == any);
      bytes back(18 + 8 * n + 8, std::byte{0xAA});
      const auto made = rapidbin::encode(a.in(signs), std::span(back).subspan(18));
      REQUIRE(made);
      REQUIRE(made.events == n);
      REQUIRE(std::equal(at_first_block.begin(), at_first_block.end(), back.begin() + 18));
      REQUIRE(bytes(back.end() - 8, back.end()) == bytes(8, std::byte{0xAA}));
    }
}

TEST_CASE("decodes and encodes goldens from the specification's bit table") {
  const bytes raw = from_hex("0c35000000f41205 ffffffffffffffff 0000800000000000");
  arrays a(3);
  const auto done = rapidbin::decode(rapidbin::event_array(raw.data(), 3), a.out(true));
  CHECK(done.events == 3);
  CHECK(done.signs);
  CHECK(a.thread == std::vector<std::uint16_t>{517, 1023, 0});
  CHECK(a.operation == std::vector<std::uint8_t>{4, 15, 0});
  CHECK(a.decor == std::vector<std::uint64_t>{976, 0x3FFFFFFFF, std::uint64_t{1} << 33});
  CHECK(a.location == std::vector<std::uint16_t>{3125, 32767, 0});
  CHECK(a.sign == std::vector<std::uint8_t>{0, 1, 0});
}

TEST_CASE("bulk functions end with the shortest column or with the output") {
  const bytes raw = random_events(700, false);
  const rapidbin::event_array events(raw.data(), 700);
  for (const std::size_t n : {0U, 1U, 255U, 256U, 257U, 699U}) {
    arrays a(700);
    auto c = a.out(false);
    c.decor = c.decor.first(n);
    a.thread.assign(700, 0xFFFF);
    CHECK(rapidbin::decode(events, c).events == n);
    CHECK(a.thread[n] == 0xFFFF);
    rapidbin::decode(events, a.out(false));
    bytes back(8 * n + 7);
    const auto made = rapidbin::encode(a.in(false), back);
    CHECK(made.events == n);
    CHECK(made);
  }
}

TEST_CASE("encoding stops at the first id that does not fit") {
  struct bad {
    const char* field;
    void (*spoil)(arrays&, std::size_t);
  };
  const bad all[] = {
      {"location", [](arrays& a, std::size_t i) { a.location[i] = 32768; }},
      {"decor", [](arrays& a, std::size_t i) { a.decor[i] = std::uint64_t{1} << 34; }},
      {"decor", [](arrays& a, std::size_t i) { a.decor[i] = std::uint64_t{1} << 63; }},
      {"operation", [](arrays& a, std::size_t i) { a.operation[i] = 16; }},
      {"thread", [](arrays& a, std::size_t i) { a.thread[i] = 1024; }},
      {"thread", [](arrays& a, std::size_t i) { a.thread[i] = 65535; }},
  };
  for (const bad& b : all)
    for (const std::size_t at : {0U, 1U, 255U, 256U, 511U, 599U}) {
      const bytes raw = random_events(600, false);
      arrays a(600);
      rapidbin::decode(rapidbin::event_array(raw.data(), 600), a.out(false));
      b.spoil(a, at);
      bytes back(8 * 600, std::byte{0xAA});
      const auto made = rapidbin::encode(a.in(false), back);
      CHECK_FALSE(made);
      CHECK(made.error == tracecodec::wire::errc::does_not_fit);
      CHECK(made.field == b.field);
      CHECK(made.events == at);
      CHECK(std::equal(raw.begin(), raw.begin() + static_cast<long>(8 * at), back.begin()));
      CHECK(std::all_of(back.begin() + static_cast<long>(8 * at), back.end(),
                        [](std::byte v) { return v == std::byte{0xAA}; }));
    }
}
