// Whether bytes look like ChampSim records. The format has no magic: what tells it from anything
// else are two flag bytes, 0 or 1 in every record, and the zero padding of CloudSuite's.
#pragma once
#include <cstddef>
#include <optional>
#include <span>

#include "layout.hpp"

namespace tracecodec::champsim {

// What the whole records of one codec at the front of some bytes look like.
struct likeness {
  std::size_t records = 0;
  std::size_t with_ip = 0;                   // whose ip is not 0
  std::optional<std::size_t> bad_byte = {};  // offset of the first byte that no record can have
  [[nodiscard]] constexpr bool possible() const noexcept { return records != 0 && !bad_byte; }
};

// Judges by the flags and the padding of every whole record of `Codec` in `bytes`.
template <class Codec> constexpr likeness liken(std::span<const std::byte> bytes) {
  using record = typename Codec::value_type;
  likeness l{bytes.size() / Codec::size, 0, {}};
  for (std::size_t i = 0; i < l.records; ++i) {
    const auto one = bytes.subspan(i * Codec::size).template first<Codec::size>();
    l.with_ip += Codec::template get<&record::ip>(one) != 0;
    for (const wire::layout_row& row : wire::layout_table<Codec>) {
      const bool flag = row.offset == Codec::template offset_of<&record::is_branch> ||
                        row.offset == Codec::template offset_of<&record::branch_taken>;
      const bool padding = row.name.view() == wire::padding_name;
      if (!flag && !padding) continue;
      for (std::size_t b = row.offset; b < row.offset + row.size; ++b)
        if (one[b] > (flag ? std::byte{1} : std::byte{0})) {
          l.bad_byte = i * Codec::size + b;
          return l;
        }
    }
  }
  return l;
}

}  // namespace tracecodec::champsim
