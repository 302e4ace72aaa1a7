// Finds a part of varying size at the end of a file, such as the end of the central directory of a
// ZIP archive.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "../wire/result.hpp"

namespace tracecodec::file {

// Result of find_from_back().
template <class Codec> struct part_at_end {
  bool found = false;
  std::size_t offset = 0;                 // offset of the part in the bytes
  typename Codec::value_type value = {};  // views in the value point into the bytes
  constexpr explicit operator bool() const noexcept { return found; }
};

// Returns the last part that `Codec` accepts and that ends exactly where `bytes` ends. At most the
// last `longest` bytes belong to the part. `Codec` should begin with a constant, because otherwise
// almost any bytes could be the part. Takes time in proportion to `longest` times the part's size,
// if many positions have the constant.
template <class Codec> constexpr part_at_end<Codec> find_from_back(std::span<const std::byte> bytes,
                                                                   std::size_t longest) noexcept {
  static_assert(Codec::refuses,
                "a part that is found from the back begins with a constant: constant<&S::magic, "
                "value> or literal<\"text\">");
  part_at_end<Codec> part{};
  for (std::size_t n = 1, most = std::min(longest, bytes.size()); n <= most; ++n) {
    part.offset = bytes.size() - n;
    part.value = {};
    const wire::result r = Codec::decode(bytes.subspan(part.offset), part.value);
    part.found = r && r.used == n;
    if (part.found) return part;
  }
  return {};
}

}  // namespace tracecodec::file
