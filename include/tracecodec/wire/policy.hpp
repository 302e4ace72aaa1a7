// The three decisions that turn a struct into bytes: byte order, placement, target.
#pragma once
#include <bit>
#include <cstdint>
#include <type_traits>

namespace tracecodec::wire {

// order::little, order::big, order::native.
using order = std::endian;

enum class placement : std::uint8_t {
  packed,  // each field directly behind the one before
  natural  // the C rule: each field at a multiple of its alignment, the tail padded to the largest
};

enum class target : std::uint8_t { x86, x64 };

// The unsigned integer as wide as a pointer of the target: 4 bytes for x86, 8 for x64.
template <target T> using word_t =
    std::conditional_t<T == target::x86, std::uint32_t, std::uint64_t>;

// Stands for `word_t` of the record's own target in a description: field<&S::address, word>.
struct word {
  word() = delete;
};

template <order O, placement P, target T> struct policy {
  static constexpr order byte_order = O;
  static constexpr placement place = P;
  static constexpr target arch = T;
};

}  // namespace tracecodec::wire
