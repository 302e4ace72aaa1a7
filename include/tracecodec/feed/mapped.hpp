// Records of a described file as instructions: the views and batches of feed/of.hpp.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "../file/reader.hpp"
#include "../wire/items/engine/dependencies.hpp"
#include "mapping.hpp"
#include "stream.hpp"

namespace tracecodec::feed {

namespace detail {
// Range of at most one operand. The iterator stores the operand's value, so the operand need not be
// in memory.
template <class T> class at_most_one {
 public:
  constexpr at_most_one() = default;
  constexpr at_most_one(T v, bool there) noexcept : value_(v), there_(there) {}

  class iterator {
   public:
    using value_type = T;
    using difference_type = std::ptrdiff_t;
    constexpr iterator() = default;
    constexpr iterator(T v, bool there) noexcept : value_(v), there_(there) {}
    constexpr T operator*() const noexcept { return value_; }
    constexpr iterator& operator++() noexcept {
      there_ = false;
      return *this;
    }
    constexpr iterator operator++(int) noexcept {
      const iterator old = *this;
      ++*this;
      return old;
    }
    friend constexpr bool operator==(const iterator& a, const iterator& b) noexcept {
      return a.there_ == b.there_;
    }

   private:
    T value_ = {};
    bool there_ = false;
  };
  [[nodiscard]] constexpr iterator begin() const noexcept { return {value_, there_}; }
  [[nodiscard]] constexpr iterator end() const noexcept { return {value_, false}; }
  [[nodiscard]] constexpr bool empty() const noexcept { return !there_; }
  [[nodiscard]] constexpr std::size_t size() const noexcept { return there_ ? 1 : 0; }

 private:
  T value_ = {};
  bool there_ = false;
};

// Range of the nonzero elements, in order, of an array of `N` elements of wire type `W`. The view
// does not own the array's bytes. The range is empty if the array is absent. All nonzero elements
// are found at once, so that a loop visits only these elements. nonzero_range tests the elements
// one by one: with it, g++ needed 74 instructions instead of 65 for a record of
// bench/instructions/mapped.cpp with two arrays.
template <class W, std::size_t N> class nonzero_view {
 public:
  TRACECODEC_INLINE constexpr nonzero_view(const std::byte* p, bool there) noexcept
      : p_(p), left_(there ? which(p, std::make_index_sequence<N>{}) : 0) {}

  class iterator {
   public:
    using value_type = typename W::value_type;
    using difference_type = std::ptrdiff_t;
    constexpr iterator() = default;
    TRACECODEC_INLINE constexpr iterator(const std::byte* p, std::uint64_t left) noexcept
        : p_(p), left_(left) {}
    TRACECODEC_INLINE constexpr value_type operator*() const noexcept {
      const auto bit = static_cast<std::size_t>(std::countr_zero(left_));
      return W::load(p_ + bit / bits * W::size);
    }
    TRACECODEC_INLINE constexpr iterator& operator++() noexcept {
      left_ &= left_ - 1;
      return *this;
    }
    constexpr iterator operator++(int) noexcept {
      const iterator old = *this;
      ++*this;
      return old;
    }
    friend constexpr bool operator==(const iterator& a, const iterator& b) noexcept {
      return a.left_ == b.left_;
    }

   private:
    const std::byte* p_ = nullptr;
    std::uint64_t left_ = 0;
  };
  [[nodiscard]] constexpr iterator begin() const noexcept { return {p_, left_}; }
  [[nodiscard]] constexpr iterator end() const noexcept { return {p_, 0}; }
  [[nodiscard]] constexpr bool empty() const noexcept { return left_ == 0; }
  [[nodiscard]] constexpr std::size_t size() const noexcept {
    return static_cast<std::size_t>(std::popcount(left_));
  }

 private:
  // Number of mask bits per element. The highest bit of an element is set if the element is not 0.
  static constexpr std::size_t bits = W::size == 1 && N <= 8 ? 8 : 1;
  static_assert(N <= 64, "an instruction has at most 64 operands of a kind");

  template <std::size_t... I>
  TRACECODEC_INLINE static constexpr std::uint64_t which(const std::byte* p,
                                                         std::index_sequence<I...>) noexcept {
    if constexpr (bits == 8) {
      // Tests all bytes at once: if the lower 7 bits of a byte are not 0, adding 0x7f to these bits
      // sets bit 7.
      constexpr std::uint64_t low = 0x7f7f7f7f7f7f7f7f;
      const std::uint64_t all = (... | (std::to_integer<std::uint64_t>(p[I]) << 8 * I));
      return (((all & low) + low) | all) & ~low;
    } else {
      return (... | (std::uint64_t{W::load(p + I * W::size) != typename W::value_type{}} << I));
    }
  }

  const std::byte* p_;
  std::uint64_t left_;
};
template <class Array> inline constexpr Array no_operands{};

// Addresses of the accesses in `Range` that write, or of those that read.
template <class Range, bool Write> class accessed_addresses {
  using place = decltype(std::declval<const Range&>().begin());

 public:
  constexpr explicit accessed_addresses(const Range& all) noexcept : all_(all) {}

  class iterator {
   public:
    using value_type = std::uint64_t;
    using difference_type = std::ptrdiff_t;
    constexpr iterator() = default;
    constexpr iterator(place at, place end) noexcept : at_(at), end_(end) { to_next(); }
    constexpr std::uint64_t operator*() const noexcept { return at_->address; }
    constexpr iterator& operator++() noexcept {
      ++at_;
      to_next();
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
    constexpr void to_next() noexcept {
      while (at_ != end_ && at_->write != Write) ++at_;
    }
    place at_ = {}, end_ = {};
  };
  [[nodiscard]] constexpr iterator begin() const noexcept { return {all_.begin(), all_.end()}; }
  [[nodiscard]] constexpr iterator end() const noexcept { return {all_.end(), all_.end()}; }
  [[nodiscard]] constexpr bool empty() const noexcept { return begin() == end(); }
  [[nodiscard]] constexpr std::size_t size() const noexcept {
    std::size_t n = 0;
    for (iterator i = begin(); i != end(); ++i) ++n;
    return n;
  }

 private:
  Range all_;
};

// Returns member `M` of record `r`, which may be encoded or already decoded.
template <auto M, class Codec>
TRACECODEC_INLINE constexpr auto member_of(const wire::record_view<Codec>& r) noexcept {
  if constexpr (Codec::front::template has<M>)
    return r.template get<M>();
  else
    // The member occupies no bytes in the record.
    return r.value().*M;
}
template <auto M, class D>
TRACECODEC_INLINE constexpr auto member_of(const file::view_with_args<D>& r) noexcept {
  return r.template get<M>();
}
template <auto M, class R>
TRACECODEC_INLINE constexpr const auto& member_of(const file::object_view<R>& r) noexcept {
  return r.template get<M>();
}
template <auto M, class Codec>
TRACECODEC_INLINE constexpr auto nonzero_elements(const wire::record_view<Codec>& r,
                                                  bool there) noexcept {
  using array = typename Codec::template word_of<M>;
  return nonzero_view<typename array::element, std::tuple_size_v<wire::member_t<M>>>(
      r.bytes().data() + Codec::template offset_of<M>, there);
}
template <auto M, class R>
TRACECODEC_INLINE constexpr auto nonzero_elements(const file::object_view<R>& r,
                                                  bool there) noexcept {
  return nonzero_range(there ? r.template get<M>() : no_operands<wire::member_t<M>>);
}

// First element of `Words` that maps `Role`, or void if there is none.
template <map::role Role, class... Words> struct word_for { using type = void; };
template <map::role Role, class Word, class... Rest> struct word_for<Role, Word, Rest...>
    : std::conditional_t<Word::what == Role, std::type_identity<Word>, word_for<Role, Rest...>> {};

// Functions that compute the properties of an instruction from a record, as `Words` specify.
template <class... Words> struct mapping {
  template <map::role Role> using word = typename word_for<Role, Words...>::type;
  template <map::role Role> static constexpr bool has = !std::is_void_v<word<Role>>;

  // Evaluates `Expr` for a record. `View` is a wire::record_view or a file::object_view.
  template <auto Expr, class View>
  TRACECODEC_INLINE static constexpr auto evaluate(const View& r) noexcept {
    using expr = std::remove_cv_t<decltype(Expr)>;
    if constexpr (std::is_member_object_pointer_v<expr>)
      return member_of<Expr>(r);
    else if constexpr (requires { expr::holds(member_of<expr::member>(r)); })
      return expr::holds(member_of<expr::member>(r));
    else
      return wire::detail::evaluate<Expr>(r.value());
  }
  template <map::role Role, class View>
  TRACECODEC_INLINE static constexpr auto value(const View& r) noexcept {
    return evaluate<word<Role>::expr>(r);
  }
  // Returns the operands of a role: one operand for an integer, the nonzero elements of an array, or
  // a range that the mapping returns.
  template <map::role Role, class T, class View>
  TRACECODEC_INLINE static constexpr auto operands(const View& r) noexcept {
    if constexpr (!has<Role>) {
      return at_most_one<T>();
    } else {
      const bool there = evaluate<word<Role>::condition>(r);
      if constexpr (wire::is_std_array<decltype(value<Role>(r))>)
        return nonzero_elements<word<Role>::expr>(r, there);
      else if constexpr (requires { value<Role>(r).begin(); })
        return there ? value<Role>(r) : decltype(value<Role>(r))();
      else
        return at_most_one<T>(static_cast<T>(value<Role>(r)), there);
    }
  }
  template <class View>
  TRACECODEC_INLINE static constexpr branch_class branch(const View& r) noexcept {
    branch_class c = branch_class::not_branch;
    static_cast<void>((branch_by<Words>(r, c) || ...));
    return c;
  }

 private:
  template <class Word, class View>
  TRACECODEC_INLINE static constexpr bool branch_by(const View& r, branch_class& c) noexcept {
    if constexpr (Word::what == map::role::branch) {
      if (!evaluate<Word::condition>(r)) return false;
      if constexpr (std::is_same_v<std::remove_cv_t<decltype(Word::expr)>, branch_class>)
        c = Word::expr;
      else
        c = evaluate<Word::expr>(r);
      return c != branch_class::not_branch;
    } else {
      return false;
    }
  }
};
}  // namespace detail

// View of a record as an instruction (models feed::instruction). `View` provides the record.
template <class View, class... Words> class mapped_instruction {
  using says = detail::mapping<Words...>;
  using role = map::role;

 public:
  static constexpr bool has_branches = says::template has<role::branch>;
  static constexpr bool has_threads = says::template has<role::asid>;
  static_assert(says::template has<role::ip>, "an instruction needs an address: map::ip");

  // Constructs the view of record `r`. `following` returns the ip of the next record and is called
  // only for taken branches.
  template <class Following>
  TRACECODEC_INLINE constexpr mapped_instruction(View r, Following following) noexcept
      : record_(r), class_(says::branch(r)) {
    if constexpr (has_branches && !says::template has<role::target>)
      if (taken()) next_ = following();
  }

  [[nodiscard]] constexpr std::uint64_t ip() const noexcept { return ip_of(record_); }
  TRACECODEC_INLINE static constexpr std::uint64_t ip_of(const View& r) noexcept {
    return static_cast<std::uint64_t>(says::template value<role::ip>(r));
  }
  [[nodiscard]] constexpr branch_class branch() const noexcept { return class_; }
  [[nodiscard]] constexpr bool is_branch() const noexcept {
    return class_ != branch_class::not_branch;
  }
  [[nodiscard]] constexpr bool taken() const noexcept {
    if constexpr (says::template has<role::taken>)
      return is_branch() && static_cast<bool>(says::template value<role::taken>(record_));
    else
      return is_branch();
  }
  [[nodiscard]] constexpr std::uint64_t target() const noexcept {
    if constexpr (says::template has<role::target>)
      return taken() ? static_cast<std::uint64_t>(says::template value<role::target>(record_)) : 0;
    else
      return next_;
  }
  [[nodiscard]] constexpr std::uint32_t asid() const noexcept {
    if constexpr (has_threads)
      return static_cast<std::uint32_t>(says::template value<role::asid>(record_));
    else
      return 0;
  }
  [[nodiscard]] constexpr auto destination_registers() const noexcept {
    return says::template operands<role::destination_registers, std::uint8_t>(record_);
  }
  [[nodiscard]] constexpr auto source_registers() const noexcept {
    return says::template operands<role::source_registers, std::uint8_t>(record_);
  }
  [[nodiscard]] constexpr auto destination_memory() const noexcept {
    if constexpr (says::template has<role::accesses>)
      return detail::accessed_addresses<decltype(accesses()), true>(accesses());
    else
      return says::template operands<role::destination_memory, std::uint64_t>(record_);
  }
  [[nodiscard]] constexpr auto source_memory() const noexcept {
    if constexpr (says::template has<role::accesses>)
      return detail::accessed_addresses<decltype(accesses()), false>(accesses());
    else
      return says::template operands<role::source_memory, std::uint64_t>(record_);
  }
  // Returns the memory accesses, if the mapping includes them.
  [[nodiscard]] constexpr auto accesses() const noexcept
      requires(says::template has<role::accesses>) {
    return says::template value<role::accesses>(record_);
  }
  // Returns the length of the code, if the mapping includes it.
  [[nodiscard]] constexpr std::size_t length() const noexcept
      requires(says::template has<role::length>) {
    return static_cast<std::size_t>(says::template value<role::length>(record_));
  }
  // Calls f(address, size, write) for each memory access, if the mapping includes the size.
  template <class F>
  requires(says::template has<role::access_size>) constexpr void for_each_access(F&& f) const {
    const auto size = static_cast<std::uint64_t>(says::template value<role::access_size>(record_));
    for (const std::uint64_t address : source_memory()) f(address, size, false);
    for (const std::uint64_t address : destination_memory()) f(address, size, true);
  }
  // Returns the bytes of the code, if the mapping includes them.
  [[nodiscard]] constexpr std::span<const std::byte> code() const noexcept
      requires(says::template has<role::code>) {
    return says::template value<role::code>(record_);
  }
  // Returns the values of all registers before the instruction, if the mapping includes them.
  [[nodiscard]] constexpr auto registers() const noexcept
      requires(says::template has<role::all_registers>) {
    return says::template value<role::all_registers>(record_);
  }
  // Returns the record itself. If the view refers to bytes, decodes the record.
  [[nodiscard]] constexpr decltype(auto) record() const noexcept { return record_.value(); }

 private:
  View record_;
  std::uint64_t next_ = 0;
  branch_class class_;
};

// Consecutive records as instructions (models feed::batch).
template <class Records, class... Words> class mapped_batch {
  using view = decltype(file::view_of(std::declval<Records>(), 0));
  using place = decltype(file::place_of(std::declval<view>()));

 public:
  using value_type = mapped_instruction<view, Words...>;
  constexpr mapped_batch() = default;
  constexpr explicit mapped_batch(const file::batch<Records>& b) noexcept
      : records_(b.records), last_(last_of(b.records)), ends_(b.last) {
    // The record after the batch is also in memory.
    if (!b.last) following_ip_ = ip_at(b.size());
  }

  [[nodiscard]] constexpr std::size_t size() const noexcept { return records_.size(); }
  TRACECODEC_INLINE constexpr value_type operator[](std::size_t i) const noexcept {
    const view r = file::view_of(records_, i);
    return value_type(r, [this, r] {
      return file::place_of(r) != last_ ? value_type::ip_of(file::next_record(r)) : following_ip_;
    });
  }
  [[nodiscard]] constexpr mapped_batch first(std::size_t n) const noexcept {
    if (n >= size()) return *this;
    mapped_batch b = *this;
    b.records_ = file::part_of(records_, 0, n);
    b.last_ = last_of(b.records_);
    b.following_ip_ = ip_at(n);
    b.ends_ = false;
    return b;
  }
  [[nodiscard]] constexpr mapped_batch drop(std::size_t n) const noexcept {
    mapped_batch b = *this;
    b.records_ = file::part_of(records_, n, size() - n);
    return b;
  }
  [[nodiscard]] constexpr bool last_batch() const noexcept { return ends_; }
  constexpr void mark_last() noexcept { ends_ = true; }
  constexpr void set_next_ip(std::uint64_t ip) noexcept { following_ip_ = ip; }

  [[nodiscard]] constexpr const Records& records() const noexcept { return records_; }

 private:
  static constexpr place last_of(const Records& all) noexcept {
    return all.size() == 0 ? nullptr : file::place_of(file::view_of(all, all.size() - 1));
  }
  constexpr std::uint64_t ip_at(std::size_t i) const noexcept {
    return value_type::ip_of(file::view_of(records_, i));
  }

  Records records_ = {};
  place last_ = nullptr;  // last record of `records_`
  std::uint64_t following_ip_ = 0;
  bool ends_ = true;
};

// Those records of a batch that are instructions (models feed::batch). `chosen` are their indices in
// `records`, in ascending order.
template <class Records, class... Words> class chosen_batch {
  using view = decltype(file::view_of(std::declval<Records>(), 0));

 public:
  using value_type = mapped_instruction<view, Words...>;
  constexpr chosen_batch() = default;
  constexpr chosen_batch(const Records& records, std::span<const std::uint32_t> chosen,
                         bool ends) noexcept
      : records_(records), chosen_(chosen), ends_(ends) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return chosen_.size(); }
  TRACECODEC_INLINE constexpr value_type operator[](std::size_t i) const noexcept {
    return value_type(file::view_of(records_, chosen_[i]), [] { return std::uint64_t{}; });
  }
  [[nodiscard]] constexpr chosen_batch first(std::size_t n) const noexcept {
    return n >= size() ? *this : chosen_batch(records_, chosen_.first(n), false);
  }
  [[nodiscard]] constexpr chosen_batch drop(std::size_t n) const noexcept {
    return {records_, chosen_.subspan(n), ends_};
  }
  // Returns true if no record follows the batch. If it returns false, the records that follow may
  // contain no instruction.
  [[nodiscard]] constexpr bool last_batch() const noexcept { return ends_; }
  constexpr void mark_last() noexcept { ends_ = true; }
  // The target of a branch does not depend on the next instruction, because map::target is given.
  constexpr void set_next_ip(std::uint64_t) noexcept {}
  static constexpr bool uses_next_ip() noexcept { return false; }

  // Returns all records of the batch, including those that are not instructions.
  [[nodiscard]] constexpr const Records& records() const noexcept { return records_; }

 private:
  Records records_ = {};
  std::span<const std::uint32_t> chosen_ = {};
  bool ends_ = true;
};

}  // namespace tracecodec::feed
