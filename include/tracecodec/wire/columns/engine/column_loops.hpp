// Loops that implement columns.hpp.
#pragma once
#include <array>
#include <cstddef>
#include <string_view>
#include <utility>

#include "../column.hpp"

namespace tracecodec::wire::detail {

// Columns that a loop writes: all columns, only columns narrower than their word (`narrow`), or
// only columns at least as wide as their word (`wide`).
enum class width_class : std::uint8_t { all, narrow, wide };

// Loops that convert between records of `Codec` and the columns `C`.
template <class Codec, bool Shuffles, class... C> struct column_loops {
  // Number of records in a block. The decoded data of a block fit in the first-level cache, and
  // compilers vectorise a loop of constant length even at -O2.
  static constexpr std::size_t block = 256;
  static constexpr std::size_t size = Codec::size;

  // Decodes `n` records. Returns true if a bit outside the columns' slices was set. `cached`
  // is true if the records and columns are assumed to stay in the larger caches.
  static constexpr bool decode(bool cached, const byte* from, std::size_t n,
                               typename C::element*... to) noexcept {
    bool others = false;
    const std::size_t whole = n / block * block;
    for (std::size_t i = 0; i < whole; i += block)
      others |= cached ? decode_block<true>(from + i * size, (to + i)...)
                       : decode_block<false>(from + i * size, (to + i)...);
    for (std::size_t i = whole; i < n; ++i) others |= decode_one(from + i * size, to[i]...);
    return others;
  }

  // Encodes records up to the first record that does not fit. Returns the number of encoded
  // records.
  static constexpr std::size_t encode(byte* to, std::size_t n,
                                      const typename C::element*... from) noexcept {
    std::size_t i = 0;
    // If the processor has no shuffle instructions to swap bytes, it is fastest to encode one
    // record at a time.
    if constexpr (Shuffles) {
      const std::size_t whole = n / block * block;
      for (; i < whole && (fits<C>(from + i) && ...); i += block)
        encode_block(to + i * size, (from + i)...);
    }
    for (; i < n && (C::fits(from[i]) && ...); ++i) encode_one(to + i * size, from[i]...);
    return i;
  }

  // Returns the name of the first member, in wire order, whose element at index `i` does not fit.
  static constexpr std::string_view unfit(std::size_t i,
                                          const typename C::element*... from) noexcept {
    std::string_view field = {};
    slice first{};
    const auto look = [&]<class X>(std::type_identity<X>, bool fits) {
      if (fits || (!field.empty() && !before(X::place, first))) return;
      field = X::name;
      first = X::place;
    };
    (look(std::type_identity<C>{}, C::fits(from[i])), ...);
    return field;
  }

 private:
  using indices = std::index_sequence_for<C...>;

  static constexpr bool before(const slice& a, const slice& b) noexcept {
    return a.offset != b.offset ? a.offset < b.offset : a.low_bit > b.low_bit;
  }

  // True if column `G` is the first of its group. Columns that are slices of the same word form a
  // group, so the word is loaded or stored only once. Any other column forms a separate group.
  template <class G> static constexpr bool leads = [] {
    bool found = false, leads = false;
    static_cast<void>(
        ((C::index == G::index && !found ? (found = true, leads = std::is_same_v<C, G>) : false),
         ...));
    return leads;
  }();
  template <class G>
  static constexpr std::size_t in_group = (std::size_t{C::index == G::index} + ...);
  // Mask of the bits in the bit-slice word of group `G` that no column covers.
  template <class G> static constexpr auto rest = [] {
    using word = typename G::word;
    word taken{};
    const auto add = [&taken]<class X>(std::type_identity<X>) {
      if constexpr (X::index == G::index) taken = static_cast<word>(taken | X::mask);
    };
    (add(std::type_identity<C>{}), ...);
    return static_cast<word>(~taken);
  }();
  template <class X, width_class Which>
  static constexpr bool wanted = Which == width_class::all ||
                                 (Which == width_class::wide) ==
                                     (sizeof(typename X::element) >= X::codec::size);
  template <class G, width_class Which>
  static constexpr bool any_wanted = ((C::index == G::index && wanted<C, Which>) || ...);

  template <class X, class G, width_class Which>
  TRACECODEC_INLINE static constexpr void take(typename X::element& to,
                                               typename G::word w) noexcept {
    if constexpr (X::index == G::index && wanted<X, Which>) to = X::in(w);
  }

  // Runs one loop over the records for the columns of group `G` that `Which` selects. Returns the
  // bitwise OR of all words if `Report` is true, otherwise 0.
  template <class G, width_class Which, bool Report>
  TRACECODEC_INLINE static constexpr auto decode_group(
      const byte* __restrict from, typename C::element* __restrict... to) noexcept {
    typename G::word any{};
    for (std::size_t i = 0; i < block; ++i) {
      const typename G::word w = G::codec::load(from + i * size + G::offset);
      if constexpr (Report) any = static_cast<typename G::word>(any | w);
      (take<C, G, Which>(to[i], w), ...);
    }
    return any;
  }
  // Size in bytes of the group's widest element. decode_words() first converts the words to native
  // order, and then runs a loop for each column. The loop of the widest column also computes the
  // bitwise OR of all words. Computing this OR in a separate loop would take a third of the time
  // needed to decode a RapidBin event.
  template <class G> static constexpr std::size_t widest = [] {
    std::size_t most = 0;
    ((most = C::index == G::index && sizeof(typename C::element) > most
                 ? sizeof(typename C::element)
                 : most),
     ...);
    return most;
  }();
  template <class G, class X>
  TRACECODEC_INLINE static constexpr void take_all(typename G::word& any,
                                                   const typename G::word* __restrict words,
                                                   typename X::element* __restrict to) noexcept {
    if constexpr (X::index == G::index) {
      constexpr bool collects = rest<G> != 0 && sizeof(typename X::element) == widest<G>;
      typename G::word here{};
      for (std::size_t i = 0; i < block; ++i) {
        if constexpr (collects) here = static_cast<typename G::word>(here | words[i]);
        to[i] = X::in(words[i]);
      }
      if constexpr (collects) any = here;
    }
  }
  template <class G> TRACECODEC_INLINE static constexpr bool decode_words(
      const byte* __restrict from, typename C::element* __restrict... to) noexcept {
    alignas(64) std::array<typename G::word, block> words;
    typename G::word any{};
    for (std::size_t i = 0; i < block; ++i) words[i] = G::codec::load(from + i * size + G::offset);
    (take_all<G, C>(any, words.data(), to), ...);
    return (any & rest<G>) != 0;
  }
  // Decodes a field that is not a bit slice. load_fields() decodes all such fields in one loop over
  // the records.
  template <class X>
  TRACECODEC_INLINE static constexpr void load_field(const byte* p,
                                                     typename X::element& to) noexcept {
    if constexpr (!X::is_slice) X::load(to, p);
  }
  TRACECODEC_INLINE static constexpr void load_fields(
      const byte* __restrict from, typename C::element* __restrict... to) noexcept {
    for (std::size_t i = 0; i < block; ++i) (load_field<C>(from + i * size, to[i]), ...);
  }

  // Decodes a group with the loops that were fastest in measurements:
  // - With shuffles, if all arrays fit in the caches: one loop for the group.
  // - With shuffles and larger arrays: two loops, so that each loop writes to fewer arrays.
  // - Without shuffles: one loop per column over words in native order.
  template <bool Cached, class G> TRACECODEC_INLINE static constexpr bool decode_by(
      const byte* __restrict from, typename C::element* __restrict... to) noexcept {
    if constexpr (!leads<G> || !G::is_slice) {
      return false;
    } else if constexpr (!Shuffles && in_group<G> > 1) {
      return decode_words<G>(from, to...);
    } else if constexpr (!Cached && any_wanted<G, width_class::narrow> &&
                         any_wanted<G, width_class::wide>) {
      decode_group<G, width_class::narrow, false>(from, to...);
      return (decode_group<G, width_class::wide, rest<G> != 0>(from, to...) & rest<G>) != 0;
    } else {
      return (decode_group<G, width_class::all, rest<G> != 0>(from, to...) & rest<G>) != 0;
    }
  }
  template <bool Cached> TRACECODEC_INLINE static constexpr bool decode_block(
      const byte* __restrict from, typename C::element* __restrict... to) noexcept {
    bool others = false;
    if constexpr ((!C::is_slice || ...)) load_fields(from, to...);
    ((others |= decode_by<Cached, C>(from, to...)), ...);
    return others;
  }

  template <class X> TRACECODEC_INLINE static constexpr bool others_in(const byte* p) noexcept {
    if constexpr (X::is_slice && leads<X>)
      return (X::codec::load(p + X::offset) & rest<X>) != 0;
    else
      return false;
  }
  TRACECODEC_INLINE static constexpr bool decode_one(const byte* p,
                                                     typename C::element&... to) noexcept {
    (C::load(to, p), ...);
    bool others = false;
    ((others |= others_in<C>(p)), ...);
    return others;
  }

  // Returns true if all elements of a block fit the column's field.
  template <class X>
  TRACECODEC_INLINE static constexpr bool fits(const typename X::element* from) noexcept {
    if constexpr (X::always_fits) {
      return true;
    } else if constexpr (X::is_slice) {
      using integer = integer_t<typename X::element>;
      integer any{};
      for (std::size_t i = 0; i < block; ++i)
        any = static_cast<integer>(any | static_cast<integer>(from[i]));
      return any <= X::low_mask;
    } else {
      bool all = true;
      for (std::size_t i = 0; i < block; ++i) all &= X::fits(from[i]);
      return all;
    }
  }
  // True if the columns' items cover every byte of the record, so that encode need not zero the
  // record first.
  static constexpr bool covered = (((leads<C> ? C::codec::size : 0) + ...) == size);

  template <class G, class X>
  TRACECODEC_INLINE static constexpr void add(typename G::word& w,
                                              const typename X::element& from) noexcept {
    if constexpr (X::index == G::index) w = static_cast<typename G::word>(w | X::to_word(from));
  }
  template <class G, class X>
  TRACECODEC_INLINE static constexpr void store(byte* p, const typename X::element& from) noexcept {
    if constexpr (X::index == G::index) {
      if constexpr (X::is_scalar)
        X::codec::store(X::to_word(from), p + X::offset);
      else
        X::codec::store(from, p + X::offset);
    }
  }
  template <class G>
  TRACECODEC_INLINE static constexpr void put(byte* p,
                                              const typename C::element&... from) noexcept {
    if constexpr (leads<G> && G::is_slice) {
      typename G::word w{};
      (add<G, C>(w, from), ...);
      G::codec::store(w, p + G::offset);
    } else if constexpr (leads<G>) {
      (store<G, C>(p, from), ...);
    }
  }
  TRACECODEC_INLINE static constexpr void encode_one(byte* p,
                                                     const typename C::element&... from) noexcept {
    if constexpr (!covered) zero(p, size);
    (put<C>(p, from...), ...);
  }
  TRACECODEC_INLINE static constexpr void encode_block(
      byte* __restrict to, const typename C::element* __restrict... from) noexcept {
    for (std::size_t i = 0; i < block; ++i) encode_one(to + i * size, from[i]...);
  }
};

}  // namespace tracecodec::wire::detail
