// Whether bytes look like ChampSim records. The format has no magic: what tells it from anything
// else are two flag bytes, 0 or 1 in every record, and the zero padding of CloudSuite's.
#pragma once
#include <cstddef>
#include <optional>
#include <span>

#include "layout.hpp"

namespace tracecodec::champsim {

// How many records decide: enough to tell, few enough that damage farther on is the reader's to
// report.
inline constexpr std::size_t judged_records = 32;

// What the first records of one codec at the front of some bytes look like.
struct likeness {
  std::size_t records = 0;    // judged
  std::size_t plausible = 0;  // with flags and padding that a record can have, and an ip
  std::optional<std::size_t> bad_byte =
      {};  // offset of the first flag or padding byte that none has
  // More than half: a few odd records make no other format.
  [[nodiscard]] constexpr bool likely() const noexcept { return 2 * plausible > records; }
  // Whether a larger share of records is plausible.
  [[nodiscard]] constexpr bool more_than(const likeness& other) const noexcept {
    return plausible * other.records > other.plausible * records;
  }
};

// Judges the first whole records of `Codec` in `bytes`.
template <class Codec> constexpr likeness judge(std::span<const std::byte> bytes) {
  using record = typename Codec::value_type;
  const std::size_t there = bytes.size() / Codec::size;
  likeness l{there < judged_records ? there : judged_records, 0, {}};
  const auto first_bad =
      [](std::span<const std::byte, Codec::size> one) -> std::optional<std::size_t> {
    for (const wire::layout_row& row : wire::layout_table<Codec>) {
      const bool flag = row.offset == Codec::template offset_of<&record::is_branch> ||
                        row.offset == Codec::template offset_of<&record::branch_taken>;
      if (!flag && row.name.view() != wire::padding_name) continue;
      for (std::size_t b = row.offset; b < row.offset + row.size; ++b)
        if (one[b] > (flag ? std::byte{1} : std::byte{0})) return b;
    }
    return std::nullopt;
  };
  for (std::size_t i = 0; i < l.records; ++i) {
    const auto one = bytes.subspan(i * Codec::size).template first<Codec::size>();
    const auto bad = first_bad(one);
    if (!bad) l.plausible += Codec::template get<&record::ip>(one) != 0;
    if (bad && !l.bad_byte) l.bad_byte = i * Codec::size + *bad;
  }
  return l;
}

}  // namespace tracecodec::champsim
