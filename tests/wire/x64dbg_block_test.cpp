// Tests x64dbg's instruction block for both targets, with bytes built by hand from the
// format's table.
#include "x64dbg_block.hpp"

#include <doctest/doctest.h>

#include <vector>

#include "support.hpp"

using namespace wire_test;
using wire::errc;
using wire::target;

namespace {

// Type 0, 2 registers, 3 accesses, thread bit and opcode length 2; thread; opcode 48 89;
// relative positions 0 and 5; 2 values; flags 1, 0, 0 (the first is unchanged); 3 addresses; 3
// old values; 2 new values.
constexpr auto x64 =
    hex<"00 02 03 82  2c1a0000  4889  00 05  1111111111111111 2222222222222222"
        "01 00 00  00000000 0000a000 08000000 0000a000 10000000 0000a000"
        "3333333333333333 4444444444444444 5555555555555555  6666666666666666 7777777777777777">;
constexpr auto x86 =
    hex<"00 02 03 82  2c1a0000  4889  00 05  11111111 22222222"
        "01 00 00  0000a000 0800a000 1000a000  33333333 44444444 55555555  66666666 77777777">;
static_assert(x64.size() == 4 + 4 + 2 + 2 + 16 + 3 + 24 + 24 + 16);
static_assert(x86.size() == 4 + 4 + 2 + 2 + 8 + 3 + 12 + 12 + 8);

template <target T, std::size_t N> constexpr bool trip(const std::array<byte, N>& bytes) {
  using codec = block_codec<T>;
  block<T> b{};
  const wire::result r = codec::decode(bytes, b);
  if (!r || r.used != N || codec::extent(b) != N) return false;
  if (b.type != 0 || b.registers != 2 || b.accesses != 3 || !b.has_thread) return false;
  if (b.opcode_length != 2 || b.thread != 6700 || b.opcode[1] != 0x89) return false;
  if (b.positions[1] != 5 || b.flags[0] != 1 || b.new_values.size() != 2) return false;
  constexpr auto repeated = static_cast<wire::word_t<T>>(0x1111111111111111);
  if (b.values[1] != 2 * repeated || b.old_values[2] != 5 * repeated) return false;
  if (b.new_values[0] != 6 * repeated || b.new_values[1] != 7 * repeated) return false;
  std::array<byte, N> out{};
  return codec::encode(b, out).used == N && out == bytes;
}
static_assert(trip<target::x64>(x64) && trip<target::x86>(x86));

TEST_CASE("x64dbg blocks of x64 and x86 round-trip") {
  CHECK(trip<target::x64>(x64));
  CHECK(trip<target::x86>(x86));
  block<target::x64> b{};
  REQUIRE(block_codec<target::x64>::decode(x64, b));
  CHECK(b.addresses[1] == 0x00a0'0000'0000'0008);
}

TEST_CASE("the smallest block has 4 bytes and the next block follows directly") {
  const auto bytes = hex<"00 00 00 00 00 01 00 01 90 04 eeeeeeeeeeeeeeee">;
  using codec = block_codec<target::x64>;
  block<target::x64> b{};
  CHECK(codec::decode(bytes, b).used == 4);
  CHECK(codec::decode(std::span(bytes).subspan(4), b).used == 14);
  CHECK(b.opcode[0] == 0x90);
  CHECK(b.positions[0] == 4);
  CHECK(b.values[0] == 0xeeeeeeeeeeeeeeee);
}

TEST_CASE("the largest block has 8,693 bytes") {
  // 255 accesses, all of them changed, 172 registers, 15 bytes of opcode and a thread id.
  std::vector<byte> bytes(8693);
  bytes[1] = byte{172};
  bytes[2] = byte{255};
  bytes[3] = byte{0x8f};
  block<target::x64> b{};
  CHECK(block_codec<target::x64>::decode(bytes, b).used == 4 + 4 + 15 + 172 * 9 + 255 * 25);
  CHECK(b.new_values.size() == 255);
}

template <target T, std::size_t N> void cut_everywhere(const std::array<byte, N>& bytes) {
  constexpr std::size_t w = sizeof(wire::word_t<T>);
  struct part {
    std::string_view field;
    std::size_t size;
  };
  const part parts[] = {{"type", 1},          {"registers", 1},      {"accesses", 1},
                        {"has_thread", 1},    {"thread", 4},         {"opcode", 2},
                        {"positions", 2},     {"values", 2 * w},     {"flags", 3},
                        {"addresses", 3 * w}, {"old_values", 3 * w}, {"new_values", 2 * w}};
  using codec = block_codec<T>;
  block<T> whole{};
  REQUIRE(codec::decode(bytes, whole));
  std::size_t begin = 0, index = 0;
  for (std::size_t n = 0; n < N; ++n) {
    if (n == begin + parts[index].size) begin += parts[index++].size;
    CAPTURE(n);
    const std::vector<byte> exact(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(n));
    block<T> b{};
    const wire::result read = codec::decode(exact, b);
    CHECK(read.error == errc::truncated);
    CHECK(read.field == parts[index].field);
    CHECK(read.used == begin);
    CHECK(b.type == 0);
    CHECK(b.registers == (n < 4 ? 0 : 2));
    CHECK(b.new_values.empty());
    std::vector<byte> out(n, byte{0xee});
    const wire::result written = codec::encode(whole, out);
    CHECK(written.error == errc::no_space);
    CHECK(written.field == parts[index].field);
    CHECK(written.used == begin);
    CHECK(out == std::vector<byte>(n, byte{0xee}));
  }
}

TEST_CASE("a block truncated at every byte names the field and its offset") {
  cut_everywhere<target::x64>(x64);
  cut_everywhere<target::x86>(x86);
}

TEST_CASE("refuses new values that do not match the flags") {
  using codec = block_codec<target::x64>;
  block<target::x64> b{};
  REQUIRE(codec::decode(x64, b));
  b.new_values = b.new_values.subview(0, 1);
  std::array<byte, 200> out{};
  const wire::result r = codec::encode(b, out);
  CHECK(r.error == errc::count_mismatch);
  CHECK(r.field == "new_values");
  CHECK(r.used == x64.size() - 16);
  CHECK(out == std::array<byte, 200>{});
  REQUIRE(codec::decode(x64, b));
  b.opcode_length = 16;
  CHECK(codec::encode(b, out).error == errc::does_not_fit);
  CHECK(codec::encode(b, out).field == "opcode_length");
  CHECK(codec::encode(b, out).used == 3);
}

}  // namespace
