// Whether bytes begin as a header does, whole or cut.
#pragma once
#include <array>
#include <cstddef>
#include <span>

#include "../wire/result.hpp"

namespace tracecodec::file {

// Whether `front`, the first bytes of an input, may be the begin of what `Codec` describes, or all that
// is left of it: where bytes are missing they are those of constants, and otherwise 0. Nothing is none.
template <class Codec> constexpr bool begins_like(std::span<const std::byte> front) noexcept {
  std::array<std::byte, Codec::front_size> whole{};
  Codec::store_front({}, whole);
  for (std::size_t i = 0; i < whole.size() && i < front.size(); ++i) whole[i] = front[i];
  typename Codec::value_type s{};
  const wire::errc e = Codec::decode(whole, s).error;
  return !front.empty() && (e == wire::errc::ok || e == wire::errc::truncated);
}

}  // namespace tracecodec::file
