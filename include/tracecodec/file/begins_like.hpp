// Comparison of the first bytes of an input with a header, which may be truncated.
#pragma once
#include <array>
#include <cstddef>
#include <span>

#include "../wire/result.hpp"

namespace tracecodec::file {

// Returns true if `front`, the first bytes of an input, may be the beginning of what `Codec`
// describes, or all that is left of it. Missing bytes count as those of constants, and
// otherwise as 0. Returns false if `front` is empty.
template <class Codec> constexpr bool begins_like(std::span<const std::byte> front) noexcept {
  std::array<std::byte, Codec::front_size> whole{};
  Codec::store_front({}, whole);
  for (std::size_t i = 0; i < whole.size() && i < front.size(); ++i) whole[i] = front[i];
  typename Codec::value_type s{};
  const wire::errc e = Codec::decode(whole, s).error;
  return !front.empty() && (e == wire::errc::ok || e == wire::errc::truncated);
}

}  // namespace tracecodec::file
