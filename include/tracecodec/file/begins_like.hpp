// Checks whether an input begins with a header, which may be truncated.
#pragma once
#include <array>
#include <cstddef>
#include <span>

#include "../wire/result.hpp"

namespace tracecodec::file {

// Returns true if `front`, the first bytes of an input, can be the beginning of a record described
// by `Codec`. A truncated record also matches: missing bytes of constants are assumed to be
// correct, and other missing bytes to be 0. Returns false if `front` is empty.
template <class Codec> constexpr bool begins_like(std::span<const std::byte> front) noexcept {
  std::array<std::byte, Codec::front_size> whole{};
  Codec::store_front({}, whole);
  for (std::size_t i = 0; i < whole.size() && i < front.size(); ++i) whole[i] = front[i];
  typename Codec::value_type s{};
  const wire::errc e = Codec::decode(whole, s).error;
  return !front.empty() && (e == wire::errc::ok || e == wire::errc::truncated);
}

}  // namespace tracecodec::file
