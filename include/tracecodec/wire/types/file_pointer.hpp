// Typed offsets stored in a file: their type states what they point to and what they are
// relative to.
#pragma once
#include <concepts>
#include <cstddef>
#include <span>

#include "../result.hpp"
#include "scalar.hpp"

namespace tracecodec::wire {

struct whole_file;  // base of a pointer that counts from the file's first byte

// Bytes that pointers with base `Base` are relative to. The type prevents a pointer that
// counts from a table's extra area from being applied to the file.
template <class Base = whole_file> struct region { std::span<const byte> bytes; };

// Bytes to which a pointer leads, or the reason why it leads nowhere.
struct located {
  std::span<const byte> bytes = {};
  errc error = errc::ok;
  constexpr explicit operator bool() const noexcept { return error == errc::ok; }
};

template <class P, class W> struct file_pointer_codec;

// Offset in bytes from the start of a region<Base> to a `To`, stored as integer `Rep`.
template <class To, class Base = whole_file, std::integral Rep = std::uint64_t>
struct file_pointer {
  Rep offset{};

  // Returns the `n` bytes to which the offset leads. Returns out_of_bounds if the offset is
  // negative or fewer than `n` bytes follow it inside the region. Never forms a pointer
  // outside the region.
  [[nodiscard]] constexpr located locate(region<Base> base, std::size_t n) const noexcept {
    const located rest = locate_rest(base);
    if (!rest) return rest;
    if (rest.bytes.size() < n) return {{}, errc::out_of_bounds};
    return {rest.bytes.first(n), errc::ok};
  }
  // Returns all bytes from the offset to the region's end, for data that state their own
  // length.
  [[nodiscard]] constexpr located locate_rest(region<Base> base) const noexcept {
    if (offset < Rep{} || static_cast<std::uint64_t>(offset) > base.bytes.size())
      return {{}, errc::out_of_bounds};
    return {base.bytes.subspan(static_cast<std::size_t>(offset)), errc::ok};
  }
  // Returns the bytes of a `To` that is a codec of fixed size. (A template, because clang 14
  // examines the constraints of a plain member function even if nothing calls it.)
  template <class T = To> [[nodiscard]] constexpr located locate(region<Base> base) const noexcept
      requires(T::size > 0) {
    return locate(base, T::size);
  }

  friend constexpr bool operator==(const file_pointer&, const file_pointer&) = default;

  template <class Policy> using wire_type =
      file_pointer_codec<file_pointer, scalar<Rep, Policy::byte_order>>;
};

// Wire type of a file_pointer `P`: its integer, of wire type `W`.
template <class P, class W> struct file_pointer_codec {
  using value_type = P;
  static constexpr std::size_t size = W::size;
  static constexpr std::size_t alignment = W::alignment;
  static constexpr order byte_order = W::byte_order;
  static constexpr bool has_order = W::has_order;
  static constexpr bool object_bytes = W::object_bytes;
  TRACECODEC_INLINE static constexpr P load(const byte* p) noexcept { return {W::load(p)}; }
  TRACECODEC_INLINE static constexpr void store(P v, byte* p) noexcept { W::store(v.offset, p); }
  static constexpr bool fits(const P&) noexcept { return true; }
  static constexpr text type_name() noexcept {
    text t = W::type_name();
    return t += " pointer";
  }
};

}  // namespace tracecodec::wire
