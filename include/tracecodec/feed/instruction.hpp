// What a simulator's front end reads: an instruction, its branch class, its operands.
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace tracecodec::feed {

// The kinds of control flow that ChampSim tells apart, with its numbers.
enum class branch_class : std::uint8_t {
  direct_jump = 0,
  indirect = 1,
  conditional = 2,
  direct_call = 3,
  indirect_call = 4,
  return_ = 5,
  other = 6,
  not_branch = 7
};
inline constexpr std::size_t branch_class_count = 8;

// "direct_jump", "return", "not_branch" ...
constexpr std::string_view name(branch_class c) noexcept {
  constexpr std::array<std::string_view, branch_class_count> names{
      "direct_jump",   "indirect", "conditional", "direct_call",
      "indirect_call", "return",   "other",       "not_branch"};
  return names[static_cast<std::size_t>(c)];
}

// Some of the classes.
class branch_classes {
 public:
  constexpr branch_classes() noexcept = default;
  constexpr branch_classes(branch_class c) noexcept : bits_(bit(c)) {}  // NOLINT: one is a set
  constexpr branch_classes& operator|=(branch_classes more) noexcept {
    bits_ = static_cast<std::uint8_t>(bits_ | more.bits_);
    return *this;
  }
  [[nodiscard]] constexpr bool has(branch_class c) const noexcept { return (bits_ & bit(c)) != 0; }
  [[nodiscard]] constexpr bool empty() const noexcept { return bits_ == 0; }

 private:
  static constexpr std::uint8_t bit(branch_class c) noexcept {
    return static_cast<std::uint8_t>(1U << static_cast<unsigned>(c));
  }
  std::uint8_t bits_ = 0;
};

// Front ends are written against this concept; every format's feed models it, and a rich one offers
// more. Operand ranges hold only what is there: no zeros.
//   ip()                virtual address
//   branch()            its class
//   is_branch()         what ChampSim's front end counts as one: a class, or the trace's own flag
//   taken(), target()   the target is 0 if not taken, or if the trace ends here
//   asid()              address space or thread
//   destination_registers(), source_registers()    register numbers
//   destination_memory(), source_memory()          first addresses of what is written and read
template <class I>
concept instruction = requires(const I& i) {
  { i.ip() } -> std::convertible_to<std::uint64_t>;
  { i.branch() } -> std::same_as<branch_class>;
  { i.is_branch() } -> std::convertible_to<bool>;
  { i.taken() } -> std::convertible_to<bool>;
  { i.target() } -> std::convertible_to<std::uint64_t>;
  { i.asid() } -> std::convertible_to<std::uint32_t>;
  i.destination_registers().begin();
  i.source_registers().begin();
  i.destination_memory().begin();
  i.source_memory().begin();
};

// How many operands an instruction had that its ranges do not show: feeds of rich formats clip them
// to what a ChampSim record holds, and tell by a member of this name.
template <instruction I> constexpr std::uint64_t lost_operands(const I& i) {
  if constexpr (requires { i.lost_operands(); })
    return i.lost_operands();
  else
    return 0;
}

// Views of formats that know the size of each access to memory have a member accesses(): a range of elements
// with an address, a size in bytes, and whether it is written.
template <class I>
concept with_sized_accesses = requires(const I& i) {
  static_cast<std::uint64_t>(i.accesses().begin()->address);
  static_cast<std::uint64_t>(i.accesses().begin()->size);
  static_cast<bool>(i.accesses().begin()->write);
};

// Calls f(address, size, whether it is written) for each access to memory, reads first. `size` is in bytes, and
// 0 where the format does not know it; where it does, an access whose address is 0 is among them.
template <instruction I, class F> constexpr void for_each_access(const I& i, F&& f) {
  if constexpr (requires { i.for_each_access(f); }) {
    i.for_each_access(f);
  } else if constexpr (requires { i.for_each_access_slot([](auto...) {}); }) {
    i.for_each_access_slot([&f](bool there, std::uint64_t address, std::uint64_t size, bool write) {
      if (there) f(address, size, write);
    });
  } else if constexpr (with_sized_accesses<I>) {
    const auto all = i.accesses();
    for (const bool writes : {false, true})
      for (const auto& a : all)
        if (a.write == writes)
          f(static_cast<std::uint64_t>(a.address), static_cast<std::uint64_t>(a.size), writes);
  } else {
    for (const std::uint64_t address : i.source_memory()) f(address, std::uint64_t{0}, false);
    for (const std::uint64_t address : i.destination_memory()) f(address, std::uint64_t{0}, true);
  }
}

// Whether the format has branches, and threads or address spaces. Views of formats that have none
// say so by a constant of this name, which is false.
template <class I> constexpr bool has_branches() noexcept {
  if constexpr (requires { I::has_branches; })
    return I::has_branches;
  else
    return true;
}
template <class I> constexpr bool has_threads() noexcept {
  if constexpr (requires { I::has_threads; })
    return I::has_threads;
  else
    return true;
}

// The elements of an array, or of a part of one, that are not 0, in order.
template <class T, std::size_t N = std::dynamic_extent> class nonzero_range {
 public:
  template <std::size_t M>
  requires(M == N) constexpr explicit nonzero_range(const std::array<T, M>& a) noexcept
      : slots_(a) {}
  constexpr explicit nonzero_range(std::span<const T, N> slots) noexcept : slots_(slots) {}

  class iterator {
   public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    constexpr iterator() = default;
    [[gnu::always_inline]] constexpr iterator(const T* p, const T* end) noexcept
        : p_(p), end_(end) {
      to_nonzero();
    }
    constexpr T operator*() const noexcept { return *p_; }
    constexpr iterator& operator++() noexcept {
      ++p_;
      to_nonzero();
      return *this;
    }
    constexpr iterator operator++(int) noexcept {
      const iterator old = *this;
      ++*this;
      return old;
    }
    friend constexpr bool operator==(const iterator& a, const iterator& b) noexcept {
      return a.p_ == b.p_;
    }

   private:
    constexpr void to_nonzero() noexcept {
      while (p_ != end_ && *p_ == T{}) ++p_;
    }
    const T* p_ = nullptr;
    const T* end_ = nullptr;
  };
  constexpr iterator begin() const noexcept { return {slots_.data(), past_last()}; }
  constexpr iterator end() const noexcept { return {past_last(), past_last()}; }
  [[nodiscard]] constexpr bool empty() const noexcept { return begin() == end(); }
  [[nodiscard]] constexpr std::size_t size() const noexcept {
    std::size_t n = 0;
    for (const T& v : slots_) n += v != T{};
    return n;
  }
  // The array, zeros among its elements.
  [[nodiscard]] constexpr std::span<const T, N> slots() const noexcept
      requires(N != std::dynamic_extent) {
    return slots_;
  }

 private:
  [[nodiscard]] constexpr const T* past_last() const noexcept {
    return slots_.data() + slots_.size();
  }
  std::span<const T, N> slots_;
};
template <class T, std::size_t N> nonzero_range(const std::array<T, N>&) -> nonzero_range<T, N>;

}  // namespace tracecodec::feed
