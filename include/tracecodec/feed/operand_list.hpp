// Operands of an instruction that are not stored as the feed returns them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>

#include "../config.hpp"

namespace tracecodec::feed {

// Range of register numbers: up to `Fixed` given numbers, then the elements of a view, which
// `Number` converts. Elements for which `Number` returns 0 are omitted. The view's elements are
// converted when they are read. Iterators are valid as long as the list and the view's bytes.
template <class View, auto Number, std::size_t Fixed = 2> class operand_list {
 public:
  constexpr operand_list() = default;
  // The numbers `fixed`, of which there are at most `Fixed`, must not be 0.
  constexpr operand_list(std::initializer_list<std::uint8_t> fixed, const View& rest) noexcept
      : rest_(rest) {
    for (const std::uint8_t one : fixed) fixed_[fixed_count_++] = one;
  }

  class iterator {
   public:
    using value_type = std::uint8_t;
    using difference_type = std::ptrdiff_t;
    using reference = value_type;
    using pointer = void;
    using iterator_category = std::input_iterator_tag;
    constexpr iterator() = default;
    constexpr iterator(const operand_list& of, std::size_t at) noexcept : of_(&of), at_(at) {
      to_operand();
    }
    constexpr std::uint8_t operator*() const noexcept { return of_->slot(at_); }
    constexpr iterator& operator++() noexcept {
      ++at_;
      to_operand();
      return *this;
    }
    constexpr iterator operator++(int) noexcept {
      const iterator old = *this;
      ++*this;
      return old;
    }
    friend constexpr bool operator==(const iterator& a, const iterator& b) noexcept {
      return a.at_ == b.at_;
    }

   private:
    constexpr void to_operand() noexcept {
      while (at_ != of_->slots() && of_->slot(at_) == 0) ++at_;
    }
    const operand_list* of_ = nullptr;
    std::size_t at_ = 0;
  };
  [[nodiscard]] constexpr iterator begin() const noexcept { return {*this, 0}; }
  [[nodiscard]] constexpr iterator end() const noexcept { return {*this, slots()}; }
  [[nodiscard]] constexpr bool empty() const noexcept { return begin() == end(); }
  [[nodiscard]] constexpr std::size_t size() const noexcept {
    std::size_t n = 0;
    for (iterator i = begin(); i != end(); ++i) ++n;
    return n;
  }

 private:
  [[nodiscard]] constexpr std::size_t slots() const noexcept { return fixed_count_ + rest_.size(); }
  [[nodiscard]] constexpr std::uint8_t slot(std::size_t n) const noexcept {
    return n < fixed_count_ ? fixed_[n] : Number(rest_[n - fixed_count_]);
  }

  std::array<std::uint8_t, Fixed> fixed_ = {};
  std::size_t fixed_count_ = 0;
  View rest_ = {};
};

}  // namespace tracecodec::feed
