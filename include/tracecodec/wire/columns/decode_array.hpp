// Decodes many fixed-size records into an array of structs. Readers use this function for batches
// if the codec's records cannot be viewed in place (object_layout is false).
#pragma once
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <type_traits>
#include <utility>

#include "../record.hpp"
#include "../types/view.hpp"

namespace tracecodec::wire {

namespace detail {
// True if decoding a `W` only reorders its bytes, whatever the value is.
template <class W> inline constexpr bool only_moves = false;
template <scalar_value T, order O> inline constexpr bool only_moves<scalar<T, O>> =
    !std::is_same_v<integer_t<T>, bool>;
template <class W, std::size_t N> inline constexpr bool only_moves<array_of<W, N>> = only_moves<W>;
template <class Item> inline constexpr bool item_only_moves = false;
template <class Access, class W, meaning Says>
inline constexpr bool item_only_moves<bound_field<Access, W, Says>> =
    bound_field<Access, W, Says>::same_type&& only_moves<W>;
template <class Front, std::size_t... I> constexpr bool items_only_move(std::index_sequence<I...>) {
  return (item_only_moves<typename Front::template item<I>> && ...);
}
template <class What, order O, placement P, target T>
inline constexpr bool only_moves<record<What, O, P, T>> = [] {
  using codec = record<What, O, P, T>;
  if constexpr (codec::fixed)
    return items_only_move<typename codec::front>(std::make_index_sequence<codec::front::count>{});
  else
    return false;
}();

// True if the struct consists of exactly the record's bytes, possibly in another order.
// byte_order_of determines this order by decoding a record of numbered bytes.
template <class Codec> inline constexpr bool is_permutation =
    only_moves<Codec>&& Codec::size <= 256 &&
    sizeof(typename Codec::value_type) ==
        Codec::size&& std::has_unique_object_representations_v<typename Codec::value_type>;

// Move of the bytes [from, from + size) of the record to [to, to + size) of the struct. The bytes
// keep their order or are reversed. A move of 16 bytes may also arrange the bytes in any other
// order.
struct byte_move {
  std::size_t to, from, size;
  enum { as_is, reversed, shuffled } how;
};
template <std::size_t Size> struct byte_moves {
  std::array<byte_move, Size> all{};
  std::size_t n = 0;
};

template <class Codec> inline constexpr std::array<std::uint8_t, Codec::size> byte_order_of = [] {
  std::array<byte, Codec::size> numbered{};
  for (std::size_t i = 0; i < Codec::size; ++i) numbered[i] = static_cast<byte>(i);
  return std::bit_cast<std::array<std::uint8_t, Codec::size>>(
      Codec::decode(std::span<const byte, Codec::size>(numbered)));
}();

// Moves that convert a record to its struct, chosen greedily from the front. `Shuffles` is true if
// one move may shuffle 16 bytes.
template <class Codec, bool Shuffles> inline constexpr auto moves_of = [] {
  constexpr std::size_t size = Codec::size;
  const auto& at = byte_order_of<Codec>;
  byte_moves<size> moves;
  std::size_t i = 0;
  const auto is_reversed = [&](std::size_t n) {
    for (std::size_t k = 0; k < n; ++k)
      if (i + n > size || at[i + k] != at[i + n - 1] + n - 1 - k) return false;
    return true;
  };
  const auto in_lane = [&] {
    for (std::size_t k = 0; k < 16; ++k)
      if (i % 16 != 0 || i + 16 > size || at[i + k] / 16 != i / 16) return false;
    return true;
  };
  const auto next = [&]() -> byte_move {
    std::size_t run = 1;
    while (i + run < size && at[i + run] == at[i] + run) ++run;
    if (Shuffles && run < 16 && in_lane()) return {i, i, 16, byte_move::shuffled};
    for (const std::size_t n : std::array<std::size_t, 3>{8, 4, 2})
      if (is_reversed(n)) return {i, at[i + n - 1], n, byte_move::reversed};
    return {i, at[i], run, byte_move::as_is};
  };
  for (; i < size; i += moves.all[moves.n - 1].size) moves.all[moves.n++] = next();
  return moves;
}();

using bytes_16 [[gnu::vector_size(16)]] = std::uint8_t;
template <class Codec, std::size_t At, std::size_t... I>
TRACECODEC_INLINE void shuffle(const byte* from, byte* to, std::index_sequence<I...>) noexcept {
  constexpr const auto& at = byte_order_of<Codec>;
  bytes_16 v;
  std::memcpy(&v, from + At, 16);
  v = __builtin_shufflevector(v, v, (at[At + I] - At)...);
  std::memcpy(to + At, &v, 16);
}
template <class Codec, bool Shuffles, std::size_t I>
TRACECODEC_INLINE void move_one(const byte* from, byte* to) noexcept {
  constexpr byte_move m = moves_of<Codec, Shuffles>.all[I];
  if constexpr (m.how == byte_move::shuffled) {
    shuffle<Codec, m.to>(from, to, std::make_index_sequence<16>{});
  } else if constexpr (m.how == byte_move::reversed) {
    typename unsigned_of<m.size>::type v;
    std::memcpy(&v, from + m.from, m.size);
    v = wire::reversed(v);
    std::memcpy(to + m.to, &v, m.size);
  } else {
    std::memcpy(to + m.to, from + m.from, m.size);
  }
}
template <class Codec, bool Shuffles, std::size_t... I>
TRACECODEC_INLINE void move_all(const byte* __restrict from, byte* __restrict to, std::size_t n,
                                std::index_sequence<I...>) noexcept {
  for (std::size_t i = 0; i < n; ++i, from += Codec::size, to += Codec::size)
    (move_one<Codec, Shuffles, I>(from, to), ...);
}
template <class Codec, bool Shuffles> using all_moves =
    std::make_index_sequence<moves_of<Codec, Shuffles>.n>;

// Converts records with shuffle instructions, which take half the time of word-by-word moves. If
// the program is not compiled for SSSE3, move_records() calls this function only on processors that
// support SSSE3.
#if defined(__x86_64__)
template <class Codec>
[[gnu::target("ssse3")]] void shuffle_all(const byte* from, byte* to, std::size_t n) noexcept {
  move_all<Codec, true>(from, to, n, all_moves<Codec, true>{});
}
#endif
template <class Codec, bool Shuffles>
void move_records(const byte* from, byte* to, std::size_t n) noexcept {
#if defined(__x86_64__)
  if constexpr (!Shuffles)
    if (__builtin_cpu_supports("ssse3")) return shuffle_all<Codec>(from, to, n);
#endif
  move_all<Codec, Shuffles>(from, to, n, all_moves<Codec, Shuffles>{});
}
}  // namespace detail

// Decodes all records, or as many as fit in `to`, and stops at the first record that decode
// rejects. Returns the number of decoded records. The structs must not overlap the records' bytes.
// Members without bytes keep their values.
template <class Codec>
constexpr std::size_t decode_array(array_view<Codec> from,
                                   std::span<typename Codec::value_type> to) noexcept {
  const std::size_t n = from.size() < to.size() ? from.size() : to.size();
  const byte* p = from.bytes().data();
  if constexpr (detail::is_permutation<Codec>) {
    if (!std::is_constant_evaluated()) {
      detail::move_records<Codec, detail::has_shuffles>(p, reinterpret_cast<byte*>(to.data()), n);
      return n;
    }
  }
  // Decodes each record directly into the array. If decode returned the record instead, g++ 12
  // would copy the record once more, which takes ten times as long.
  for (std::size_t i = 0; i < n; ++i, p += Codec::size)
    if (!Codec::decode(std::span<const byte>(p, Codec::size), to[i])) return i;
  return n;
}

}  // namespace tracecodec::wire
