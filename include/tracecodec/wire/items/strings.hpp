// Views of text and of other sequences of elements. A sequence ends with a terminator, follows its
// length, or is padded to a fixed length.
#pragma once
#include <type_traits>

#include "items.hpp"

namespace tracecodec::wire {

namespace detail {
// Reads a number of wire type `W`, of fixed size or variable length, from the front of `in` into
// `v`.
template <class W>
TRACECODEC_INLINE constexpr scan_result scan_number(typename W::value_type& v,
                                                    std::span<const byte> in) noexcept {
  if constexpr (variable_length_type<W>) {
    return W::scan(v, in);
  } else {
    if (in.size() < W::size) return {0, errc::truncated};
    if (const errc e = detail::accept_rows<W>(in.data(), 1, W::size); e != errc::ok) return {0, e};
    v = W::load(in.data());
    return {W::size};
  }
}
// Returns does_not_fit if a number of wire type `C` cannot store the count `n`.
template <class C> constexpr errc check_count(std::size_t n) noexcept {
  using number = typename C::value_type;
  const auto v = static_cast<number>(n);
  if (std::uint64_t{n} != static_cast<std::uint64_t>(v) || v < number{}) return errc::does_not_fit;
  return check_element<C>(v);
}

// Returns the terminator or fill value `v` as a number for layout_how, or 0 if `v` is not an
// integer.
template <class T> constexpr std::uint64_t bits_of_number(const T& v) noexcept {
  if constexpr (is_integer<integer_t<T>>)
    return static_cast<std::make_unsigned_t<integer_t<T>>>(v);
  else
    return 0;
}
}  // namespace detail

// Elements of wire type `W` that end at a terminating element equal to `End`. The view excludes the
// terminator.
template <class W, typename W::value_type End = typename W::value_type{}> struct terminated_view {
  using value_type = array_view<W>;
  static constexpr bool variable_length = true;
  static constexpr order byte_order = W::byte_order;
  static constexpr bool has_order = W::has_order;
  TRACECODEC_INLINE static constexpr scan_result scan(value_type& v,
                                                      std::span<const byte> in) noexcept {
    const std::size_t most = in.size() / W::size;
    const byte* const at = find(in.data(), most);
    if (at == nullptr) return {0, errc::truncated};
    const auto n = static_cast<std::size_t>(at - in.data());
    if (const errc e = detail::accept_rows<W>(in.data(), n / W::size, W::size); e != errc::ok)
      return {0, e};
    v = value_type(in.data(), n / W::size);
    return {n + W::size};
  }
  // Returns does_not_fit if `End` is among the elements.
  static constexpr errc check(const value_type& v) noexcept {
    return find(v.bytes().data(), v.size()) == nullptr ? errc::ok : errc::does_not_fit;
  }
  static constexpr std::uint64_t written(const value_type& v) noexcept {
    return std::uint64_t{v.bytes().size()} + W::size;
  }
  static constexpr byte* store(const value_type& v, byte* p) noexcept {
    copy(v.bytes().data(), p, v.bytes().size());
    W::store(End, p + v.bytes().size());
    return p + v.bytes().size() + W::size;
  }
  static constexpr layout_how how{.as = read_as::terminated,
                                  .number = detail::bits_of_number(End),
                                  .element = detail::kept_nodes<W>};
  static constexpr text type_name() noexcept { return W::type_name(); }
  static constexpr text sizes() noexcept {
    text t{};
    t += W::size;
    return t += " x terminated";
  }

 private:
  // Returns a pointer to the first of `n` elements that equals `End`, or nullptr if no element
  // equals `End`.
  TRACECODEC_INLINE static constexpr const byte* find(const byte* p, std::size_t n) noexcept {
    if constexpr (W::size == 1 && std::is_integral_v<typename W::value_type>) {
      if (!std::is_constant_evaluated())
        return n == 0
                   ? nullptr
                   : static_cast<const byte*>(std::memchr(p, static_cast<unsigned char>(End), n));
    }
    for (; n != 0; --n, p += W::size)
      if (W::load(p) == End) return p;
    return nullptr;
  }
};

// Length stored as wire type `C`, of fixed size or variable length, followed by that many elements
// of wire type `W`.
template <class C, class W> struct prefixed_view {
  using value_type = array_view<W>;
  using number = typename C::value_type;
  static_assert(std::is_integral_v<number>, "a length is an integer");
  static constexpr bool variable_length = true;
  // True if the length prefix has a byte order. `has_order` and `byte_order` describe the elements,
  // or the prefix if the elements have no byte order.
  static constexpr bool number_has_order = [] {
    if constexpr (requires { C::has_order; }) return C::has_order;
    return false;
  }();
  static constexpr bool has_order = W::has_order || number_has_order;
  static constexpr order byte_order = [] {
    if constexpr (!W::has_order && number_has_order) return C::byte_order;
    return W::byte_order;
  }();
  TRACECODEC_INLINE static constexpr scan_result scan(value_type& v,
                                                      std::span<const byte> in) noexcept {
    number n{};
    const scan_result r = detail::scan_number<C>(n, in);
    if (!r) return {0, r.error};
    const detail::extent_type end = r.at + detail::elements<W::size>(n) * W::size;
    if (in.size() < end) return {0, errc::truncated};
    const value_type all(in.data() + r.at, static_cast<std::size_t>(n));
    if (const errc e = detail::accept_rows<W>(all.bytes().data(), all.size(), W::size);
        e != errc::ok)
      return {0, e};
    v = all;
    return {static_cast<std::size_t>(end)};
  }
  // Returns does_not_fit if the length prefix cannot hold the view's length.
  static constexpr errc check(const value_type& v) noexcept {
    return detail::check_count<C>(v.size());
  }
  static constexpr std::uint64_t written(const value_type& v) noexcept {
    return detail::size_of_element<C>(static_cast<number>(v.size())) + v.bytes().size();
  }
  static constexpr byte* store(const value_type& v, byte* p) noexcept {
    p = detail::store_element<C>(static_cast<number>(v.size()), p);
    copy(v.bytes().data(), p, v.bytes().size());
    return p + v.bytes().size();
  }
  static constexpr layout_how how{
      .as = read_as::prefixed, .element = detail::kept_nodes<W>, .prefix = detail::kept_nodes<C>};
  static constexpr text type_name() noexcept { return W::type_name(); }
  static constexpr text sizes() noexcept {
    text t = C::type_name();
    t += " + ";
    t += W::size;
    return t += " x it";
  }
};

// Array of `N` elements of wire type `W`. The view excludes trailing elements equal to `Fill`.
template <class W, std::size_t N, typename W::value_type Fill = typename W::value_type{}>
struct padded_view {
  using value_type = array_view<W>;
  static constexpr std::size_t size = N * W::size;
  static constexpr std::size_t alignment = W::alignment;
  static constexpr bool object_bytes = false;
  static constexpr order byte_order = W::byte_order;
  static constexpr bool has_order = W::has_order;
  static constexpr value_type load(const byte* p) noexcept {
    std::size_t n = N;
    while (n != 0 && W::load(p + (n - 1) * W::size) == Fill) --n;
    return value_type(p, n);
  }
  static constexpr void store(const value_type& v, byte* p) noexcept {
    copy(v.bytes().data(), p, v.bytes().size());
    for (std::size_t i = v.size(); i < N; ++i) W::store(Fill, p + i * W::size);
  }
  static constexpr bool fits(const value_type& v) noexcept { return v.size() <= N; }
  static constexpr layout_how how{.as = read_as::padded,
                                  .number = detail::bits_of_number(Fill),
                                  .element = detail::kept_nodes<W>};
  static constexpr bool refuses = detail::may_refuse<W>;
  static constexpr errc accepts(const byte* p) noexcept requires refuses {
    return detail::accept_rows<W>(p, load(p).size(), W::size);
  }
  static constexpr text type_name() noexcept {
    text t = W::type_name();
    t += "[";
    t += N;
    return t += "]";
  }
};

namespace detail {
template <auto P> using element_of = typename view_of<P>::type::codec;
}

// Array in member `P`, an array_view, followed by an element equal to `End`. Examples are
// NUL-terminated text, and UTF-16 text that ends with a 16-bit NUL.
template <auto P, auto End = 0> struct terminated
    : field<P, terminated_view<detail::element_of<P>,
                               static_cast<typename detail::element_of<P>::value_type>(End)>> {};

// Array in member `P`, an array_view, whose length in elements is stored before the elements.
// `Count` is the type of the length: a plain type in the record's byte order, or a wire type of
// fixed size or variable length. If the member is a list_view, list.hpp defines the item, and
// `Args` are the parameters of the elements.
template <auto P, class Count, class... Args> struct prefixed : field<P> {
  static_assert(sizeof...(Args) == 0, "only the elements of a list_view receive parameters");
  template <class Policy> using bind =
      typename detail::field_of<detail::by_pointer<P>,
                                prefixed_view<infer_t<Count, Policy>, detail::element_of<P>>>::type;
};

// Array in member `P`, an array_view, in a field of `N` elements. Unused elements are equal to
// `Fill`.
template <auto P, std::size_t N, auto Fill = 0> struct padded
    : field<P, padded_view<detail::element_of<P>, N,
                           static_cast<typename detail::element_of<P>::value_type>(Fill)>> {};

}  // namespace tracecodec::wire
