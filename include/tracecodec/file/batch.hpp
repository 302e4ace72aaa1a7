// Batches: consecutive records of a file.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "../wire/types/view.hpp"

namespace tracecodec::file {

// View of a decoded record that returns single members. It has the same interface as
// wire::record_view, which is a view of a record's bytes.
template <class Record> class object_view {
 public:
  constexpr explicit object_view(const Record& r) noexcept : r_(&r) {}
  template <auto M> [[nodiscard]] TRACECODEC_INLINE constexpr const auto& get() const noexcept {
    return r_->*M;
  }
  [[nodiscard]] constexpr const Record& value() const noexcept { return *r_; }

 private:
  const Record* r_;
};

// Views of records in place. view_of() returns a view of record `i` of `records`. place_of()
// returns the address of a view's record. next_record() returns a view of the record after `r`.
template <class Codec>
TRACECODEC_INLINE constexpr wire::record_view<Codec> view_at(const std::byte* p) noexcept {
  return wire::record_view<Codec>(std::span<const std::byte, Codec::size>(p, Codec::size));
}
template <class Codec>
TRACECODEC_INLINE constexpr wire::record_view<Codec> view_of(const wire::array_view<Codec>& records,
                                                             std::size_t i) noexcept {
  return view_at<Codec>(records.bytes().data() + i * Codec::size);
}
template <class Record>
TRACECODEC_INLINE constexpr object_view<Record> view_of(std::span<const Record> records,
                                                        std::size_t i) noexcept {
  return object_view<Record>(records.data()[i]);
}
template <class Codec>
TRACECODEC_INLINE constexpr const std::byte* place_of(const wire::record_view<Codec>& r) noexcept {
  return r.bytes().data();
}
template <class Record>
TRACECODEC_INLINE constexpr const Record* place_of(const object_view<Record>& r) noexcept {
  return &r.value();
}
template <class Codec> TRACECODEC_INLINE constexpr wire::record_view<Codec> next_record(
    const wire::record_view<Codec>& r) noexcept {
  return view_at<Codec>(place_of(r) + Codec::size);
}
template <class Record>
TRACECODEC_INLINE constexpr object_view<Record> next_record(const object_view<Record>& r) noexcept {
  return object_view<Record>(place_of(r)[1]);
}

// Returns records [from, from + n) of `all`. The records must exist.
template <class Codec> constexpr wire::array_view<Codec> part_of(const wire::array_view<Codec>& all,
                                                                 std::size_t from,
                                                                 std::size_t n) noexcept {
  return all.subview(from, n);
}
template <class Record> constexpr std::span<const Record> part_of(std::span<const Record> all,
                                                                  std::size_t from,
                                                                  std::size_t n) noexcept {
  return all.subspan(from, n);
}

// Batch of consecutive records, valid until the next call to the reader. If records have a fixed
// size, `records` is an array_view of the mapped file or of the reader's buffer, and decodes
// elements on access. If records vary in size, `records` is a span of decoded records, which may
// contain views into the file or the buffer.
template <class Records> struct batch {
  using value_type = typename Records::value_type;
  Records records = {};
  std::uint64_t first = 0;  // index of the batch's first record in the file
  bool last = true;         // true if no complete record follows

  [[nodiscard]] constexpr std::size_t size() const noexcept { return records.size(); }
  [[nodiscard]] constexpr decltype(auto) operator[](std::size_t i) const noexcept {
    return records[i];
  }
  [[nodiscard]] constexpr auto begin() const noexcept { return records.begin(); }
  [[nodiscard]] constexpr auto end() const noexcept { return records.end(); }
  // Returns the record after the batch, which is also in memory. Requires that `last` is false.
  [[nodiscard]] constexpr value_type following() const noexcept {
    return view_of(records, size()).value();
  }
  // Returns records [from, from + n) as a batch. The records must exist.
  [[nodiscard]] constexpr batch part(std::size_t from, std::size_t n) const noexcept {
    return {part_of(records, from, n), first + from, last && from + n == size()};
  }
};

}  // namespace tracecodec::file
