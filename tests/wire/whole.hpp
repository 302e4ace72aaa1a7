// Checks for every item: bytes round-trip exactly, and an error names a field wherever the
// bytes are truncated.
#pragma once
#include <doctest/doctest.h>

#include <tracecodec/wire/record.hpp>
#include <vector>

#include "support.hpp"

namespace wire_test {

// Returns a copy of exactly these bytes, so that a sanitizer detects reads after them. (noinline,
// because otherwise g++ 12 at -O3 warns about reads after the buffer.)
[[gnu::noinline]] inline std::vector<byte> exactly(std::span<const byte> bytes) {
  return {bytes.begin(), bytes.end()};
}

// Decodes all of `bytes`, encodes the result, and truncates them everywhere.
template <class Codec> typename Codec::value_type comes_back(std::span<const byte> bytes) {
  namespace wire = tracecodec::wire;
  const std::vector<byte> exact = exactly(bytes);
  static std::vector<std::vector<byte>> kept;  // views point into it
  kept.push_back(exact);
  typename Codec::value_type s{};
  const wire::result r = Codec::decode(kept.back(), s);
  REQUIRE_MESSAGE(r.error == wire::errc::ok, wire::message(r.error));
  CHECK(r.used == bytes.size());
  CHECK(Codec::extent(s) == bytes.size());
  std::vector<byte> out(bytes.size() + 1, byte{0xEE});
  const wire::result w = Codec::encode(s, out);
  REQUIRE_MESSAGE(w.error == wire::errc::ok, wire::message(w.error));
  CHECK(w.used == bytes.size());
  CHECK(out.back() == byte{0xEE});
  out.pop_back();
  CHECK(hex_of(out) == hex_of(bytes));
  for (std::size_t n = 0; n < bytes.size(); ++n) {
    const std::vector<byte> cut = exactly(bytes.first(n));
    typename Codec::value_type t{};
    const wire::result c = Codec::decode(cut, t);
    CHECK(c.error == wire::errc::truncated);
    CHECK(c.used <= n);
    CHECK(!c.field.empty());
    std::vector<byte> untouched(bytes.size(), byte{0xEE});
    const wire::result e = Codec::encode(s, std::span(untouched).first(n));
    CHECK(e.error == wire::errc::no_space);
    CHECK(untouched == std::vector<byte>(bytes.size(), byte{0xEE}));
    CHECK(e.used <= n);
    CHECK(!e.field.empty());
  }
  return s;
}

// Result of decode for bytes that it rejects: the error, the field, and its offset.
struct refusal {
  tracecodec::wire::errc error;
  std::string_view field;
  std::size_t at;
  friend bool operator==(const refusal&, const refusal&) = default;
};
template <class Codec> refusal refused(std::span<const byte> bytes) {
  const std::vector<byte> exact = exactly(bytes);
  typename Codec::value_type s{};
  const auto r = Codec::decode(exact, s);
  return {r.error, r.field, r.used};
}

}  // namespace wire_test
