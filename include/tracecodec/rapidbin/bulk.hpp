// Many events at once, as a structure of arrays and back: loops that the compiler vectorises, for
// the instruction set that it compiles for.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

#include "layout.hpp"

namespace tracecodec::rapidbin {

// Where the members of events go, one element for each event. `sign`, 0 or 1, may be empty.
struct columns {
  std::span<std::uint16_t> thread;
  std::span<std::uint8_t> operation;
  std::span<std::uint64_t> decor;
  std::span<std::uint16_t> location;
  std::span<std::uint8_t> sign = {};
};

// Where they come from. An empty `sign` stands for zeros.
struct const_columns {
  std::span<const std::uint16_t> thread;
  std::span<const std::uint8_t> operation;
  std::span<const std::uint64_t> decor;
  std::span<const std::uint16_t> location;
  std::span<const std::uint8_t> sign = {};
};

struct decoded {
  std::size_t events = 0;
  bool signs = false;  // whether any sign bit was set: without a column for them they are lost
};

struct encoded {
  std::size_t events = 0;       // that were written
  wire::errc error = {};        // does_not_fit: of the event behind them
  std::string_view field = {};  // then the field's name; lives as long as the program
  constexpr explicit operator bool() const noexcept { return error == wire::errc::ok; }
};

namespace detail {

// Events that are dealt with together: 2 KiB of them stay in the first cache, and a loop of a known
// length is vectorised at -O2 too.
inline constexpr std::size_t bulk_block = 256;
// Up to here, 2 MiB of events and 3.3 of columns, they are taken to stay in the larger caches.
inline constexpr std::size_t cached_events = std::size_t{1} << 18;

struct bulk_out {
  std::uint16_t* __restrict thread;
  std::uint8_t* __restrict operation;
  std::uint64_t* __restrict decor;
  std::uint16_t* __restrict location;
};
struct bulk_in {
  const std::uint16_t* __restrict thread;
  const std::uint8_t* __restrict operation;
  const std::uint64_t* __restrict decor;
  const std::uint16_t* __restrict location;
};

TRACECODEC_INLINE std::uint64_t word_at(const std::byte* p) noexcept {
  return wire::u64be::load(p);
}
TRACECODEC_INLINE std::uint64_t decor_in(std::uint64_t w) noexcept {
  return w >> 14 & largest_decor;
}
TRACECODEC_INLINE void set_small(const bulk_out& to, std::size_t i, std::uint64_t w) noexcept {
  to.thread[i] = static_cast<std::uint16_t>(w & largest_thread);
  to.operation[i] = static_cast<std::uint8_t>(w >> 10 & 15);
  to.location[i] = static_cast<std::uint16_t>(w >> 48 & largest_location);
}

// One block; returns all its words, or-ed. Which loops are best is measured. With AVX2 and its
// shuffles: one over the events while all arrays fit the caches, else two, which write to fewer
// places at a time. At the baseline: one for each column, over words in native order.
template <bool Cached>
TRACECODEC_INLINE std::uint64_t decode_block(const std::byte* __restrict from,
                                             bulk_out to) noexcept {
  std::uint64_t any = 0;
#if defined(__AVX2__)
  if constexpr (!Cached)
    for (std::size_t i = 0; i < bulk_block; ++i) set_small(to, i, word_at(from + 8 * i));
  for (std::size_t i = 0; i < bulk_block; ++i) {
    const std::uint64_t w = word_at(from + 8 * i);
    any |= w;
    if constexpr (Cached) set_small(to, i, w);
    to.decor[i] = decor_in(w);
  }
#else
  alignas(64) std::array<std::uint64_t, bulk_block> words;
  for (std::size_t i = 0; i < bulk_block; ++i) words[i] = word_at(from + 8 * i);
  for (std::size_t i = 0; i < bulk_block; ++i) {
    any |= words[i];
    to.decor[i] = decor_in(words[i]);
  }
  for (std::size_t i = 0; i < bulk_block; ++i)
    to.thread[i] = static_cast<std::uint16_t>(words[i] & largest_thread);
  for (std::size_t i = 0; i < bulk_block; ++i)
    to.operation[i] = static_cast<std::uint8_t>(words[i] >> 10 & 15);
  for (std::size_t i = 0; i < bulk_block; ++i)
    to.location[i] = static_cast<std::uint16_t>(words[i] >> 48 & largest_location);
#endif
  return any;
}

// The whole blocks among `n` events; returns as decode_block.
template <bool Cached>
std::uint64_t decode_blocks(const std::byte* from, std::size_t n, const bulk_out& to) noexcept {
  std::uint64_t any = 0;
  for (std::size_t i = 0; i + bulk_block <= n; i += bulk_block)
    any |= decode_block<Cached>(from + 8 * i,
                                {to.thread + i, to.operation + i, to.decor + i, to.location + i});
  return any;
}

TRACECODEC_INLINE bool fits(const bulk_in& from, std::size_t i) noexcept {
  return from.thread[i] <= largest_thread && from.operation[i] <= 15 &&
         from.location[i] <= largest_location && from.decor[i] <= largest_decor;
}
TRACECODEC_INLINE void put(const bulk_in& from, std::size_t i, std::byte* to) noexcept {
  wire::u64be::store(std::uint64_t{from.location[i]} << 48 | from.decor[i] << 14 |
                         std::uint64_t{from.operation[i]} << 10 | from.thread[i],
                     to + 8 * i);
}

#if defined(__AVX2__)
// Whether every id of a block fits its field.
TRACECODEC_INLINE bool block_fits(bulk_in from) noexcept {
  std::uint16_t thread = 0, location = 0;
  std::uint8_t operation = 0;
  std::uint64_t decor = 0;
  for (std::size_t i = 0; i < bulk_block; ++i)
    thread = static_cast<std::uint16_t>(thread | from.thread[i]);
  for (std::size_t i = 0; i < bulk_block; ++i)
    operation = static_cast<std::uint8_t>(operation | from.operation[i]);
  for (std::size_t i = 0; i < bulk_block; ++i)
    location = static_cast<std::uint16_t>(location | from.location[i]);
  for (std::size_t i = 0; i < bulk_block; ++i) decor |= from.decor[i];
  return thread <= largest_thread && operation <= 15 && location <= largest_location &&
         decor <= largest_decor;
}

// Encodes whole blocks up to the first that does not fit; returns how many events.
inline std::size_t encode_blocks(const bulk_in& from, std::size_t n,
                                 std::byte* __restrict to) noexcept {
  std::size_t i = 0;
  for (; i + bulk_block <= n; i += bulk_block) {
    const bulk_in here{from.thread + i, from.operation + i, from.decor + i, from.location + i};
    if (!block_fits(here)) break;
    for (std::size_t k = 0; k < bulk_block; ++k) put(here, k, to + 8 * i);
  }
  return i;
}
#endif

// Event `i` of the columns.
inline event event_of(const const_columns& in, std::size_t i) noexcept {
  return {!in.sign.empty() && in.sign[i] != 0, in.location[i], in.decor[i],
          static_cast<operation>(in.operation[i]), in.thread[i]};
}

template <class Columns> std::size_t shortest(const Columns& c) noexcept {
  const std::size_t n =
      std::min({c.thread.size(), c.operation.size(), c.decor.size(), c.location.size()});
  return c.sign.empty() ? n : std::min(n, c.sign.size());
}

}  // namespace detail

// Decodes as many events as there are, or as the shortest column holds. The columns must not lie in
// each other, nor in the events' bytes.
inline decoded decode(const event_array& events, const columns& out) noexcept {
  const std::size_t n = std::min(events.size(), detail::shortest(out));
  const std::byte* const from = events.bytes().data();
  const detail::bulk_out to{out.thread.data(), out.operation.data(), out.decor.data(),
                            out.location.data()};
  std::uint64_t any = n <= detail::cached_events ? detail::decode_blocks<true>(from, n, to)
                                                 : detail::decode_blocks<false>(from, n, to);
  std::size_t i = n / detail::bulk_block * detail::bulk_block;
  for (; i < n; ++i) {
    const std::uint64_t w = detail::word_at(from + 8 * i);
    any |= w;
    detail::set_small(to, i, w);
    out.decor[i] = detail::decor_in(w);
  }
  if (!out.sign.empty())
    for (i = 0; i < n; ++i)
      out.sign[i] = static_cast<std::uint8_t>(detail::word_at(from + 8 * i) >> 63);
  return {n, any >> 63 != 0};
}

// Encodes as many events as the shortest column has, or as `out` has room for; nothing is masked:
// the first event with an id that does not fit its field ends it, with everything before it
// written and nothing behind.
inline encoded encode(const const_columns& in, std::span<std::byte> out) noexcept {
  const std::size_t n = std::min(out.size() / event_codec::size, detail::shortest(in));
  const detail::bulk_in from{in.thread.data(), in.operation.data(), in.decor.data(),
                             in.location.data()};
  std::size_t i = 0;
#if defined(__AVX2__)
  i = detail::encode_blocks(from, n, out.data());
#endif
  // One by one is also the fastest way at the baseline, which has no shuffles to swap bytes with.
  for (; i < n && detail::fits(from, i); ++i) detail::put(from, i, out.data());
  encoded done{i, wire::errc::ok, {}};
  if (i < n) {
    const auto r = event_codec::encode(detail::event_of(in, i), {});
    done.error = r.error;
    done.field = r.field;
  }
  if (!in.sign.empty())
    for (i = 0; i < done.events; ++i)
      if (in.sign[i] != 0) out[8 * i] |= std::byte{0x80};
  return done;
}

}  // namespace tracecodec::rapidbin
