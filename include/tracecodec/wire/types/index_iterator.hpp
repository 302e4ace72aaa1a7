// Iterator for views whose elements are decoded on access.
#pragma once
#include <compare>
#include <cstddef>
#include <span>  // also provides the iterator tags, because <iterator> takes 0.18 s to compile

#include "bytes.hpp"

namespace tracecodec::wire {

// Random-access iterator over `View`, which has a value_type and returns elements by operator[].
// The iterator stores a copy of the view and can outlive the original. (array_view has its own
// iterator, which stores a pointer. With an index instead, clang needed up to a quarter more
// instructions for a loop.)
template <class View> class index_iterator {
 public:
  using value_type = typename View::value_type;
  using difference_type = std::ptrdiff_t;
  using reference = value_type;
  using iterator_concept = std::random_access_iterator_tag;
  using iterator_category = std::input_iterator_tag;

  constexpr index_iterator() = default;
  TRACECODEC_INLINE constexpr index_iterator(const View& view, std::size_t index) noexcept
      : view_(view), index_(static_cast<difference_type>(index)) {}
  TRACECODEC_INLINE constexpr value_type operator*() const noexcept {
    return view_[static_cast<std::size_t>(index_)];
  }
  constexpr value_type operator[](difference_type n) const noexcept { return *(*this + n); }
  constexpr index_iterator& operator+=(difference_type n) noexcept {
    index_ += n;
    return *this;
  }
  constexpr index_iterator& operator-=(difference_type n) noexcept { return *this += -n; }
  TRACECODEC_INLINE constexpr index_iterator& operator++() noexcept {
    ++index_;
    return *this;
  }
  constexpr index_iterator& operator--() noexcept {
    --index_;
    return *this;
  }
  constexpr index_iterator operator++(int) noexcept {
    const index_iterator old = *this;
    ++*this;
    return old;
  }
  constexpr index_iterator operator--(int) noexcept {
    const index_iterator old = *this;
    --*this;
    return old;
  }
  friend constexpr index_iterator operator+(index_iterator i, difference_type n) noexcept {
    return i += n;
  }
  friend constexpr index_iterator operator+(difference_type n, index_iterator i) noexcept {
    return i += n;
  }
  friend constexpr index_iterator operator-(index_iterator i, difference_type n) noexcept {
    return i -= n;
  }
  friend constexpr difference_type operator-(const index_iterator& a,
                                             const index_iterator& b) noexcept {
    return a.index_ - b.index_;
  }
  TRACECODEC_INLINE friend constexpr bool operator==(const index_iterator& a,
                                                     const index_iterator& b) noexcept {
    return a.index_ == b.index_;
  }
  friend constexpr std::strong_ordering operator<=>(const index_iterator& a,
                                                    const index_iterator& b) noexcept {
    return a.index_ <=> b.index_;
  }

 private:
  View view_{};
  difference_type index_ = 0;
};

}  // namespace tracecodec::wire
