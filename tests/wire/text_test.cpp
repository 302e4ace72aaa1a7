// Tests text: concatenation, and truncation at its capacity.
#include <doctest/doctest.h>
#include <tracecodec/wire/text.hpp>

#include <limits>
#include <string>

namespace wire = tracecodec::wire;

namespace {

constexpr wire::text pieces() {
  wire::text t = std::string_view("u8");
  t += "[";
  t += std::size_t{0};
  t += ",";
  t += std::numeric_limits<std::size_t>::max();
  return t += "]";
}
static_assert(pieces().view() ==
              (sizeof(std::size_t) == 8 ? "u8[0,18446744073709551615]" : "u8[0,4294967295]"));
static_assert(wire::text().view().empty());

TEST_CASE("text is truncated at its capacity") {
  const std::string long_one(100, 'x');
  wire::text t = std::string_view(long_one);
  CHECK(t.view() == std::string(95, 'x'));
  t += "y";
  t += std::size_t{12345};
  CHECK(t.view() == std::string(95, 'x'));
  wire::text u = std::string_view(long_one).substr(0, 93);
  u += std::size_t{12345};
  CHECK(u.view() == std::string(93, 'x') + "12");
}

}  // namespace
