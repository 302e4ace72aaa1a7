// Policy of a record: the byte order, placement and target that determine how a struct is stored as
// bytes.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

#include "../config.hpp"

namespace tracecodec::wire {

// Byte order: order::little, order::big or order::native.
using order = std::endian;

enum class placement : std::uint8_t {
  packed,  // each field directly after the previous one
  natural  // C's rule: each field is aligned, and the tail is padded to the largest alignment
};

enum class target : std::uint8_t { x86, x64 };

// Unsigned integer as wide as a pointer of the target: 4 bytes for x86, 8 for x64.
template <target T> using word_t =
    std::conditional_t<T == target::x86, std::uint32_t, std::uint64_t>;

// Placeholder in descriptions for the target's word_t, as in field<&S::address, word>.
struct word {
  word() = delete;
};

template <order O, placement P, target T> struct policy {
  static constexpr order byte_order = O;
  static constexpr placement place = P;
  static constexpr target arch = T;
};

}  // namespace tracecodec::wire
