// Tests an index of accesses that the input describes. In the first byte, bit 0 selects granules of
// 64 bytes, as for accesses without sizes, otherwise bit 5 granules of 32 bytes, as for executions.
// Bit 1 selects a sorter with small runs, and bit 2 postings that know changes. Bits 3 and 4 select
// the damage: none, changed bytes, or changed bytes whose checksums are made right.
//
// An access has four bytes: granule, mask, steps of the instruction, repetitions. The last third of
// the input is pairs of a place and a value of the damage.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "input.hpp"
#include "tracecodec/io/checksum.hpp"
#include "tracecodec/query/checked_file.hpp"
#include "tracecodec/query/index_writer.hpp"
#include "tracecodec/query/posting_set.hpp"
#include "tracecodec/query/posting_sorter.hpp"

namespace fuzz::query_index {
namespace {
namespace query = tracecodec::query;
using query::byte_mask;

struct access {
  std::uint64_t granule;
  query::posting posting;
};
struct made {
  query::posting_form form = {};
  std::vector<access> all = {};
  std::uint64_t end = 0;
  bytes index = {};
};

made make(unsigned how, view in) {
  made m;
  m.form = {.granule_bits = static_cast<std::uint8_t>((how & 1) != 0    ? 6
                                                      : (how & 32) != 0 ? 5
                                                                        : 3),
            .changes = (how & 4) != 0,
            .masks = (how & 1) == 0};
  query::posting_sorter sorter(m.form, (how & 2) != 0 ? 50 : query::posting_sorter::usual_run);
  for (; in.size() >= 4; in = in.subspan(4)) {
    const auto n = [&](std::size_t i) { return std::to_integer<std::uint64_t>(in[i]); };
    // Some granules are at the highest addresses.
    const std::uint64_t highest = ~std::uint64_t{0} >> m.form.granule_bits;
    const std::uint64_t granule = n(0) < 250 ? n(0) : highest - (n(0) - 250);
    const byte_mask mask =
        m.form.masks
            ? std::max<byte_mask>(n(1), 1)
                  << (m.form.granule_bits == query::execution_granule_bits ? n(2) % 4 * 8 : 0)
            : byte_mask{1} << n(1) % 64;
    for (std::uint64_t i = 0; i <= n(3) % 64; ++i) {
      m.end += n(2);
      m.all.push_back({granule, {m.end, mask, n(2) % 2 != 0}});
      sorter.add(granule, m.all.back().posting);
    }
  }
  query::index_writer to(sink_to(m.index));
  query::posting_writer postings(to,
                                 m.form.granule_bits == query::execution_granule_bits
                                     ? query::section_kind::executions
                                     : query::section_kind::writes,
                                 m.form);
  sorter.finish(postings);
  postings.finish();
  query::front about{};
  about.instructions = m.end + 1;
  to.finish(about);
  return m;
}

struct answer {
  std::optional<std::uint64_t> last, first;
  friend bool operator==(const answer&, const answer&) = default;
};
answer searched(const made& m, std::uint64_t granule, byte_mask mask, std::uint64_t at) {
  answer found;
  for (const access& a : m.all) {
    if (a.granule != granule || (m.form.masks && (a.posting.mask & mask) == 0)) continue;
    if (a.posting.at < at)
      found.last = a.posting.at;
    else if (!found.first)
      found.first = a.posting.at;
  }
  return found;
}
answer asked(const query::posting_set& set, std::uint64_t granule, byte_mask mask,
             std::uint64_t at) {
  const auto last = set.last(granule, {mask}, at), first = set.first(granule, {mask}, at);
  return {last ? std::optional(last->at) : std::nullopt,
          first ? std::optional(first->at) : std::nullopt};
}

// Makes all checksums right that the offsets in the front still reach.
void sign(bytes& index) {
  query::front f{};
  if (index.size() < query::front_codec::size) return;
  f = query::front_codec::load(index.data());
  const std::uint64_t begin = query::front_codec::size;
  if (f.sums_offset < begin || f.sums_offset > index.size()) return;
  const auto sums = static_cast<std::size_t>(f.sums_offset);
  std::size_t sum = sums;
  for (std::size_t at = begin; at < sums && index.size() - sum >= query::page_sum_codec::size;
       at += query::page_size, sum += query::page_sum_codec::size) {
    io::crc32c page;
    page.update(view(index).subspan(at, std::min(query::page_size, sums - at)));
    query::page_sum_codec::store({page.value()}, index.data() + sum);
  }
  io::crc32c all;
  all.update(view(index).subspan(sums));
  f.sums_crc = all.value();
  static_cast<void>(query::front_codec::encode(f, std::span(index).first(begin)));
}

void run(view in) {
  const unsigned how = take_byte(in), damage = how >> 3 & 3;
  if (in.size() > 600) in = in.first(600);
  const view changes = in.last(in.size() / 3);
  made m = make(how, in.first(in.size() - changes.size()));
  for (std::size_t i = 0; damage != 0 && i + 3 <= changes.size(); i += 3) {
    const std::size_t place = (std::to_integer<std::size_t>(changes[i]) << 8 |
                               std::to_integer<std::size_t>(changes[i + 1])) %
                              m.index.size();
    m.index[place] ^= changes[i + 2];
  }
  if (damage > 1) sign(m.index);
  const auto error = error_of([&] {
    const query::checked_file file(m.index, "fuzz");
    for (const query::section& s : file.sections()) {
      const query::posting_set set(file, s);
      for (std::uint64_t i = 0; i != 16; ++i) {
        const access& a = m.all.empty() ? access{i, {}} : m.all[i * 37 % m.all.size()];
        // By lines, only a mask of all bytes has an exact answer.
        const byte_mask mask =
            m.form.masks
                ? byte_mask{1} << (m.form.granule_bits == query::execution_granule_bits ? i * 2
                                                                                        : i % 8)
                : ~byte_mask{0};
        const std::uint64_t at = m.end == 0 ? i : i * m.end / 15;
        const answer found = asked(set, a.granule, mask, at);
        require(damage > 1 || found == searched(m, a.granule, mask, at), "the answer is right");
      }
      std::size_t lists = 0;
      set.each_list(0, ~std::uint64_t{0}, [&](const query::posting_list&) { ++lists; });
      require(lists <= m.index.size(), "each list has bytes");
    }
  });
  require(damage != 0 || !error, "an index that was not damaged can be read");
}
const target registered("query_index", run);
}  // namespace
}  // namespace fuzz::query_index
