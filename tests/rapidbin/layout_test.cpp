// Tests layout.hpp against the specification's table, written out by hand.
#include "tracecodec/rapidbin/layout.hpp"

#include <doctest/doctest.h>

#include <random>

#include "rapidbin/support.hpp"

using namespace test;

TEST_CASE("the header is 18 bytes, big-endian") {
  const bytes raw = from_hex("0102 03040506 0708090a 0b0c0d0e0f101112");
  rapidbin::header h{};
  CHECK(rapidbin::header_codec::decode(raw, h));
  CHECK(h.threads == 0x0102);
  CHECK(h.locks == 0x03040506);
  CHECK(h.variables == 0x0708090A);
  CHECK(h.events == 0x0B0C0D0E0F101112);
  CHECK(header_bytes(h) == raw);
  const bytes negative = from_hex("ffff fffffffe fffffffd fffffffffffffffc");
  CHECK(rapidbin::header_codec::decode(negative, h));
  CHECK(h == rapidbin::header{-1, -2, -3, -4});
}

TEST_CASE("each field of an event has the specified bits") {
  struct golden {
    const char* hex;
    event e;
  };
  // Bit 0 is the most significant bit: sign 0, location 1-15, decor 16-49, operation 50-53,
  // thread 54-63.
  const golden goldens[] = {
      {"0000000000000000", {false, 0, 0, op::acquire, 0}},
      {"8000000000000000", {true, 0, 0, op::acquire, 0}},
      {"7fff000000000000", {false, 32767, 0, op::acquire, 0}},
      {"0001000000000000", {false, 1, 0, op::acquire, 0}},
      {"0000ffffffffc000", {false, 0, 0x3FFFFFFFF, op::acquire, 0}},
      {"0000000000004000", {false, 0, 1, op::acquire, 0}},
      {"0000800000000000", {false, 0, std::uint64_t{1} << 33, op::acquire, 0}},
      {"0000000000003c00", {false, 0, 0, static_cast<op>(15), 0}},
      {"0000000000000400", {false, 0, 0, op::release, 0}},
      {"00000000000003ff", {false, 0, 0, op::acquire, 1023}},
      {"ffffffffffffffff", {true, 32767, 0x3FFFFFFFF, static_cast<op>(15), 1023}},
      {"0c35000000f41205", {false, 3125, 976, op::fork, 517}},
  };
  for (const golden& g : goldens) {
    const bytes raw = from_hex(g.hex);
    event e{};
    REQUIRE(rapidbin::event_codec::decode(raw, e));
    CHECK(e == g.e);
    CHECK(event_bytes({g.e}) == raw);
    const std::span<const std::byte> all(raw);
    const rapidbin::event_view v(all.first<8>());
    CHECK(v.value() == g.e);
    CHECK(v.sign() == g.e.sign);
    CHECK(v.location() == g.e.location);
    CHECK(v.decor() == g.e.decor);
    CHECK(v.operation() == g.e.operation);
    CHECK(v.thread() == g.e.thread);
  }
}

TEST_CASE("any eight bytes are an event and round-trip") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 10000; ++i) {
    bytes raw(8);
    const std::uint64_t v = random();
    for (unsigned b = 0; b < 8; ++b) raw[b] = static_cast<std::byte>(v >> 8 * b);
    event e{};
    REQUIRE(rapidbin::event_codec::decode(raw, e));
    REQUIRE(event_bytes({e}) == raw);
  }
}

TEST_CASE("operations have names and operands") {
  CHECK(name(op::acquire) == "acquire");
  CHECK(name(op::branch) == "branch");
  CHECK(name(static_cast<op>(10)) == "undefined");
  CHECK(rapidbin::defined(op::branch));
  CHECK_FALSE(rapidbin::defined(static_cast<op>(10)));
  using rapidbin::operand;
  CHECK(rapidbin::operand_of(op::request) == operand::lock);
  CHECK(rapidbin::operand_of(op::write) == operand::variable);
  CHECK(rapidbin::operand_of(op::join) == operand::thread);
  CHECK(rapidbin::operand_of(op::end) == operand::none);
  CHECK(rapidbin::operand_of(static_cast<op>(15)) == operand::none);
}

TEST_CASE("a view of many events decodes on access") {
  const bytes raw = every_operation_bytes();
  const std::span<const std::byte> bytes_of_all(raw);
  const rapidbin::event_array all(bytes_of_all.subspan(18));
  const events expected = every_operation();
  REQUIRE(all.size() == expected.size());
  for (std::size_t i = 0; i < all.size(); ++i) {
    CHECK(all[i] == expected[i]);
    CHECK(rapidbin::event_view(all, i).operation() == expected[i].operation);
  }
}
