// What columns are kept in: arrays that grow and are used again, and lists of entries in such
// arrays.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <new>
#include <span>
#include <tuple>
#include <type_traits>
#include <utility>

#include "../../../wire/types/bytes.hpp"

namespace tracecodec::feed::detail {

// Room for elements, the first of which lies at a multiple of 64 bytes, as Arrow recommends.
template <class T> class column_buffer {
  static_assert(std::is_trivially_copyable_v<T>);
  static constexpr std::align_val_t alignment{64};

 public:
  column_buffer() = default;
  column_buffer(column_buffer&& b) noexcept
      : at_(std::exchange(b.at_, nullptr)), capacity_(std::exchange(b.capacity_, 0)) {}
  column_buffer& operator=(column_buffer&& b) noexcept {
    std::swap(at_, b.at_);
    std::swap(capacity_, b.capacity_);
    return *this;
  }
  ~column_buffer() { ::operator delete(at_, alignment); }

  [[nodiscard]] T* data() noexcept { return at_; }
  [[nodiscard]] const T* data() const noexcept { return at_; }
  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }
  // Makes room for `n` at least; the first `kept` stay.
  void reserve(std::size_t n, std::size_t kept = 0) {
    if (n <= capacity_) return;
    T* const more = static_cast<T*>(::operator new(n * sizeof(T), alignment));
    if (kept != 0) std::memcpy(more, at_, kept * sizeof(T));
    ::operator delete(at_, alignment);
    at_ = more;
    capacity_ = n;
  }

 private:
  // Not a std::unique_ptr, which costs compilers much for each T.
  T* at_ = nullptr;
  std::size_t capacity_ = 0;
};

// In place of a part of an entry that many have in common.
struct later {};

