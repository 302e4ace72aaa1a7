// Typed offsets stored in a file. The type of an offset specifies the target and the region to
// which the offset is relative.
#pragma once
#include <concepts>
#include <cstddef>
#include <span>

#include "../result.hpp"
#include "scalar.hpp"

namespace tracecodec::wire {

// Base of a pointer that is relative to the file's first byte.
struct whole_file;

// Bytes to which pointers with base `Base` are relative. The type prevents mistakes, such as
// applying a pointer that is relative to a table's extra area to the whole file.
template <class Base = whole_file> struct region { std::span<const byte> bytes; };

// Bytes to which a pointer refers, or the error if the pointer is out of bounds.
struct located {
  std::span<const byte> bytes = {};
  errc error = errc::ok;
  constexpr explicit operator bool() const noexcept { return error == errc::ok; }
};

template <class P, class W> struct file_pointer_codec;

// Offset in bytes of a `To` from the start of a region<Base>, stored as integer `Rep`.
template <class To, class Base = whole_file, std::integral Rep = std::uint64_t>
struct file_pointer {
  Rep offset{};

  // Returns the `n` bytes at the offset. Returns out_of_bounds if the offset is negative, or if the
  // region has fewer than `n` bytes after the offset. Never forms a pointer outside the region.
  [[nodiscard]] constexpr located locate(region<Base> base, std::size_t n) const noexcept {
    const located rest = locate_rest(base);
    if (!rest) return rest;
    if (rest.bytes.size() < n) return {{}, errc::out_of_bounds};
    return {rest.bytes.first(n), errc::ok};
  }
  // Returns all bytes from the offset to the region's end, for data that contain their own length.
  [[nodiscard]] constexpr located locate_rest(region<Base> base) const noexcept {
    if (offset < Rep{} || static_cast<std::uint64_t>(offset) > base.bytes.size())
      return {{}, errc::out_of_bounds};
    return {base.bytes.subspan(static_cast<std::size_t>(offset)), errc::ok};
  }
  // Returns the bytes of a `To`, which must be a codec of fixed size. (This function is a template,
  // because clang 14 examines the constraints of a plain member function even if nothing calls the
  // function.)
  template <class T = To> [[nodiscard]] constexpr located locate(region<Base> base) const noexcept
      requires(T::size > 0) {
    return locate(base, T::size);
  }

  friend constexpr bool operator==(const file_pointer&, const file_pointer&) = default;

  template <class Policy> using wire_type =
      file_pointer_codec<file_pointer, scalar<Rep, Policy::byte_order>>;
};

// Decodes the record at `at` into `s`, for a `To` that is a codec. The record may extend to the end of
// the region. Returns the same errors as To::decode(), and out_of_bounds if the pointer leads out of
// the region. `used` is the size of the record. After an error, `used` is the offset of the failing
// field in the region, or 0 for out_of_bounds.
template <class To, class Base, std::integral Rep>
constexpr result decode_at(const file_pointer<To, Base, Rep>& at, region<Base> base,
                           typename To::value_type& s) noexcept {
  const located rest = at.locate_rest(base);
  if (!rest) return {0, rest.error, {}};
  result r = To::decode(rest.bytes, s);
  if (!r) r.used += static_cast<std::size_t>(at.offset);
  return r;
}

// Wire type of a file_pointer `P`, which is stored as an integer of wire type `W`.
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
