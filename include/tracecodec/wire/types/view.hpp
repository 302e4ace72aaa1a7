// Arrays in bytes that the view does not own. The bytes are not copied and need not be aligned, and
// elements are decoded on access.
#pragma once
#include <compare>
#include <cstddef>
#include <span>  // also provides iterator tags; <iterator> alone takes 0.18 s to compile

#include "scalar.hpp"

namespace tracecodec::wire {

namespace detail {
// Value type of a wire type. (describe.hpp specialises it for records, so that their descriptions
// need not be compiled.)
template <class W> struct value_of { using type = typename W::value_type; };
template <class W> using value_of_t = typename value_of<W>::type;
}  // namespace detail

// Random-access range of `size()` elements of wire type `W`. The view does not own its bytes.
template <class W> class array_view {
 public:
  using codec = W;
  using value_type = detail::value_of_t<W>;

  constexpr array_view() = default;
  // Views `n` elements from `p` on, which are n * W::size bytes.
  constexpr array_view(const byte* p, std::size_t n) noexcept : p_(p), n_(n) {}
  // Views all complete elements in `bytes`.
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

// View of one fixed-size record, or of the fixed front of a record. It decodes members one by one
// and does not own its bytes. For example, v.get<&instruction::ip>() of a record_view<codec> `v`
// decodes only the ip.
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

}  // namespace tracecodec::wire
