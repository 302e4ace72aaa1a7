// Instruction as the front end of a simulator reads it: ip, branch class, operands.
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "../config.hpp"

namespace tracecodec::feed {

// Kinds of control flow that ChampSim distinguishes. The values are ChampSim's numbers.
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

// Returns the name of a class, such as "direct_jump", "return" or "not_branch".
constexpr std::string_view name(branch_class c) noexcept {
  constexpr std::array<std::string_view, branch_class_count> names{
      "direct_jump",   "indirect", "conditional", "direct_call",
      "indirect_call", "return",   "other",       "not_branch"};
  return names[static_cast<std::size_t>(c)];
}

// Set of branch classes.
class branch_classes {
 public:
  constexpr branch_classes() noexcept = default;
  // NOLINTNEXTLINE: implicit, so that a single class can be passed as a set
  constexpr branch_classes(branch_class c) noexcept : bits_(bit(c)) {}
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

// Instruction of a feed, as used by front ends. The instructions of every format's feed model this
// concept. Instructions of formats with more data have more members. Ranges of operands contain no
// empty slots (zeros).
//   ip()         returns the virtual address
//   branch()     returns the branch class
//   is_branch()  returns true if ChampSim's front end treats the instruction as a branch, because
//                of its class or a flag
//   taken()      returns true if the branch is taken
//   target()     returns the target, or 0 if the branch is not taken or is the last instruction
//   asid()       returns the address space or thread
//   destination_registers(), source_registers()
//                return the numbers of the registers written and read
//   destination_memory(), source_memory()
//                return the first addresses of the memory written and read
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

// Returns the number of an instruction's operands that are missing from its ranges. Feeds of
// formats with more data limit operands to the capacity of a ChampSim record. Instructions of such
// feeds have a member function dropped_operands(), which returns the number of omitted operands.
template <instruction I> constexpr std::uint64_t dropped_operands(const I& i) {
  if constexpr (requires { i.dropped_operands(); })
    return i.dropped_operands();
  else
    return 0;
}

// Instruction of a format that stores the size of each memory access. The member function
// accesses() returns a range of accesses. Each access has an address, a size in bytes, and a flag
// `write`.
template <class I>
concept with_sized_accesses = requires(const I& i) {
  static_cast<std::uint64_t>(i.accesses().begin()->address);
  static_cast<std::uint64_t>(i.accesses().begin()->size);
  static_cast<bool>(i.accesses().begin()->write);
};

// Calls f(address, size, write) for each memory access. Reads precede writes. `size` is in bytes,
// or 0 if the format does not store it. Formats that store sizes also report accesses at address 0.
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

// has_branches() returns true if the format has branches. has_threads() returns true if the format
// has threads or address spaces. If a format lacks one of these properties, its instruction view
// defines a constant with the same name as the function, whose value is false.
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

// Range of the elements of an array or a span that are not 0, in order.
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
  // Returns the whole array or span, including zeros.
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
