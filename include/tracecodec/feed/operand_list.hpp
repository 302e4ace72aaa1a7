// Operands of an instruction that are not stored as the feed returns them.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <iterator>
#include <span>
#include <type_traits>
#include <utility>

#include "instruction.hpp"

namespace tracecodec::feed {

// Numbers of the registers from which ChampSim derives the class of a branch. `unnamed_source` stands
// for the register that an indirect branch reads, if the trace does not store it.
inline constexpr std::uint8_t instruction_pointer = 26, stack_pointer = 6, flags = 25,
                              unnamed_source = 56;

constexpr std::uint8_t same_number(std::uint8_t number) noexcept { return number; }

// Range of register numbers: up to `Fixed` given numbers, then the elements of a view, which
// `Number` converts. Elements for which `Number` returns 0 are omitted. The view's elements are
// converted when they are read. Iterators are valid as long as the list and the view's bytes.
template <class View, auto Number, std::size_t Fixed = 3> class operand_list {
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

// Numbers of up to `Most` registers. Further ones are left out.
template <std::size_t Most> class register_list {
 public:
  constexpr void add(std::uint8_t number) noexcept {
    if (count_ != Most) numbers_[count_++] = number;
  }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return count_; }
  constexpr std::uint8_t operator[](std::size_t n) const noexcept { return numbers_[n]; }

 private:
  std::array<std::uint8_t, Most> numbers_ = {};
  std::size_t count_ = 0;
};

// Range of operands in a list of records: Get(record) for each record for which If(record) is true.
// `List` is a wire::list_view, whose bytes must outlive the range.
template <class List, auto If, auto Get> class operands_where {
  using inner = decltype(std::declval<const List&>().begin());

 public:
  constexpr operands_where() = default;
  constexpr explicit operands_where(const List& all) noexcept : all_(all) {}

  class iterator {
   public:
    using value_type = std::remove_cvref_t<decltype(Get(*std::declval<const inner&>()))>;
    using difference_type = std::ptrdiff_t;
    using reference = value_type;
    using pointer = void;
    using iterator_category = std::input_iterator_tag;
    constexpr iterator() = default;
    constexpr explicit iterator(const inner& at) noexcept : at_(at) { to_operand(); }
    constexpr value_type operator*() const noexcept { return Get(*at_); }
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
      const bool ended = a.at_ == std::default_sentinel;
      return ended == (b.at_ == std::default_sentinel) && (ended || a.at_ == b.at_);
    }

   private:
    constexpr void to_operand() noexcept {
      while (at_ != std::default_sentinel && !If(*at_)) ++at_;
    }
    inner at_ = {};
  };
  [[nodiscard]] constexpr iterator begin() const noexcept { return iterator(all_.begin()); }
  [[nodiscard]] constexpr iterator end() const noexcept { return iterator(); }
  [[nodiscard]] constexpr bool empty() const noexcept { return begin() == end(); }
  [[nodiscard]] constexpr std::size_t size() const noexcept {
    std::size_t n = 0;
    for (iterator i = begin(); i != end(); ++i) ++n;
    return n;
  }

 private:
  List all_ = {};
};

// Return the registers that a branch of class `c` writes and reads, for traces of processors other
// than x86: those from which ChampSim derives the class, then those of the trace. Direct jumps and
// calls read no other registers, because ChampSim would take them for indirect ones. For class
// not_branch, the functions return only the registers of the trace.
template <auto Number = same_number, class View>
constexpr operand_list<View, Number> written_registers(branch_class c,
                                                       const View& outputs) noexcept {
  switch (c) {
    case branch_class::not_branch:
      return {{}, outputs};
    case branch_class::direct_call:
    case branch_class::indirect_call:
    case branch_class::return_:
      return {{instruction_pointer, stack_pointer}, outputs};
    default:
      return {{instruction_pointer}, outputs};
  }
}
template <auto Number = same_number, class View>
constexpr operand_list<View, Number> read_registers(branch_class c, const View& inputs) noexcept {
  const bool none = operand_list<View, Number>({}, inputs).empty();
  switch (c) {
    case branch_class::direct_jump:
      return {};
    case branch_class::direct_call:
      return {{instruction_pointer, stack_pointer}, {}};
    case branch_class::return_:
      return {{stack_pointer}, inputs};
    case branch_class::conditional:
      if (none) return {{instruction_pointer, flags}, {}};
      return {{instruction_pointer}, inputs};
    case branch_class::indirect_call:
      if (none) return {{instruction_pointer, stack_pointer, unnamed_source}, {}};
      return {{instruction_pointer, stack_pointer}, inputs};
    case branch_class::indirect:
      if (none) return {{unnamed_source}, {}};
      [[fallthrough]];
    default:
      return {{}, inputs};
  }
}

namespace detail {
constexpr std::uint8_t same_register(std::uint8_t r) noexcept { return r; }
inline constexpr std::span<const std::uint8_t> no_registers{};
}  // namespace detail
// Return the registers that a branch of class `c` writes and reads in a trace without registers.
constexpr auto written_registers(branch_class c) noexcept {
  return written_registers<detail::same_register>(c, detail::no_registers);
}
constexpr auto read_registers(branch_class c) noexcept {
  return read_registers<detail::same_register>(c, detail::no_registers);
}

}  // namespace tracecodec::feed
