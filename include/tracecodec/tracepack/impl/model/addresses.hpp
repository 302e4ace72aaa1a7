// Predicts the addresses in memory slots. The streams store deviations from the predictions.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

#include "../../layout.hpp"
#include "dictionary.hpp"
#include "streams.hpp"
#include "zeroed.hpp"

namespace tracecodec::tracepack::detail {

constexpr std::uint64_t mixed(std::uint64_t a, std::uint64_t b) noexcept {
  return ((a * 0x9E3779B97F4A7C15U) ^ b) * 0xD6E8FEB86659FD93U;
}

// Methods ("lanes") of predicting a site's next address. A site is a memory slot that a static
// instruction uses. The "latest" addresses are the most recent addresses of all sites together.
namespace lane {
inline constexpr unsigned last = 0,  // the site's last address
    stride = 1,                      // the site's last address plus the last difference
    base = 2,                        // latest address of the register plus the most recent distance
    // The site's last address, plus the difference that previously followed the site's last two
    // differences.
    strides = 3,
                          latest_two = 4,  // earlier successor of the two latest addresses
    after_last = 5,                        // earlier successor of the site's last address
    after_latest = 6,                      // earlier successor of the latest address
    // Latest address plus the most recent distance. The next three lanes use the three addresses
    // before the latest address.
    near_first = 7;
}  // namespace lane

template <class Run, class Stream> struct address_streams {
  // Hits and misses of the lanes' predictions, with a stream for each confidence. The first half of
  // the streams is for the lanes up to lane::base, the second half for the other lanes.
  std::array<Run, 2 * confidences> runs = {};
  Stream choices = {}, marks = {}, bits = {};
};

template <class Level, bool Encodes> class addresses {
 public:
  using run = std::conditional_t<Encodes, run_writer, run_reader>;
  using bytes = std::conditional_t<Encodes, stream_writer, stream_reader>;
  address_streams<run, bytes> streams = {};

  explicit addresses(std::size_t sites) { grow(sites); }
  // Returns the size in bytes of an object for `sites` sites.
  static constexpr std::size_t takes(std::size_t sites) noexcept {
    return ((many_lanes ? std::size_t{4} : std::size_t{2}) << Level::address_table_bits) *
               sizeof(std::uint64_t) +
           sites * (sizeof(site) + (many_lanes ? sizeof(std::array<std::uint64_t, 4>) : 0));
  }
  // Grows the tables. The encoder calls this function when it discovers new sites.
  void grow(std::size_t sites) {
    sites_.resize(sites);
    if constexpr (many_lanes) near_.resize(sites);
  }

  // Returns the next address for the site and the register in `a`. An encoder passes the address as
  // `actual`.
  std::uint64_t next(access a, std::uint64_t actual) {
    const std::uint32_t number = site_of(a);
    site& s = sites_[number];
    std::uint64_t& base = bases_[base_of(a)];
    const std::uint64_t value = step(s, number, base, actual, past_);
    take(number, value, base, past_);
    return value;
  }

  // Decodes the next addresses. Stores each address at the position that its access specifies,
  // counted from `out` in 8-byte words.
  void decode(std::span<const access> all, std::byte* out) requires(!Encodes) {
    decode_each(all, [out](access a, std::uint64_t value) {
      store_word(value, out + std::size_t{word_of(a)} * 8);
    });
  }
  // Decodes the next addresses, and stores them in consecutive elements, starting at `out`.
  void decode(std::span<const access> all, std::uint64_t* out) requires(!Encodes) {
    decode_each(all, [&out](access, std::uint64_t value) { *out++ = value; });
  }

  // Returns the digest of all addresses so far.
  [[nodiscard]] std::uint64_t digest() const noexcept { return past_.digest; }
  [[nodiscard]] bool failed() const noexcept requires(!Encodes) {
    bool bad =
        bad_choice_ || streams.choices.failed() || streams.marks.failed() || streams.bits.failed();
    for (const auto& r : streams.runs) bad = bad || r.failed();
    return bad;
  }

 private:
  static constexpr bool many_lanes = Level::lanes > 5;
  static constexpr std::size_t by_strides = 0, by_latest_two = 1, by_last = 2, by_latest = 3;

  enum : std::uint8_t { no, in_last, in_base };
  struct site {
    std::uint64_t last = 0;
    // Distances from the site's previous address, and from the register's latest address.
    std::array<std::uint64_t, 2> offsets = {};
    std::uint32_t before = 0;  // low half of the distance before offsets[0]
    std::uint8_t best = lane::last;
    std::uint8_t confidence = 0;
    // Lane that the site uses with the highest confidence (in_last or in_base), or `no` if there is
    // no such lane.
    std::uint8_t settled = no;

    void move_to(std::uint64_t value) noexcept {
      before = static_cast<std::uint32_t>(offsets[0]);
      offsets[0] = value - last;
      last = value;
    }
  };

  // Latest addresses of all sites together, and the digest of all addresses.
  struct past {
    std::array<std::uint64_t, 4> latest = {};
    std::uint64_t digest = 0;
  };

  // Decodes the next addresses, and calls put(access, address) for each address. The latest
  // addresses and the length of the run with the highest confidence are copied to local variables,
  // so that the compiler keeps them in registers. Without the copies, the compiler would have to
  // assume that put() changes these values.
  template <class Put>
  [[gnu::always_inline]] void decode_each(std::span<const access> all, Put put) requires(!Encodes) {
    past p = past_;
    site* const sites = sites_.data();
    run& surest = streams.runs[confidences - 1];
    std::uint64_t sure = surest.length();
    for (const access a : all) {
      const std::uint32_t number = site_of(a);
      site& s = sites[number];
      std::uint64_t& base = bases_[base_of(a)];
      std::uint64_t value = s.last;
      // Fast path of step() for a settled site with a correct prediction. This path takes up to a
      // quarter of the decoding time. In lane `last`, offsets[0] and `before` are already 0.
      if (s.settled == in_last && sure != 0) {
        --sure;
        s.offsets[1] = value - base;
      } else if (s.settled == in_base && sure != 0) {
        --sure;
        value = base + s.offsets[1];
        s.move_to(value);
      } else {
        surest.set_length(sure);
        value = step(s, number, base, 0, p);
        sure = surest.length();
      }
      put(a, value);
      take(number, value, base, p);
    }
    surest.set_length(sure);
    past_ = p;
  }

  // Returns the site's next address, and records it as the site's most recent address.
  [[gnu::always_inline]] std::uint64_t step(site& s, std::uint32_t number, std::uint64_t base,
                                            std::uint64_t actual, const past& p) {
    std::uint64_t value = predicted(s, number, base, p);
    const std::size_t kind =
        confidence_classes[s.confidence] + (s.best > lane::base ? confidences : 0U);
    if (streams.runs[kind].hit(actual == value)) [[likely]] {
      if (s.confidence < 63 && ++s.confidence == 63)
        s.settled = s.best == lane::last ? in_last : s.best == lane::base ? in_base : no;
    } else {
      value = missed(s, number, base, actual, p);
    }
    s.move_to(value);
    s.offsets[1] = value - base;
    return value;
  }
  // Records the address as the latest address of all sites and of the register.
  [[gnu::always_inline]] void take(std::uint32_t number, std::uint64_t value, std::uint64_t& base,
                                   past& p) {
    if constexpr (many_lanes) {
      for (std::size_t i = 0; i != 4; ++i) near_[number][i] = value - p.latest[i];
      p.latest[3] = p.latest[2];
      p.latest[2] = p.latest[1];
    }
    base = value;
    p.latest[1] = p.latest[0];
    p.latest[0] = value;
    p.digest = std::rotl(p.digest, 5) + value;
  }

  std::uint64_t& table(std::size_t number, std::size_t row) noexcept {
    return tables_[(number << Level::address_table_bits) + row];
  }
  const std::uint64_t& table(std::size_t number, std::size_t row) const noexcept {
    return tables_[(number << Level::address_table_bits) + row];
  }
  // Returns the table row for a hash. The highest bits of the hash are the number of the row.
  static constexpr std::size_t row(std::uint64_t hash) noexcept {
    return static_cast<std::size_t>(hash >> (64 - Level::address_table_bits));
  }
  std::size_t strides_index(const site& s, std::uint32_t number) const noexcept {
    return row(mixed(mixed(number, s.offsets[0]), s.before));
  }
  std::size_t latest_two_index(std::uint32_t number, const past& p) const noexcept {
    return row(mixed(mixed(number, p.latest[0]), p.latest[1]));
  }
  std::size_t last_index(const site& s, std::uint32_t number) const noexcept {
    return row(mixed(number, s.last));
  }
  std::size_t latest_index(std::uint32_t number, const past& p) const noexcept {
    return row(mixed(number, p.latest[0]));
  }

  [[gnu::always_inline]] std::uint64_t predicted(const site& s, std::uint32_t number,
                                                 std::uint64_t base, const past& p) const noexcept {
    const unsigned best = s.best;
    // Compute the prediction of the most frequent lanes without branches.
    if (best <= lane::base) [[likely]] {
      const std::uint64_t to_base = std::uint64_t{0} - (best >> 1);
      const std::uint64_t moves = std::uint64_t{0} - (best != 0 ? 1U : 0U);
      return (s.last & ~to_base) + (s.offsets[best >> 1] & moves) + (base & to_base);
    }
    return by_table(s, number, best, p);
  }
  std::uint64_t by_table(const site& s, std::uint32_t number, unsigned best,
                         const past& p) const noexcept {
    if (best == lane::strides) return s.last + table(by_strides, strides_index(s, number));
    if (best == lane::latest_two) return table(by_latest_two, latest_two_index(number, p));
    if constexpr (many_lanes) {
      if (best == lane::after_last) return table(by_last, last_index(s, number));
      if (best == lane::after_latest) return table(by_latest, latest_index(number, p));
      const unsigned i = best - lane::near_first;
      return p.latest[i] + near_[number][i];
    }
    return 0;
  }

  // Handles a wrong prediction. Encodes or decodes the number of another lane that is correct, or
  // the difference from a nearby address.
  [[gnu::noinline]] std::uint64_t missed(site& s, std::uint32_t number, std::uint64_t base,
                                         std::uint64_t actual, past p) {
    const std::size_t strides = strides_index(s, number), latest_two = latest_two_index(number, p);
    std::array<std::uint64_t, Level::lanes> all{s.last, s.last + s.offsets[0], base + s.offsets[1],
                                                s.last + table(by_strides, strides),
                                                table(by_latest_two, latest_two)};
    if constexpr (many_lanes)
      for (unsigned i = 5; i != Level::lanes; ++i) all[i] = by_table(s, number, i, p);
    const std::array<std::uint64_t, 4> near{s.last, p.latest[0], p.latest[1], base};

    unsigned right = Level::lanes;
    std::uint64_t value = actual;
    if constexpr (Encodes) {
      for (unsigned i = Level::lanes; i-- != 0;)
        if (i != s.best && all[i] == actual) right = i;
      if (right != Level::lanes)
        streams.choices.byte(right);
      else
        write_difference(near, actual);
    } else {
      const unsigned choice = streams.choices.byte();
      if (choice < Level::lanes) {
        right = choice;
        value = all[right];
      } else {
        value = read_difference(near, choice - Level::lanes);
      }
    }
    s.settled = no;
    s.confidence >>= 2;
    if (right != Level::lanes && s.confidence < 1) {
      s.best = static_cast<std::uint8_t>(right);
      s.confidence = 1;
    }
    const std::size_t last = last_index(s, number), latest = latest_index(number, p);
    table(by_strides, strides) = value - s.last;
    table(by_latest_two, latest_two) = value;
    if constexpr (many_lanes) {
      table(by_last, last) = value;
      table(by_latest, latest) = value;
    }
    return value;
  }

  // Encoding of a difference. A choice specifies either the reference address and the number of
  // bits of the difference, or that all 64 bits of the address follow. A mark contains the sign and
  // some bits of the difference. If the difference has up to 8 bits, the mark contains all bits
  // below the highest bit. For a larger difference, the mark contains the three bits below the
  // highest bit and the four lowest bits, and `bits` contains the bits in between.
  static constexpr unsigned classes = 61, whole = 60;
  static constexpr std::uint64_t magnitude(std::uint64_t d) noexcept {
    return d >> 63 != 0 ? std::uint64_t{0} - d : d;
  }
  void write_difference(const std::array<std::uint64_t, 4>& near, std::uint64_t actual) {
    unsigned to = 0;
    for (unsigned i = 1; i != near.size(); ++i)
      if (magnitude(actual - near[i]) < magnitude(actual - near[to]) / 4) to = i;
    const std::uint64_t d = magnitude(actual - near[to]);
    const bool negative = actual - near[to] != d;
    const unsigned size = static_cast<unsigned>(std::bit_width(d));
    if (size >= whole) {
      streams.choices.byte(Level::lanes + to * classes + whole);
      streams.bits.bits(actual, 64);
      return;
    }
    streams.choices.byte(Level::lanes + to * classes + size);
    const unsigned sign = negative ? 0x80 : 0;
    if (size < 9) {
      const std::uint64_t low_bits = size == 0 ? 0 : d & ((std::uint64_t{1} << (size - 1)) - 1);
      streams.marks.byte(sign | static_cast<unsigned>(low_bits));
    } else {
      streams.marks.byte(sign | static_cast<unsigned>(d >> (size - 4) & 7) << 4 |
                         static_cast<unsigned>(d & 15));
      streams.bits.bits(d >> 4 & ((std::uint64_t{1} << (size - 8)) - 1), size - 8);
    }
  }
  std::uint64_t read_difference(const std::array<std::uint64_t, 4>& near, unsigned choice) {
    const unsigned to = choice / classes, size = choice % classes;
    if (to >= near.size()) {
      bad_choice_ = true;
      return 0;
    }
    if (size == whole) return streams.bits.bits(64);
    const unsigned mark = streams.marks.byte();
    std::uint64_t d = 0;
    if (size < 9) {
      if (size != 0) d = std::uint64_t{1} << (size - 1) | (mark & 0x7f);
    } else {
      d = std::uint64_t{1} << (size - 1) | std::uint64_t{mark >> 4 & 7} << (size - 4) |
          streams.bits.bits(size - 8) << 4 | (mark & 15);
    }
    return near[to] + ((mark & 0x80) != 0 ? std::uint64_t{0} - d : d);
  }

  zeroed<std::uint64_t> tables_{(many_lanes ? std::size_t{4} : std::size_t{2})
                                << Level::address_table_bits};
  std::vector<site> sites_ = {};
  // For each site, the distances from the four addresses that preceded the site's last address.
  // Used only with many lanes.
  std::vector<std::array<std::uint64_t, 4>> near_ = {};
  std::array<std::uint64_t, 256> bases_ = {};  // latest address for each register
  past past_ = {};
  bool bad_choice_ = false;
};

}  // namespace tracecodec::tracepack::detail
