// Tests that decode rejects invalid elements wherever they are. Iteration therefore never meets an
// invalid element.
#include <tracecodec/wire.hpp>

#include "whole.hpp"

namespace wire = tracecodec::wire;
using wire::errc;
using namespace wire_test;

namespace {

// Number that is stored twice.
using twice = wire::both_orders_of<std::uint16_t>;
struct grade {
  std::uint8_t of;
  std::uint8_t value;
};
using grade_codec =
    wire::record<wire::fields<wire::field<&grade::of>, wire::in_range<&grade::value, 1, 6>>>;

struct all {
  std::uint8_t n, stride;
  wire::array_view<grade_codec> grades;
  wire::strided_view<grade_codec> rows;
};
template <class... Words> using codec = wire::record<wire::fields<Words...>>;
using counted = codec<wire::field<&all::n>, wire::counted<&all::grades, &all::n>,
                      wire::not_on_wire<&all::stride>, wire::not_on_wire<&all::rows>>;
using strided =
    codec<wire::field<&all::n>, wire::field<&all::stride>,
          wire::strided<&all::rows, &all::n, &all::stride>, wire::not_on_wire<&all::grades>>;
using prefixed = codec<wire::prefixed<&all::grades, std::uint8_t>, wire::not_on_wire<&all::n>,
                       wire::not_on_wire<&all::stride>, wire::not_on_wire<&all::rows>>;
using rest = codec<wire::field<&all::n>, wire::rest<&all::grades>, wire::not_on_wire<&all::stride>,
                   wire::not_on_wire<&all::rows>>;

TEST_CASE("refuses views of records that contain invalid values") {
  CHECK(comes_back<counted>(hex<"02 0106 0201">).grades.size() == 2);
  CHECK(refused<counted>(hex<"02 0106 0207">) == refusal{errc::invalid_value, "grades", 1});
  comes_back<strided>(hex<"02 03 010600 020100">);
  CHECK(refused<strided>(hex<"02 03 010600 020000">) == refusal{errc::invalid_value, "rows", 2});
  comes_back<prefixed>(hex<"02 0106 0201">);
  CHECK(refused<prefixed>(hex<"02 0106 0207">) == refusal{errc::invalid_value, "grades", 0});
  CHECK_FALSE(refused<rest>(hex<"09 0106 0201">).error != errc::ok);
  CHECK(refused<rest>(hex<"09 0106 0200">) == refusal{errc::invalid_value, "grades", 1});
}

struct texts {
  wire::array_view<twice> pairs;
  std::uint8_t behind;
};
template <class Word> using texts_codec = codec<Word, wire::field<&texts::behind>>;

TEST_CASE("refuses views of numbers whose two copies differ") {
  using terminated = texts_codec<wire::terminated<&texts::pairs>>;
  comes_back<terminated>(hex<"01000001 02000002 00000000 77">);
  CHECK(refused<terminated>(hex<"01000002 00000000 77">) == refusal{errc::malformed, "pairs", 0});
  using padded = texts_codec<wire::padded<&texts::pairs, 2>>;
  CHECK(comes_back<padded>(hex<"01000001 00000000 77">).pairs.size() == 1);
  CHECK(refused<padded>(hex<"01000002 00000000 77">) == refusal{errc::malformed, "pairs", 0});
  // The length itself may be invalid (ISO 9660 stores such numbers twice).
  using behind_length = texts_codec<wire::prefixed<&texts::pairs, twice>>;
  comes_back<behind_length>(hex<"01000001 02000002 77">);
  CHECK(refused<behind_length>(hex<"01000002 02000002 77">) ==
        refusal{errc::malformed, "pairs", 0});
}

}  // namespace