// A list of entries for each row, as Arrow lays lists out: the entries of all rows one behind the
// other, each part of an entry in an array of its own, and where the list of each row begins.
template <class... T> class column_lists {
  static constexpr std::size_t widest = std::max({sizeof(T)...});

 public:
  // Entries of one row, and those from which on no further row is added: 64 KiB and 256 KiB of the
  // widest part.
  static constexpr std::size_t most_of_row = (std::size_t{1} << 16) / widest,
                               most = 4 * most_of_row;
  static_assert(most + most_of_row <= std::numeric_limits<std::int32_t>::max());

  // No row; makes room for `rows`.
  void begin(std::size_t rows) {
    offsets_.reserve(rows + 1);
    offsets_.data()[0] = 0;
    size_ = 0;
    left_out_ = 0;
  }
  // `n` rows without entries, the first of which has this number.
  void add_empty_rows(std::size_t row, std::size_t n) noexcept {
    std::fill_n(offsets_.data() + row + 1, n, static_cast<std::int32_t>(size_));
  }
  // Leaves the first `rows`.
  void cut(std::size_t rows) noexcept {
    size_ = static_cast<std::size_t>(offsets_.data()[rows]);
    // Behind a row of which something was left out there is none.
    if (last_ >= rows) left_out_ = 0;
  }

  // Adds rows: open_row(), add() for each entry, close_row(its number). It has its own copy of what
  // each entry needs: bytes that are stored may be anything, as far as a compiler knows, also the
  // lists' own.
  class writer {
   public:
    explicit writer(column_lists& to) noexcept : to_(to) { reload(); }
    ~writer() { to_.size_ = size_; }
    writer(const writer&) = delete;
    writer& operator=(const writer&) = delete;

    // Whether there is no room for another row.
    [[nodiscard]] bool full() const noexcept { return size_ >= most || to_.left_out_ != 0; }
    void open_row() noexcept {
      row_end_ = size_ + most_of_row;
      end_ = std::min(row_end_, capacity_);
    }
    // false if the row has no room for it.
    TRACECODEC_INLINE bool add(T... parts) {
      if (size_ == end_ && !more(1)) [[unlikely]]
        return false;
      put(std::index_sequence_for<T...>(), parts_, size_, parts...);
      ++size_;
      return true;
    }
    // Several, of which as many are kept as there is room for; of entries with one part.
    void append(std::span<const std::tuple_element_t<0, std::tuple<T...>>> all) {
      static_assert(sizeof...(T) == 1);
      const std::size_t n = std::min(all.size(), row_end_ - size_);
      if (n > end_ - size_) more(n);
      if (n != 0) std::memcpy(std::get<0>(parts_) + size_, all.data(), n * widest);
      size_ += n;
      leave_out(all.size() - n);
    }
    void leave_out(std::size_t n) noexcept { to_.left_out_ += n; }
    // Makes room for a row for which begin() made none.
    void reserve_row(std::size_t row) {
      auto& offsets = to_.offsets_;
      if (row + 1 >= offsets.capacity()) offsets.reserve(2 * (row + 1), row + 1);
      offsets_ = offsets.data();
    }
    void close_row(std::size_t row) noexcept {
      offsets_[row + 1] = static_cast<std::int32_t>(size_);
      to_.last_ = row;
    }
    // Takes back what was added since the last row.
    void drop_row(std::size_t row) noexcept {
      size_ = static_cast<std::size_t>(offsets_[row]);
      to_.left_out_ = 0;
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

   private:
    template <std::size_t... I>
    TRACECODEC_INLINE static void put(std::index_sequence<I...>, const std::tuple<T*...>& to,
                                      std::size_t at, T... parts) noexcept {
      ((std::get<I>(to)[at] = parts), ...);
    }
    void reload() noexcept {
      offsets_ = to_.offsets_.data();
      parts_ = std::apply([](auto&... p) { return std::tuple(p.data()...); }, to_.parts_);
      size_ = to_.size_;
      capacity_ = to_.capacity();
      end_ = std::min(row_end_, capacity_);
    }
    bool more(std::size_t n) {
      to_.size_ = size_;
      const bool has_room = to_.more(n, row_end_);
      reload();
      return has_room;
    }
    column_lists& to_;
    std::int32_t* offsets_ = nullptr;
    std::tuple<T*...> parts_ = {};
    std::size_t size_ = 0, capacity_ = 0, row_end_ = 0, end_ = 0;
  };

  // Adds rows of `Most` entries at most, of which no batch has too many: nothing is asked for each row,
  // and there is no branch for each entry, as which are there is hard to foresee.
  template <std::size_t Most> class slot_writer {
   public:
    // Of rows for which begin() made room.
    explicit slot_writer(column_lists& to) : to_(to), size_(to.size_) {
      const std::size_t n = (to.offsets_.capacity() - 1) * Most;
      std::apply([&](auto&... p) { (p.reserve(n, to.size_), ...); }, to.parts_);
      offsets_ = to.offsets_.data();
      parts_ = std::apply([](auto&... p) { return std::tuple(p.data()...); }, to.parts_);
    }
    ~slot_writer() { to_.size_ = size_; }
    slot_writer(const slot_writer&) = delete;
    slot_writer& operator=(const slot_writer&) = delete;

    // An entry, if it is there. Of a part that is `later` fill() says what it is.
    template <class... Part> TRACECODEC_INLINE void add(bool there, Part... parts) noexcept {
      put(std::index_sequence_for<T...>(), parts...);
      size_ += there ? 1U : 0U;
    }
    void close_row(std::size_t row) noexcept {
      offsets_[row + 1] = static_cast<std::int32_t>(size_);
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    // Part `I` of the entries from `first` on.
    template <std::size_t I, class Part> void fill(std::size_t first, Part value) noexcept {
      std::fill_n(std::get<I>(parts_) + first, size_ - first, value);
    }

   private:
    template <std::size_t... I, class... Part>
    TRACECODEC_INLINE void put(std::index_sequence<I...>, Part... parts) noexcept {
      const auto one = [this](auto* to, auto part) {
        if constexpr (!std::is_same_v<decltype(part), later>) to[size_] = part;
      };
      (one(std::get<I>(parts_), parts), ...);
    }
    column_lists& to_;
    std::int32_t* offsets_ = nullptr;
    std::tuple<T*...> parts_ = {};
    std::size_t size_ = 0;
  };

  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }
  [[nodiscard]] std::span<const std::int32_t> offsets(std::size_t rows) const noexcept {
    return {offsets_.data(), rows + 1};
  }
  // Part `I` of all entries.
  template <std::size_t I> [[nodiscard]] auto all() const noexcept {
    using type = std::tuple_element_t<I, std::tuple<T...>>;
    return std::span<const type>(std::get<I>(parts_).data(), size_);
  }

 private:
  // Of the part that grows last.
  [[nodiscard]] std::size_t capacity() const noexcept {
    return std::get<sizeof...(T) - 1>(parts_).capacity();
  }
  // Makes room for `n` more; false, and one is left out, if the row, which ends at `row_end`, may
  // not have them.
  [[gnu::noinline]] bool more(std::size_t n, std::size_t row_end) {
    if (n > row_end - size_) {
      ++left_out_;
      return false;
    }
    const std::size_t wanted = std::max({size_ + n, 2 * capacity(), std::size_t{512} / widest});
    std::apply([&](auto&... p) { (p.reserve(std::min(wanted, most + most_of_row), size_), ...); },
               parts_);
    return true;
  }

  column_buffer<std::int32_t> offsets_ = {};
  std::tuple<column_buffer<T>...> parts_ = {};
  std::size_t size_ = 0, last_ = 0;
  std::uint64_t left_out_ = 0;
};

// A value for each row that may be refused, in the manner of column_lists::writer.
template <class T> class value_writer {
 public:
  explicit value_writer(column_buffer<T>& to) noexcept : to_(to.data()) {}
  [[nodiscard]] bool full() const noexcept { return false; }
  void open_row() noexcept { value_ = {}; }
  void add(T value) noexcept { value_ = value; }
  void close_row(std::size_t row) noexcept { to_[row] = value_; }
  void drop_row(std::size_t /*row*/) noexcept { value_ = {}; }

 private:
  T* to_;
  T value_ = {};
};

// Contents of memory: a list of entries for each row, and the bytes of each entry. (A template, which costs
// a compiler nothing where values are not asked for; of std::byte.)
template <class Byte> class memory_value_lists {
  using entry_lists = column_lists<std::uint64_t, std::uint8_t, std::uint8_t>;
  using byte_lists = column_lists<Byte>;

 public:
  void begin(std::size_t rows) {
    entries_.begin(rows);
    bytes_.begin(0);
  }
  void cut(std::size_t rows) noexcept {
    entries_.cut(rows);
    bytes_.cut(entries_.size());
  }
  // In the manner of column_lists::writer.
  class writer {
   public:
    explicit writer(memory_value_lists& to) noexcept : entries_(to.entries_), bytes_(to.bytes_) {}
    [[nodiscard]] bool full() const noexcept { return entries_.full() || bytes_.full(); }
    void open_row() noexcept {
      entries_.open_row();
      row_begin_ = bytes_.size();
    }
    void add(std::uint64_t address, std::span<const Byte> all, bool after, bool trusted) {
      const std::size_t room = byte_lists::most_of_row - (bytes_.size() - row_begin_);
      const std::size_t n = std::min(all.size(), room);
      entries_.leave_out(all.size() - n);
      if (n == 0 && !all.empty()) return;
      bytes_.reserve_row(entries_.size());
      if (!entries_.add(address, after ? 1 : 0, trusted ? 1 : 0)) return;
      bytes_.open_row();
      bytes_.append(all.first(n));
      bytes_.close_row(entries_.size() - 1);
    }
    void close_row(std::size_t row) noexcept { entries_.close_row(row); }
    void drop_row(std::size_t row) noexcept {
      entries_.drop_row(row);
      bytes_.drop_row(entries_.size());
    }

   private:
    entry_lists::writer entries_;
    typename byte_lists::writer bytes_;
    std::size_t row_begin_ = 0;
  };

  [[nodiscard]] std::uint64_t left_out() const noexcept { return entries_.left_out(); }
  [[nodiscard]] const entry_lists& entries() const noexcept { return entries_; }
  [[nodiscard]] const byte_lists& bytes() const noexcept { return bytes_; }

 private:
  entry_lists entries_ = {};
  byte_lists bytes_ = {};
};

}  // namespace tracecodec::feed::detail
