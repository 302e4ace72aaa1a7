// Tables whose row size (stride) is stored in the file. Later versions of a format may append
// fields to each row, so a reader decodes only the fields at the front of a row.
#pragma once
#include <type_traits>

#include "../types/file_pointer.hpp"
#include "../types/index_iterator.hpp"
#include "items.hpp"

namespace tracecodec::wire {

// Random-access range of `size()` elements of wire type `W`. Consecutive elements begin `stride()`
// bytes apart. The stride is at least W::size. The view does not own the bytes.
template <class W> class strided_view {
 public:
  using codec = W;
  using value_type = detail::value_of_t<W>;

  constexpr strided_view() = default;
  constexpr strided_view(const byte* p, std::size_t n, std::size_t stride) noexcept
      : p_(p), n_(n), stride_(stride) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return n_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return n_ == 0; }
  [[nodiscard]] constexpr std::size_t stride() const noexcept { return stride_; }
  [[nodiscard]] constexpr std::span<const byte> bytes() const noexcept {
    return {p_, n_ * stride_};
  }
  // Returns element `i`, which must be below size(). get<M>() returns only member `M` of that
  // element, and row() returns all bytes of its row.
  TRACECODEC_INLINE constexpr value_type operator[](std::size_t i) const noexcept {
    return W::load(p_ + i * stride_);
  }
  template <auto M> TRACECODEC_INLINE constexpr auto get(std::size_t i) const noexcept {
    return W::template get<M>(std::span<const byte, W::size>(p_ + i * stride_, W::size));
  }
  [[nodiscard]] constexpr std::span<const byte> row(std::size_t i) const noexcept {
    return {p_ + i * stride_, stride_};
  }

  using iterator = index_iterator<strided_view>;
  constexpr iterator begin() const noexcept { return {*this, 0}; }
  constexpr iterator end() const noexcept { return {*this, n_}; }

 private:
  const byte* p_ = nullptr;
  std::size_t n_ = 0, stride_ = W::size;
};

// Result of table_at(): a view of the table that a file pointer refers to. The error is
// out_of_bounds, or invalid_value if the stride is smaller than an element. If decode can reject
// elements, all elements are checked, and the first error is returned.
template <class W> struct located_table {
  strided_view<W> rows = {};
  errc error = errc::ok;
  constexpr explicit operator bool() const noexcept { return error == errc::ok; }
};
template <class To, class Base, std::integral Rep>
constexpr located_table<To> table_at(const file_pointer<To, Base, Rep>& p, region<Base> base,
                                     std::uint64_t n, std::uint64_t stride = To::size) noexcept {
  if (stride < To::size) return {{}, errc::invalid_value};
  if (n > base.bytes.size() / stride) return {{}, errc::out_of_bounds};
  const located at = p.locate(base, static_cast<std::size_t>(n * stride));
  if (!at) return {{}, at.error};
  if (const errc e = detail::accept_rows<To>(at.bytes.data(), n, stride); e != errc::ok)
    return {{}, e};
  return {strided_view<To>(at.bytes.data(), static_cast<std::size_t>(n),
                           static_cast<std::size_t>(stride))};
}

namespace detail {
template <auto P, auto Count, auto Stride> struct bound_strided {
  using view = typename view_of<P>::type;
  using element = typename view::codec;
  static constexpr bool fixed = false;
  static constexpr std::string_view label = name_of<P>;
  static constexpr meaning says = meaning::number;
  template <auto> static constexpr bool has = false;
  template <auto M> static constexpr bool is = same_member<P, M>();
  static constexpr bool refuses = true;

  struct evaluated {
    extent_type n, stride;
  };
  template <class S> TRACECODEC_INLINE static constexpr evaluated evaluate(const S& s) noexcept {
    return {elements<1>(detail::evaluate<Count>(s)), elements<1>(detail::evaluate<Stride>(s))};
  }
  TRACECODEC_INLINE static constexpr extent_type extent(const evaluated& a) noexcept {
    return a.n == 0 || a.stride <= largest_extent / a.n ? a.n * a.stride : largest_extent;
  }
  template <class S> static constexpr extent_type written(const S& s) noexcept {
    return (s.*P).bytes().size();
  }
  template <class S>
  TRACECODEC_INLINE static constexpr const byte* load(S& s, const byte* p,
                                                      const evaluated& a) noexcept {
    // If rows are too short for an element, the view is empty, and accepts() rejects the table.
    const auto n = static_cast<std::size_t>(a.stride < element::size ? 0 : a.n);
    s.*P = view(p, n, static_cast<std::size_t>(a.stride));
    return p + static_cast<std::size_t>(extent(a));
  }
  template <class S>
  static constexpr byte* store(const S& s, byte* p, const evaluated& a) noexcept {
    copy((s.*P).bytes().data(), p, static_cast<std::size_t>(extent(a)));
    return p + static_cast<std::size_t>(extent(a));
  }
  template <class S> static constexpr errc check(const S& s, const evaluated& a) noexcept {
    return a.n == (s.*P).size() && a.stride == (s.*P).stride() && a.stride >= element::size
               ? errc::ok
               : errc::count_mismatch;
  }
  template <class S>
  static constexpr errc accepts(const S&, const byte* p, const evaluated& a) noexcept {
    if (a.stride < element::size) return errc::invalid_value;
    return accept_rows<element>(p, a.n, a.stride);
  }
  template <class S, class F> static constexpr void walk(S& s, bool present, F&& f) {
    f(field_info<bound_strided>{}, s.*P, present);
  }
  static constexpr void describe(row_list& list, layout_row r) {
    r.name += label;
    r.counted = true;
    r.count = count_text<Count>;
    r.size = element::size;
    r.type = element::type_name();
    r.byte_order = element::byte_order;
    r.has_order = element::has_order;
    r.how = &how;
    list.add(r);
  }
  static constexpr layout_how how{.as = read_as::strided,
                                  .element = kept_nodes<element>,
                                  .count = member_text<Count>,
                                  .stride = member_text<Stride>};
};
}  // namespace detail

// Table of `Count` rows that are `Stride` bytes apart, in member `P`, a strided_view. `Count` and
// `Stride` are specified like the count in counted<>. decode returns invalid_value if rows are
// shorter than an element.
template <auto P, auto Count, auto Stride> struct strided {
  using owner = owner_t<P>;
  template <class> using bind = detail::bound_strided<P, Count, Stride>;
  static consteval int mentions(std::string_view member) { return member == name_of<P>; }
  template <class Place> static consteval bool depends_on_earlier() {
    return detail::is_earlier<Count, Place, detail::used_as::count>() &&
           detail::is_earlier<Stride, Place, detail::used_as::count>();
  }
  template <class Open> static consteval bool depends_on() {
    return detail::depends_on<Count, Open>() || detail::depends_on<Stride, Open>();
  }
};

}  // namespace tracecodec::wire
