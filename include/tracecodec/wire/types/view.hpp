// Views of arrays and records, which do not own the bytes. The bytes are not copied and need not be
// aligned. Elements are decoded on access.
#pragma once
#include <compare>
#include <cstddef>
#include <span>  // also provides the iterator tags, because <iterator> takes 0.18 s to compile

#include "scalar.hpp"

namespace tracecodec::wire {

namespace detail {
// Compile error for the element type of a view. Compilers print the type.
template <class W> consteval bool this_is_not_a_wire_type() {
  static_assert(
      sizeof(W*) == 0,
      "a view needs the wire type of its elements: array_view<u16le> instead of "
      "array_view<std::uint16_t>, array_view<record<S>> instead of array_view<S>, and the "
      "same for list_view; of a codec that is only declared here, list_view<inner<S, codec>>");
  return true;
}
template <class W> struct declared_value {
  static_assert(this_is_not_a_wire_type<W>());
  using type = std::uint8_t;
};
template <class W>
requires requires { typename W::value_type; }
struct declared_value<W> {
  using type = typename W::value_type;
};
// Value type of a wire type. (For records, describe.hpp specialises this template, so that the
// descriptions of the records need not be compiled.)
template <class W> struct value_of : declared_value<W> {};
template <class W> using value_of_t = typename value_of<W>::type;
}  // namespace detail

// Random-access range of `size()` elements of wire type `W`. The view does not own its bytes.
template <class W> class array_view {
 public:
  using codec = W;
  using value_type = detail::value_of_t<W>;

  constexpr array_view() = default;
  // Constructs a view of the `n` elements at `p`, which take n * W::size bytes.
  constexpr array_view(const byte* p, std::size_t n) noexcept : p_(p), n_(n) {}
  // Constructs a view of all complete elements in `bytes`.
  constexpr explicit array_view(std::span<const byte> bytes) noexcept
      : p_(bytes.data()), n_(bytes.size() / W::size) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return n_; }
  [[nodiscard]] constexpr bool empty() const noexcept { return n_ == 0; }
  [[nodiscard]] constexpr std::span<const byte> bytes() const noexcept {
    return {p_, n_ * W::size};
  }
  // Returns element `i`, which must be below size().
  TRACECODEC_INLINE constexpr value_type operator[](std::size_t i) const noexcept {
    return W::load(p_ + i * W::size);
  }
  // Returns a view of the elements [from, from + n), which must exist.
  [[nodiscard]] constexpr array_view subview(std::size_t from, std::size_t n) const noexcept {
    return {p_ + from * W::size, n};
  }

  class iterator {
   public:
    using value_type = detail::value_of_t<W>;
    using difference_type = std::ptrdiff_t;
    using reference = value_type;
    using iterator_concept = std::random_access_iterator_tag;
    using iterator_category = std::input_iterator_tag;

    constexpr iterator() = default;
    constexpr explicit iterator(const byte* p) noexcept : p_(p) {}
    constexpr value_type operator*() const noexcept { return W::load(p_); }
    constexpr value_type operator[](difference_type n) const noexcept { return *(*this + n); }
    constexpr iterator& operator+=(difference_type n) noexcept {
      p_ += n * step;
      return *this;
    }
    constexpr iterator& operator-=(difference_type n) noexcept { return *this += -n; }
    constexpr iterator& operator++() noexcept { return *this += 1; }
    constexpr iterator& operator--() noexcept { return *this -= 1; }
    constexpr iterator operator++(int) noexcept {
      const iterator old = *this;
      ++*this;
      return old;
    }
    constexpr iterator operator--(int) noexcept {
      const iterator old = *this;
      --*this;
      return old;
    }
    friend constexpr iterator operator+(iterator i, difference_type n) noexcept { return i += n; }
    friend constexpr iterator operator+(difference_type n, iterator i) noexcept { return i += n; }
    friend constexpr iterator operator-(iterator i, difference_type n) noexcept { return i -= n; }
    friend constexpr difference_type operator-(iterator a, iterator b) noexcept {
      return (a.p_ - b.p_) / step;
    }
    friend constexpr auto operator<=>(iterator, iterator) = default;

   private:
    static constexpr difference_type step = static_cast<difference_type>(W::size);
    const byte* p_ = nullptr;
  };
  constexpr iterator begin() const noexcept { return iterator(p_); }
  constexpr iterator end() const noexcept { return iterator(p_ + n_ * W::size); }

 private:
  const byte* p_ = nullptr;
  std::size_t n_ = 0;
};

// View of one fixed-size record, or of the fixed front of a record. It decodes single members on
// request, and does not own the bytes. For example, v.get<&instruction::ip>() of a
// record_view<codec> `v` decodes only the ip.
template <class Codec> class record_view {
 public:
  constexpr explicit record_view(std::span<const byte, Codec::front_size> bytes) noexcept
      : p_(bytes.data()) {}

  template <auto M> [[nodiscard]] TRACECODEC_INLINE constexpr auto get() const noexcept {
    return Codec::template get<M>(bytes());
  }
  // Decodes member `M` directly into `to`.
  template <auto M, class T> TRACECODEC_INLINE constexpr void get_into(T& to) const noexcept {
    Codec::template get_into<M>(to, bytes());
  }
  // Decodes the whole record, which must have a fixed size.
  [[nodiscard]] constexpr typename Codec::value_type value() const noexcept {
    return Codec::load(p_);
  }
  [[nodiscard]] constexpr std::span<const byte, Codec::front_size> bytes() const noexcept {
    return std::span<const byte, Codec::front_size>(p_, Codec::front_size);
  }

 private:
  const byte* p_;
};

// Wire type of a character in text. A member that stores text is an array_view<character>.
using character = scalar<char, order::little>;

// Returns the characters of a view, without copying them.
inline std::string_view as_text(array_view<character> v) noexcept {
  return {reinterpret_cast<const char*>(v.bytes().data()), v.size()};
}

}  // namespace tracecodec::wire
