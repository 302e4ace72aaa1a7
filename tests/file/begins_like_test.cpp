// Tests begins_like(): bytes, whole or truncated, that begin like a header.
#include <doctest/doctest.h>

#include <cstdint>
#include <string_view>
#include <tracecodec/file/begins_like.hpp>
#include <tracecodec/wire/record.hpp>
#include <tracecodec/wire/rules/constant.hpp>
#include <tracecodec/wire/types/view.hpp>

namespace file = tracecodec::file;
namespace wire = tracecodec::wire;

namespace {
struct header {
  std::array<char, 4> magic;
  std::uint8_t version, kind;
  std::uint16_t size;
  wire::array_view<wire::u8> text;
};
using header_codec = wire::record<
    wire::fields<wire::constant<&header::magic, "STEP">, wire::constant<&header::version, 1>,
                 wire::one_of<&header::kind, 0, 7>, wire::field<&header::size>,
                 wire::counted<&header::text, &header::size>>>;
bool begins(std::string_view s) {
  return file::begins_like<header_codec>(std::as_bytes(std::span(s)));
}
}  // namespace

TEST_CASE("begins_like() recognises the beginning of a header") {
  using namespace std::string_view_literals;
  constexpr std::string_view whole = "STEP\1\7\3\0abc and more"sv;
  CHECK(!begins({}));
  for (std::size_t n = 1; n <= whole.size(); ++n) CHECK(begins(whole.substr(0, n)));
  CHECK(!begins("X"));
  CHECK(!begins("STEQ"));
  CHECK(!begins("STE\1"));
  CHECK(!begins("STEP\2"));
  CHECK(!begins("STEP\1\6"));
}
