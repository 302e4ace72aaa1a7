// Storage of columns: reusable arrays that grow, and lists of entries in such arrays.
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

// Growing array whose first element is at a multiple of 64 bytes, as Arrow recommends.
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
  // Reserves memory for at least `n` elements, and preserves the first `kept` elements.
  void reserve(std::size_t n, std::size_t kept = 0) {
    if (n <= capacity_) return;
    T* const more = static_cast<T*>(::operator new(n * sizeof(T), alignment));
    if (kept != 0) std::memcpy(more, at_, kept * sizeof(T));
    ::operator delete(at_, alignment);
    at_ = more;
    capacity_ = n;
  }

 private:
  // This is not a std::unique_ptr, because that class is expensive to compile for each `T`.
  T* at_ = nullptr;
  std::size_t capacity_ = 0;
};

// Placeholder for a part of an entry that slot_writer::fill() sets later, for many entries at once.
struct later {};

// Lists of entries, one list per row, in Arrow's layout. The entries of consecutive rows are
// adjacent. Each part of an entry has its own array. Another array stores the offsets of the lists.
template <class... T> class column_lists {
  static constexpr std::size_t widest = std::max({sizeof(T)...});

 public:
  // Limits: `most_of_row` is the maximum number of entries in a row (64 KiB of the widest part). No
  // row is added after `most` entries (256 KiB of the widest part).
  static constexpr std::size_t most_of_row = (std::size_t{1} << 16) / widest,
                               most = 4 * most_of_row;
  static_assert(most + most_of_row <= std::numeric_limits<std::int32_t>::max());

  // Removes all rows, and reserves memory for `rows` rows.
  void begin(std::size_t rows) {
    offsets_.reserve(rows + 1);
    offsets_.data()[0] = 0;
    size_ = 0;
    left_out_ = 0;
  }
  // Adds `n` rows without entries. The first of these rows has number `row`.
  void add_empty_rows(std::size_t row, std::size_t n) noexcept {
    std::fill_n(offsets_.data() + row + 1, n, static_cast<std::int32_t>(size_));
  }
  // Removes all rows except the first `rows`.
  void cut(std::size_t rows) noexcept {
    size_ = static_cast<std::size_t>(offsets_.data()[rows]);
    // Only the last row can have omitted entries.
    if (last_ >= rows) left_out_ = 0;
  }

  // Writer of rows. Call open_row(), then add() for each entry, then close_row() with the row's
  // number. The writer keeps copies of the pointers and sizes, so that the compiler does not have
  // to assume that storing bytes overwrites the members of the lists.
  class writer {
   public:
    explicit writer(column_lists& to) noexcept : to_(to) { reload(); }
    ~writer() { to_.size_ = size_; }
    writer(const writer&) = delete;
    writer& operator=(const writer&) = delete;

    // Returns true if no further row may be added.
    [[nodiscard]] bool full() const noexcept { return size_ >= most || to_.left_out_ != 0; }
    void open_row() noexcept {
      row_end_ = size_ + most_of_row;
      end_ = std::min(row_end_, capacity_);
    }
    // Adds an entry. Returns false if the entry does not fit in the row.
    TRACECODEC_INLINE bool add(T... parts) {
      if (size_ == end_ && !more(1)) [[unlikely]]
        return false;
      put(std::index_sequence_for<T...>(), parts_, size_, parts...);
      ++size_;
      return true;
    }
    // Adds as many of the entries `all` as fit in the row. Each entry must have only one part.
    void append(std::span<const std::tuple_element_t<0, std::tuple<T...>>> all) {
      static_assert(sizeof...(T) == 1);
      const std::size_t n = std::min(all.size(), row_end_ - size_);
      if (n > end_ - size_) more(n);
      if (n != 0) std::memcpy(std::get<0>(parts_) + size_, all.data(), n * widest);
      size_ += n;
      leave_out(all.size() - n);
    }
    void leave_out(std::size_t n) noexcept { to_.left_out_ += n; }
    // Reserves memory for row `row`, which can exceed the number of rows passed to begin().
    void reserve_row(std::size_t row) {
      auto& offsets = to_.offsets_;
      if (row + 1 >= offsets.capacity()) offsets.reserve(2 * (row + 1), row + 1);
      offsets_ = offsets.data();
    }
    void close_row(std::size_t row) noexcept {
      offsets_[row + 1] = static_cast<std::int32_t>(size_);
      to_.last_ = row;
    }
    // Removes the entries of row `row`, for which close_row() was not called.
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
      const bool fits = to_.more(n, row_end_);
      reload();
      return fits;
    }
    column_lists& to_;
    std::int32_t* offsets_ = nullptr;
    std::tuple<T*...> parts_ = {};
    std::size_t size_ = 0, capacity_ = 0, row_end_ = 0, end_ = 0;
  };

  // Writer of rows of up to `Most` entries, for lists that can never overflow. It avoids tests for
  // each row and branches for each entry, because such branches would be mispredicted.
  template <std::size_t Most> class slot_writer {
   public:
    // Constructs a writer. Reserves memory for all entries of the rows that were reserved by
    // begin().
    explicit slot_writer(column_lists& to) : to_(to), size_(to.size_) {
      const std::size_t n = (to.offsets_.capacity() - 1) * Most;
      std::apply([&](auto&... p) { (p.reserve(n, to.size_), ...); }, to.parts_);
      offsets_ = to.offsets_.data();
      parts_ = std::apply([](auto&... p) { return std::tuple(p.data()...); }, to.parts_);
    }
    ~slot_writer() { to_.size_ = size_; }
    slot_writer(const slot_writer&) = delete;
    slot_writer& operator=(const slot_writer&) = delete;

    // Adds an entry if `there` is true. A part that is passed as `later` remains unset until
    // fill().
    template <class... Part> TRACECODEC_INLINE void add(bool there, Part... parts) noexcept {
      put(std::index_sequence_for<T...>(), parts...);
      size_ += there ? 1U : 0U;
    }
    void close_row(std::size_t row) noexcept {
      offsets_[row + 1] = static_cast<std::int32_t>(size_);
    }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    // Sets part `I` of all entries from entry `first` on.
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
  // Returns part `I` of all entries.
  template <std::size_t I> [[nodiscard]] auto all() const noexcept {
    using type = std::tuple_element_t<I, std::tuple<T...>>;
    return std::span<const type>(std::get<I>(parts_).data(), size_);
  }

 private:
  // Returns the capacity of the last part, which reserve() extends last.
  [[nodiscard]] std::size_t capacity() const noexcept {
    return std::get<sizeof...(T) - 1>(parts_).capacity();
  }
  // Reserves memory for `n` more entries. If the entries do not fit before the row's limit
  // `row_end`, returns false and counts one entry as omitted.
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

// Writer for columns with one value per row, where a row can be rejected. It has the interface of
// column_lists::writer.
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

// Contents of memory: a list of entries for each row, and a list of bytes for each entry. `Byte` is
// std::byte. The class is a template, so that programs without values do not have to compile it.
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
  // Writer of rows. It has the interface of column_lists::writer.
  class writer {
   public:
    explicit writer(memory_value_lists& to) noexcept : entries_(to.entries_), bytes_(to.bytes_) {}
    [[nodiscard]] bool full() const noexcept { return entries_.full() || bytes_.full(); }
    void open_row() noexcept {
      entries_.open_row();
      row_begin_ = bytes_.size();
    }
    void add(std::uint64_t address, std::span<const Byte> all, bool after, bool trusted) {
      const std::size_t available = byte_lists::most_of_row - (bytes_.size() - row_begin_);
      const std::size_t n = std::min(all.size(), available);
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
