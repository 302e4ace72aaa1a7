// A feed of any file that is described (file/describe.hpp), by a mapping of its records' members to
// what an instruction has:
//
//   using step_feed = feed::of<step_file, feed::map::ip<&step::ip>, feed::map::asid<&step::thread>,
//       feed::map::branch<feed::branch_class::direct_jump, feed::map::is<&step::what, kind::jump>>,
//       feed::map::target<&step::address>>;
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include "../file/reader.hpp"
#include "../wire/asks.hpp"
#include "mapping.hpp"
#include "stream.hpp"

namespace tracecodec::feed {

namespace detail {
// An operand that is there or not. Its iterator has the value, so that none must be in memory.
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
template <class T> inline constexpr bool is_std_array = false;
template <class T, std::size_t N> inline constexpr bool is_std_array<std::array<T, N>> = true;
template <class Array> inline constexpr Array no_operands{};

// The first of `Words` that maps to `Role`; void if none does.
template <map::role Role, class... Words> struct word_for { using type = void; };
template <map::role Role, class Word, class... Rest> struct word_for<Role, Word, Rest...>
    : std::conditional_t<Word::what == Role, std::type_identity<Word>, word_for<Role, Rest...>> {};

// What `Words` say of a record.
template <class... Words> struct mapping {
  template <map::role Role> using word = typename word_for<Role, Words...>::type;
  template <map::role Role> static constexpr bool has = !std::is_void_v<word<Role>>;

  template <map::role Role, class R>
  TRACECODEC_INLINE static constexpr auto value(const R& r) noexcept {
    return wire::detail::ask<word<Role>::ask>(r);
  }
  // Of an integer one, of an array those that are not 0.
  template <map::role Role, class T, class R>
  TRACECODEC_INLINE static constexpr auto operands(const R& r) noexcept {
    if constexpr (!has<Role>) {
      return at_most_one<T>();
    } else {
      using asked = std::remove_cvref_t<decltype(value<Role>(r))>;
      const bool there = word<Role>::condition(r);
      if constexpr (is_std_array<asked>)
        return nonzero_range(there ? r.*word<Role>::ask : no_operands<asked>);
      else
        return at_most_one<T>(static_cast<T>(value<Role>(r)), there);
    }
  }
  template <class R> TRACECODEC_INLINE static constexpr branch_class branch(const R& r) noexcept {
    branch_class c = branch_class::not_branch;
    static_cast<void>((branch_by<Words>(r, c) || ...));
    return c;
  }

 private:
  template <class Word, class R>
  TRACECODEC_INLINE static constexpr bool branch_by(const R& r, branch_class& c) noexcept {
    if constexpr (Word::what == map::role::branch) {
      if (!Word::condition(r)) return false;
      if constexpr (std::is_same_v<std::remove_cv_t<decltype(Word::ask)>, branch_class>)
        c = Word::ask;
      else
        c = wire::detail::ask<Word::ask>(r);
      return c != branch_class::not_branch;
    } else {
      return false;
    }
  }
};
}  // namespace detail

// A record as an instruction: models feed::instruction.
template <class Record, class... Words> class mapped_instruction {
  using says = detail::mapping<Words...>;
  using role = map::role;

 public:
  static constexpr bool has_branches = says::template has<role::branch>;
  static constexpr bool has_threads = says::template has<role::asid>;
  static_assert(says::template has<role::ip>, "an instruction has an address: say map::ip");

  TRACECODEC_INLINE constexpr explicit mapped_instruction(const Record& r) noexcept : record_(r) {}
  // `following` gives the ip of what comes next: it is asked for taken branches only.
  template <class Following>
  TRACECODEC_INLINE constexpr mapped_instruction(const Record& r, Following following) noexcept
      : record_(r) {
    if constexpr (has_branches && !says::template has<role::target>)
      if (taken()) next_ = following();
  }

  [[nodiscard]] constexpr std::uint64_t ip() const noexcept {
    return static_cast<std::uint64_t>(says::template value<role::ip>(record_));
  }
  [[nodiscard]] constexpr branch_class branch() const noexcept { return says::branch(record_); }
  [[nodiscard]] constexpr bool is_branch() const noexcept {
    return branch() != branch_class::not_branch;
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
  // The record itself.
  [[nodiscard]] constexpr const Record& record() const noexcept { return record_; }

 private:
  Record record_;
  std::uint64_t next_ = 0;
};

// Consecutive records as instructions (feed::batch).
template <class Records, class... Words> class mapped_batch {
  using record = typename Records::value_type;

 public:
  using value_type = mapped_instruction<std::remove_cv_t<record>, Words...>;
  constexpr mapped_batch() = default;
  constexpr explicit mapped_batch(const file::batch<Records>& b) noexcept
      : records_(b), following_ip_(b.last ? 0 : value_type(b.following()).ip()), ends_(b.last) {}

  [[nodiscard]] constexpr std::size_t size() const noexcept { return records_.size(); }
  TRACECODEC_INLINE constexpr value_type operator[](std::size_t i) const noexcept {
    return value_type(records_[i], [this, i] {
      return i + 1 < size() ? value_type(records_[i + 1]).ip() : following_ip_;
    });
  }
  [[nodiscard]] constexpr mapped_batch first(std::size_t n) const noexcept {
    if (n >= size()) return *this;
    mapped_batch b = *this;
    b.records_ = records_.part(0, n);
    b.following_ip_ = value_type(records_[n]).ip();
    b.ends_ = false;
    return b;
  }
  [[nodiscard]] constexpr mapped_batch drop(std::size_t n) const noexcept {
    mapped_batch b = *this;
    b.records_ = records_.part(n, size() - n);
    return b;
  }
  [[nodiscard]] constexpr bool ends() const noexcept { return ends_; }
  constexpr void end_here() noexcept { ends_ = true; }
  constexpr void follow_with(std::uint64_t ip) noexcept { following_ip_ = ip; }

  [[nodiscard]] constexpr const file::batch<Records>& records() const noexcept { return records_; }

 private:
  file::batch<Records> records_ = {};
  std::uint64_t following_ip_ = 0;
  bool ends_ = true;
};

// The feed (feed::stream, and a range). `Words` are those of feed::map; errors are the reader's.
template <class File, class... Words> class of : public iterable<of<File, Words...>> {
  using reader = file::reader<File>;

 public:
  using batch_type = mapped_batch<decltype(reader::batch_type::records), Words...>;

  explicit of(io::input in, file::reader_options options = {}) : reader_(std::move(in), options) {}
  // "-" is standard input.
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
