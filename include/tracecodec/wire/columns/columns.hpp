// Converts many fixed-size records to a structure of arrays, and back. The compiler vectorises the
// loops for the target instruction set. The offsets, shifts and masks are derived from the
// description.
//
//   using addresses = wire::columns<step_codec, &step::ip, &step::address>;  // or all members
//   addresses::decode(steps, ips, addresses_of_data);                        // spans
#pragma once
#include <array>
#include <span>
#include <utility>

#include "../types/view.hpp"
#include "engine/column_loops.hpp"

namespace tracecodec::wire {

struct columns_decoded {
  std::size_t records = 0;
  // True if a bit outside the decoded slices was set, which means that the columns lack some of the
  // data. Only words of bit slices with at least one decoded slice are examined.
  bool others = false;
};

struct columns_encoded {
  std::size_t records = 0;
  // errc::does_not_fit if encoding stopped at a record that does not fit.
  errc error = errc::ok;
  // Name of the first member, in wire order, that does not fit. Empty if there was no error.
  std::string_view field = {};
  constexpr explicit operator bool() const noexcept { return error == errc::ok; }
};

namespace detail {
template <std::size_t N>
constexpr bool all_differ(const std::array<std::string_view, N>& names) noexcept {
  for (std::size_t i = 0; i < N; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (names[i] == names[j]) return false;
  return true;
}

// Conversion between the records of `Codec` and the columns `C`.
template <class Codec, class... C> struct columns_of {
  static_assert(Codec::fixed, "columns need records of fixed size");
  static_assert(sizeof...(C) != 0, "there are no columns");
  static_assert((places_values<typename C::item> && ...),
                "a column needs a field or bit slice that accepts any value: checked or computed "
                "members have none");

  static constexpr std::size_t count = sizeof...(C);
  static constexpr std::array<std::string_view, count> names{C::name...};
  static_assert(all_differ(names), "a member has more than one column");
  // Maximum number of records that are assumed to fit in the larger caches together with their
  // columns (5.25 MiB).
  static constexpr std::size_t cached_records =
      (std::size_t{21} << 18) / (Codec::size + (sizeof(typename C::element) + ...));

  // Decodes all records, or as many as the shortest column can hold. The columns must not overlap
  // each other or the records' bytes. No record is rejected, because members without a column are
  // not examined.
  static constexpr columns_decoded decode(array_view<Codec> from,
                                          std::span<typename C::element>... to) noexcept {
    std::size_t n = from.size();
    ((n = to.size() < n ? to.size() : n), ...);
    const byte* const p = from.bytes().data();
    return {n, loops::decode(n <= cached_records, p, n, to.data()...)};
  }

  // Encodes as many records as the shortest column holds, or as fit in `to`. Values are not masked:
  // encoding stops at the first record with an element that does not fit its field. The preceding
  // records are written, and the rest of `to` is unchanged. Padding and members without a column
  // become zero. The columns must not overlap `to`.
  static constexpr columns_encoded encode(std::span<const typename C::element>... from,
                                          std::span<byte> to) noexcept {
    static_assert(
        all_place_values<typename Codec::front>(std::make_index_sequence<Codec::front::count>{}),
        "records with checked or computed members cannot be built from columns: encode them one by "
        "one");
    std::size_t n = to.size() / Codec::size;
    ((n = from.size() < n ? from.size() : n), ...);
    const std::size_t done = loops::encode(to.data(), n, from.data()...);
    if (done == n) return {n};
    return {done, errc::does_not_fit, loops::unfit(done, from.data()...)};
  }

 private:
  using loops = column_loops<Codec, has_shuffles, C...>;
};

template <class Codec, class I> struct all_columns;
template <class Codec, std::size_t... I> struct all_columns<Codec, std::index_sequence<I...>> {
  using type = columns_of<Codec, column<Codec, I, member_type<typename Codec::value_type, I>>...>;
};
template <class Codec, auto... Members> struct listed_columns {
  using type = columns_of<Codec, typename listed_column<Codec, Members>::type...>;
};
template <class Codec> struct listed_columns<Codec>
    : all_columns<Codec, std::make_index_sequence<member_count<typename Codec::value_type>>> {};
}  // namespace detail

// Columns of the fixed-size records of `Codec`, in the order of `Members`. Each entry is &S::member
// or as<&S::member, T>. An empty list means all members in the struct's order. A member without
// bytes has no column, so a struct with such a member needs an explicit list. For the functions,
// `names` and `count`, see detail::columns_of.
template <class Codec, auto... Members> struct columns
    : detail::listed_columns<Codec, Members...>::type {};

}  // namespace tracecodec::wire
