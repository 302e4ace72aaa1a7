// Feed of any described file (file/describe.hpp). A mapping assigns members of its records to the
// properties of an instruction:
//
//   using step_feed = feed::of<step_file, feed::map::ip<&step::ip>, feed::map::asid<&step::thread>,
//       feed::map::branch<feed::branch_class::direct_jump, feed::map::is<&step::what, kind::jump>>,
//       feed::map::target<&step::address>>;
#pragma once
#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "../file/reader.hpp"
#include "../wire/items/engine/dependencies.hpp"
#include "mapping.hpp"
#include "stream.hpp"

namespace tracecodec::feed {

namespace detail {
// Range of at most one operand. The iterator holds the value, so the operand need not be in memory.
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

// Range of the elements that are not 0, in order, of an array of `N` elements of wire type `W`. The
// view does not own the array's bytes. The range is empty if the array is absent. All nonzero
// elements are determined at once, so that a loop visits only them. With nonzero_range, which tests
// the elements one by one, g++ needed 74 instructions instead of 65 for a record of
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
      // Tests all bytes at once: adding 0x7f to the lower 7 bits sets bit 7 unless they are 0.
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

// Returns member `M` of a record. The view refers to the record's bytes or to a decoded record.
template <auto M, class Codec>
TRACECODEC_INLINE constexpr auto member_of(const wire::record_view<Codec>& r) noexcept {
  if constexpr (Codec::front::template has<M>)
    return r.template get<M>();
  else
    // The member has no bytes in the record.
    return r.value().*M;
}
template <auto M, class D>
TRACECODEC_INLINE constexpr auto member_of(const file::given_view<D>& r) noexcept {
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

// First of `Words` that maps `Role`, or void if there is none.
template <map::role Role, class... Words> struct word_for { using type = void; };
template <map::role Role, class Word, class... Rest> struct word_for<Role, Word, Rest...>
    : std::conditional_t<Word::what == Role, std::type_identity<Word>, word_for<Role, Rest...>> {};

// Values of an instruction, as `Words` map them from a record.
template <class... Words> struct mapping {
  template <map::role Role> using word = typename word_for<Role, Words...>::type;
  template <map::role Role> static constexpr bool has = !std::is_void_v<word<Role>>;

  // Evaluates `Ask` for a record. `View` is a wire::record_view or a file::object_view.
  template <auto Ask, class View>
  TRACECODEC_INLINE static constexpr auto answer(const View& r) noexcept {
    using asked = std::remove_cv_t<decltype(Ask)>;
    if constexpr (std::is_member_object_pointer_v<asked>)
      return member_of<Ask>(r);
    else if constexpr (requires { asked::holds(member_of<asked::member>(r)); })
      return asked::holds(member_of<asked::member>(r));
    else
      return wire::detail::ask<Ask>(r.value());
  }
  template <map::role Role, class View>
  TRACECODEC_INLINE static constexpr auto value(const View& r) noexcept {
    return answer<word<Role>::ask>(r);
  }
  // Returns the operands of a role: one operand for an integer, the nonzero elements for an array.
  template <map::role Role, class T, class View>
  TRACECODEC_INLINE static constexpr auto operands(const View& r) noexcept {
    if constexpr (!has<Role>) {
      return at_most_one<T>();
    } else {
      const bool there = answer<word<Role>::condition>(r);
      if constexpr (wire::is_std_array<decltype(value<Role>(r))>)
        return nonzero_elements<word<Role>::ask>(r, there);
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
      if (!answer<Word::condition>(r)) return false;
      if constexpr (std::is_same_v<std::remove_cv_t<decltype(Word::ask)>, branch_class>)
        c = Word::ask;
      else
        c = answer<Word::ask>(r);
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
    return says::template operands<role::destination_memory, std::uint64_t>(record_);
  }
  [[nodiscard]] constexpr auto source_memory() const noexcept {
    return says::template operands<role::source_memory, std::uint64_t>(record_);
  }
  // Returns the record itself, which is decoded if the view refers to bytes.
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
      return file::place_of(r) != last_ ? value_type::ip_of(file::behind(r)) : following_ip_;
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

// Feed of a described file (models feed::stream, and is a range). `Words` are types of feed::map.
// Throws the same errors as file::reader.
template <class File, class... Words> class of : public iterable<of<File, Words...>> {
  using reader = file::reader<File>;

 public:
  using batch_type = mapped_batch<decltype(reader::batch_type::records), Words...>;

  explicit of(io::input in, file::reader_options options = {}) : reader_(std::move(in), options) {}
  // Opens the file `path`, or standard input for "-".
  explicit of(const std::string& path, file::reader_options options = {})
      : of(io::open_input(path), options) {}

  batch_type next() { return batch_type(reader_.next()); }
  std::uint64_t skip(std::uint64_t n) { return reader_.skip(n); }
  void rewind() { reader_.rewind(); }
  std::optional<std::uint64_t> count() { return reader_.count(); }
  [[nodiscard]] std::optional<double> progress() const { return reader_.progress(); }
  [[nodiscard]] const std::string& name() const { return reader_.name(); }
  [[nodiscard]] const reader& source() const noexcept { return reader_; }

 private:
  reader reader_;
};

}  // namespace tracecodec::feed
