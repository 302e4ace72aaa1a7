// Input of the tests of debugger printers: views of known bytes, and an error.
#include <array>
#include <cstdint>
#include <tracecodec/io/error.hpp>
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

namespace {

enum class color : std::uint8_t { red, green };
struct flags {
  std::uint8_t high, low;
};
struct point {
  std::int16_t x;
  color paint;
  std::array<std::uint16_t, 2> rest;
};
// Encodes the members in an order that differs from the struct's, with a gap.
using point_items = wire::fields<wire::field<&point::paint>, wire::padding<1>,
                                 wire::field<&point::x>, wire::field<&point::rest>>;
using plain = wire::record<point, wire::order::big>;
using sliced =
    wire::record<wire::fields<wire::bit_slices<std::uint16_t, wire::bits<&flags::high, 4>,
                                               wire::unused_bits<4>, wire::bits<&flags::low, 8>>>,
                 wire::order::big>;
using natural = wire::record<point, wire::order::little, wire::placement::natural>;
using listed = wire::record<point_items, wire::order::big>;

constexpr std::array<wire::byte, 8> bytes{wire::byte{1},    wire::byte{2}, wire::byte{0},
                                          wire::byte{0xFE}, wire::byte{0}, wire::byte{4},
                                          wire::byte{0x75}, wire::byte{6}};

[[gnu::noinline]] int stop(const wire::array_view<wire::u16be>& numbers,
                           const wire::array_view<plain>& points,
                           const wire::record_view<natural>& one,
                           const wire::record_view<listed>& other,
                           const wire::record_view<sliced>& slices,
                           const tracecodec::trace_error& error) {
  return static_cast<int>(numbers.size() + points.size()) + (one.get<&point::x>() != 0) +
         (other.get<&point::x>() != 0) + (slices.get<&flags::low>() != 0) +
         (error.file().empty() ? 1 : 0);
}

}  // namespace

int main() {
  const tracecodec::trace_error error(tracecodec::trace_errc::bad_value, {"a.trace", 128, {}, "ip"},
                                      "is 0");
  const std::span<const wire::byte, 8> all(bytes);
  return stop(wire::array_view<wire::u16be>(all.first(6)), wire::array_view<plain>(all),
              wire::record_view<natural>(all), wire::record_view<listed>(all),
              wire::record_view<sliced>(all.last<2>()), error) == 0;
}
