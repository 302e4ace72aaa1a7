// Tests hashes: known values of the finalizer, and keys that are crafted to collide.
#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tracecodec/io/hash.hpp"

using tracecodec::io::keyed_hash;

namespace {

// Returns true if the 4,096 hashes occupy about 63 % of 4,096 buckets, as random hashes do. Checks
// the low and the high bits of the hashes.
bool are_spread(const std::vector<std::size_t>& hashes) {
  constexpr std::size_t places = 4096;
  REQUIRE(hashes.size() == places);
  std::set<std::size_t> low, high;
  for (const std::size_t h : hashes) {
    low.insert(h % places);
    high.insert(h / (~std::size_t{0} / places + 1));
  }
  return std::min(low.size(), high.size()) > places * 6 / 10;
}
template <class Key> bool are_spread(Key key) {
  std::vector<std::size_t> hashes;
  for (std::uint64_t i = 0; i < 4096; ++i) hashes.push_back(keyed_hash()(key(i)));
  return are_spread(hashes);
}

}  // namespace

TEST_CASE("hash: mixed() equals SplitMix64") {
  // The first three outputs of SplitMix64 from state 0. The state grows by 2^64 divided by the
  // golden ratio.
  constexpr std::uint64_t step = 0x9E3779B97F4A7C15;
  CHECK(tracecodec::io::mixed(step) == 0xE220A8397B1DCDAF);
  CHECK(tracecodec::io::mixed(2 * step) == 0x6E789E6AA1B965F4);
  CHECK(tracecodec::io::mixed(3 * step) == 0x06C45D188009454F);
}

TEST_CASE("hash: spreads numbers that collide in other tables") {
  CHECK(are_spread([](std::uint64_t i) { return i; }));
  CHECK(are_spread([](std::uint64_t i) { return i << 52; }));      // equal low bits
  CHECK(are_spread([](std::uint64_t i) { return i * 1000003; }));  // equal remainders
  // Products with the inverse of a common hash multiplier.
  CHECK(are_spread([](std::uint64_t i) { return i * 0xF1DE83E19937733D; }));
  static_assert(0xF1DE83E19937733D * 0x9E3779B97F4A7C15 == 1);
}

TEST_CASE("hash: spreads several numbers") {
  std::vector<std::size_t> hashes;
  for (std::uint64_t i = 0; i < 4096; ++i) hashes.push_back(keyed_hash()(~i, i, 0U));
  CHECK(are_spread(hashes));
  CHECK(keyed_hash()(1, 2) != keyed_hash()(2, 1));
  CHECK(keyed_hash()(1, 2) == keyed_hash()(1, 2));
}

TEST_CASE("hash: spreads texts") {
  for (const std::size_t length : {3U, 8U, 9U, 40U}) {
    CAPTURE(length);
    CHECK(are_spread([length](std::uint64_t i) {
      std::string s(length, 'a');
      s[0] = static_cast<char>(i);
      s[length - 1] = static_cast<char>(i >> 8);
      return s;
    }));
  }
  // Hashes depend on the length, but not on the address.
  std::set<std::size_t> seen;
  const std::string zeros(65, '\0');
  for (std::size_t n = 0; n < 65; ++n) {
    const std::size_t h = keyed_hash()(std::string_view(zeros).substr(0, n));
    CHECK(h == keyed_hash()(std::string_view(zeros).substr(65 - n)));
    seen.insert(h);
  }
  CHECK(seen.size() == 65);
  // A byte of the text must not cancel out the length.
  for (std::size_t n = 1; n <= 8; ++n) {
    std::string s(n, '\0');
    s[0] = static_cast<char>(n ^ 0x40);
    seen.insert(keyed_hash()(s));
  }
  CHECK(seen.size() == 73);
  CHECK(keyed_hash()(std::string_view{}) == keyed_hash()(std::string_view("")));
}
