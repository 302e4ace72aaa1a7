// What each word must do: come back byte for byte, and name a field wherever its bytes are cut.
#pragma once
#include <doctest/doctest.h>

#include <tracecodec/wire/record.hpp>
#include <vector>

#include "support.hpp"

namespace wire_test {

// Decodes all of `bytes`, encodes what came out, and cuts them everywhere.
template <class Codec> typename Codec::value_type comes_back(std::span<const byte> bytes) {
  namespace wire = tracecodec::wire;
  // Bytes behind it belong to others: whoever reads them says so under a sanitizer.
  const std::vector<byte> exact(bytes.begin(), bytes.end());
  static std::vector<std::vector<byte>> kept;  // views lead into it
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
    const std::vector<byte> cut(exact.begin(), exact.begin() + static_cast<std::ptrdiff_t>(n));
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

// What decode says of bytes that it refuses: the error, the field, and where it begins.
struct refusal {
  tracecodec::wire::errc error;
  std::string_view field;
  std::size_t at;
  friend bool operator==(const refusal&, const refusal&) = default;
};
template <class Codec> refusal refused(std::span<const byte> bytes) {
  const std::vector<byte> exact(bytes.begin(), bytes.end());
  typename Codec::value_type s{};
  const auto r = Codec::decode(exact, s);
  return {r.error, r.field, r.used};
}

}  // namespace wire_test
