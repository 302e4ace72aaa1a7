// Tests reading and writing fixed records that are truncated at every byte. The error names the
// field and its offset, and no byte outside is accessed.
#include <doctest/doctest.h>
#include <tracecodec/champsim/layout.hpp>

#include <vector>

#include "support.hpp"

namespace wire = tracecodec::wire;
namespace champsim = tracecodec::champsim;
using namespace wire_test;
using wire::errc;

namespace {

struct part {
  std::string_view field;
  std::size_t offset;
};

// Truncates a record at every byte. `parts` are in wire order. The error names the last part that
// begins at or before the truncation. A truncation in padding belongs to the part after the
// padding.
template <class Codec>
void cut_everywhere(std::span<const part> parts, std::span<const std::size_t> ends) {
  for (std::size_t n = 0; n < Codec::size; ++n) {
    CAPTURE(n);
    std::size_t i = 0;
    while (ends[i] <= n && i + 1 < parts.size()) ++i;
    const std::vector<byte> in(n);
    typename Codec::value_type s{};
    s.ip = 77;
    const wire::result read = Codec::decode(in, s);
    CHECK(read.error == errc::truncated);
    CHECK(read.field == parts[i].field);
    CHECK(read.used == parts[i].offset);
    CHECK(s.ip == 77);
    std::vector<byte> out(n + 1, byte{0xee});
    const wire::result written = Codec::encode(s, std::span(out).first(n));
    CHECK(written.error == errc::no_space);
    CHECK(written.field == parts[i].field);
    CHECK(written.used == parts[i].offset);
    CHECK(out == std::vector<byte>(n + 1, byte{0xee}));
  }
}

TEST_CASE("reports the field at which ChampSim's record is truncated") {
  const part parts[] = {{"ip", 0},
                        {"is_branch", 8},
                        {"branch_taken", 9},
                        {"destination_registers", 10},
                        {"source_registers", 12},
                        {"destination_memory", 16},
                        {"source_memory", 32}};
  const std::size_t ends[] = {8, 9, 10, 12, 16, 32, 64};
  cut_everywhere<champsim::instruction_codec>(parts, ends);
}

TEST_CASE("reports the field or the padding at which CloudSuite's record is truncated") {
  const part parts[] = {{"ip", 0},
                        {"is_branch", 8},
                        {"branch_taken", 9},
                        {"destination_registers", 10},
                        {"source_registers", 14},
                        {"destination_memory", 24},
                        {"source_memory", 56},
                        {"asid", 88}};
  const std::size_t ends[] = {8, 9, 10, 14, 18, 56, 88, 96};
  cut_everywhere<champsim::cloudsuite_codec>(parts, ends);
}

TEST_CASE("uses a longer input or output only up to the record's end") {
  std::array<byte, 70> buffer{};
  champsim::instruction s{};
  CHECK(champsim::instruction_codec::decode(buffer, s).used == 64);
  buffer.fill(byte{0xee});
  CHECK(champsim::instruction_codec::encode(s, buffer).used == 64);
  CHECK(hex_of(std::span(buffer).subspan(64)) == "eeeeeeeeeeee");
  CHECK(champsim::instruction_codec::decode(std::span<const byte>(), s).field == "ip");
}

// Texts of the errors for messages.
static_assert(wire::message(errc::ok) == "no error");
static_assert(wire::message(errc::truncated) == "the input ends inside the field");
static_assert(wire::message(errc::no_space) == "the output ends inside the field");
static_assert(wire::message(errc::does_not_fit) == "the value does not fit the field");
static_assert(wire::message(errc::count_mismatch) == "the array's length differs from its count");
static_assert(wire::message(errc::out_of_bounds) == "the pointer points outside its bytes");
static_assert(wire::message(static_cast<errc>(99)) == "unknown error");
static_assert(wire::result{} && !wire::result{3, errc::truncated, "x"});

}  // namespace
