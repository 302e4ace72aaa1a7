#pragma once
#include <algorithm>
#include <array>

#include "../posting_set.hpp"

namespace tracecodec::query {

TRACECODEC_FUNC posting_set::posting_set(const checked_file& file, const section& s)
    : file_(&file), section_(s), form_(posting_form::of(s)) {
  if (s.kind == section_kind::executions ? s.granule_bits != execution_granule_bits
                                         : s.granule_bits != 3 && s.granule_bits != 6)
    throw file.damaged(s.offset, "a section has granules of a size that its kind cannot have");
  if (s.size < totals_codec::size)
    throw file.damaged(s.offset, "a section is shorter than its totals");
  const std::uint64_t content = s.size - totals_codec::size;
  totals_ = totals_codec::load(file.bytes(s.offset + content, totals_codec::size).data());
  groups_ = totals_.granules / group_granules + (totals_.granules % group_granules != 0 ? 1 : 0);
  const bool ordered = totals_.skips_offset <= totals_.directory_offset &&
                       totals_.directory_offset <= totals_.anchors_offset &&
                       totals_.anchors_offset <= content;
  if (!ordered || (content - totals_.anchors_offset) % anchor_codec::size != 0 ||
      (content - totals_.anchors_offset) / anchor_codec::size != groups_)
    throw file.damaged(s.offset + content, "the totals of a section do not match its size");
}

TRACECODEC_FUNC anchor posting_set::anchor_at(std::uint64_t group) const {
  return anchor_codec::load(
      file_
          ->bytes(section_.offset + totals_.anchors_offset + group * anchor_codec::size,
                  anchor_codec::size)
          .data());
}

// Returns the last group that begins at or before the granule, or 0.
TRACECODEC_FUNC std::uint64_t posting_set::group_of(std::uint64_t granule) const {
  std::uint64_t low = 0, high = groups_;
  while (high - low > 1) {
    const std::uint64_t middle = low + (high - low) / 2;
    (anchor_at(middle).granule <= granule ? low : high) = middle;
  }
  return low;
}

template <class F> void posting_set::read_group(std::uint64_t group, F f) const {
  const anchor a = anchor_at(group);
  const std::uint64_t end = group + 1 == groups_ ? totals_.anchors_offset - totals_.directory_offset
                                                 : anchor_at(group + 1).directory;
  const std::uint64_t at = section_.offset + totals_.directory_offset + a.directory;
  const auto damaged = [&] { return file_->damaged(at, "a group of the directory is damaged"); };
  if (a.directory > end || end > totals_.anchors_offset - totals_.directory_offset) throw damaged();
  std::span<const std::byte> rest = file_->bytes(at, end - a.directory);
  const auto number = [&] {
    std::uint64_t v = 0;
    const wire::scan_result got = wire::detail::scan_uleb(v, rest);
    if (got.error != wire::errc::ok) throw damaged();
    rest = rest.subspan(got.at);
    return v;
  };
  posting_list list{.granule = a.granule, .offset = a.postings, .skips = a.skips};
  for (std::size_t n = 0; !rest.empty(); ++n) {
    const std::uint64_t step = number();
    const bool ascends = n == 0 ? step == 0 : step != 0 && step <= ~list.granule;
    if (n == group_granules || !ascends) throw damaged();
    list.granule += step;
    list.count = number();
    list.size = number();
    if (list.count > list.size || list.size > totals_.skips_offset ||
        list.offset > totals_.skips_offset - list.size)
      throw damaged();
    if (f(list)) return;
    list.offset += list.size;
    list.skips += skips_size(count_blocks(list.count), form_.width());
  }
}

TRACECODEC_FUNC std::optional<posting_list> posting_set::find(std::uint64_t granule) const {
  std::optional<posting_list> found;
  if (groups_ == 0) return found;
  read_group(group_of(granule), [&](const posting_list& list) {
    if (list.granule == granule) found = list;
    return list.granule >= granule;
  });
  return found;
}

TRACECODEC_FUNC std::vector<posting_list> posting_set::lists_of(std::uint64_t group) const {
  std::vector<posting_list> all;
  read_group(group, [&](const posting_list& list) {
    all.push_back(list);
    return false;
  });
  return all;
}

TRACECODEC_FUNC posting_set::blocks posting_set::blocks_of(const posting_list& list) const {
  blocks b{.count = count_blocks(list.count)};
  const std::uint64_t all = totals_.directory_offset - totals_.skips_offset;
  const std::uint64_t size = skips_size(b.count, form_.width());
  if (size > all || list.skips > all - size)
    throw file_->damaged(section_.offset + totals_.skips_offset, "skip entries are missing");
  b.skips = section_.offset + totals_.skips_offset + list.skips;
  std::uint64_t offset = b.skips + b.count * skip_codec::size;
  std::size_t level = 0;
  for (std::uint64_t masks = b.count; masks != 0; masks = count_above(masks)) {
    b.levels[level++] = {offset, masks};
    offset += masks * form_.width();
  }
  return b;
}

TRACECODEC_FUNC skip posting_set::skip_at(const blocks& b, std::uint64_t block) const {
  return skip_codec::load(
      file_->bytes(b.skips + block * skip_codec::size, skip_codec::size).data());
}

TRACECODEC_FUNC std::uint64_t posting_set::blocks_before(const blocks& b, std::uint64_t at) const {
  std::uint64_t low = 0, high = b.count;
  while (low != high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (skip_at(b, middle).first < at)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

TRACECODEC_FUNC byte_mask posting_set::mask_at(const blocks& b, std::size_t level,
                                               std::uint64_t i) const {
  return load_mask(file_->bytes(b.levels[level].offset + i * form_.width(), form_.width()));
}

TRACECODEC_FUNC std::optional<std::uint64_t> posting_set::mask_before(const blocks& b,
                                                                      std::size_t level,
                                                                      std::uint64_t end,
                                                                      byte_mask mask) const {
  if (end == 0) return std::nullopt;
  const auto last_in = [&](std::uint64_t begin, std::uint64_t i) -> std::optional<std::uint64_t> {
    while (i != begin)
      if ((mask_at(b, level, --i) & mask) != 0) return i;
    return std::nullopt;
  };
  const std::uint64_t begin = (end - 1) / masks_of_mask * masks_of_mask;
  if (const auto found = last_in(begin, end)) return found;
  const auto above = mask_before(b, level + 1, begin / masks_of_mask, mask);
  if (!above) return std::nullopt;
  const std::uint64_t first = *above * masks_of_mask;
  const auto found = last_in(first, std::min(first + masks_of_mask, b.levels[level].count));
  if (!found) throw file_->damaged(b.levels[level].offset, "a mask does not match those under it");
  return found;
}

TRACECODEC_FUNC std::optional<std::uint64_t> posting_set::mask_from(const blocks& b,
                                                                    std::size_t level,
                                                                    std::uint64_t begin,
                                                                    byte_mask mask) const {
  const std::uint64_t count = b.levels[level].count;
  const auto first_in = [&](std::uint64_t i, std::uint64_t end) -> std::optional<std::uint64_t> {
    for (; i != end; ++i)
      if ((mask_at(b, level, i) & mask) != 0) return i;
    return std::nullopt;
  };
  if (begin >= count) return std::nullopt;
  const std::uint64_t end = std::min((begin / masks_of_mask + 1) * masks_of_mask, count);
  if (const auto found = first_in(begin, end)) return found;
  if (end == count) return std::nullopt;
  const auto above = mask_from(b, level + 1, end / masks_of_mask, mask);
  if (!above) return std::nullopt;
  const std::uint64_t first = *above * masks_of_mask;
  const auto found = first_in(first, std::min(first + masks_of_mask, count));
  if (!found) throw file_->damaged(b.levels[level].offset, "a mask does not match those under it");
  return found;
}

TRACECODEC_FUNC block_reader posting_set::read(const posting_list& list, const blocks& b,
                                               std::uint64_t block) const {
  skip here{0, 0};
  std::uint64_t end = list.size;
  if (b.count > 1) {
    here = skip_at(b, block);
    if (block + 1 != b.count) end = skip_at(b, block + 1).offset;
  }
  if (here.offset > end || end > list.size)
    throw file_->damaged(b.skips, "a skip entry leads out of its postings");
  return {file_->bytes(section_.offset + list.offset + here.offset, end - here.offset), here.first,
          form_};
}

TRACECODEC_FUNC bool posting_set::wants(const posting_filter& f, const posting& p) const {
  if (p.at >= file_->front().instructions)
    throw file_->damaged(section_.offset, "a posting is after the last instruction");
  return (!form_.masks || (p.mask & f.mask) != 0) &&
         (!f.only_changes || !form_.changes || p.changes);
}

TRACECODEC_FUNC std::optional<posting> posting_set::last_in(const posting_list& list,
                                                            const blocks& b, std::uint64_t block,
                                                            const posting_filter& f,
                                                            std::uint64_t before) const {
  std::optional<posting> found;
  block_reader in = read(list, b, block);
  for (const posting* p = in.next(); p != nullptr && p->at < before; p = in.next())
    if (wants(f, *p)) found = *p;
  if (in.failed()) throw file_->damaged(section_.offset + list.offset, "postings are damaged");
  return found;
}

TRACECODEC_FUNC std::optional<posting> posting_set::first_in(const posting_list& list,
                                                             const blocks& b, std::uint64_t block,
                                                             const posting_filter& f,
                                                             std::uint64_t from) const {
  block_reader in = read(list, b, block);
  while (const posting* p = in.next())
    if (wants(f, *p) && p->at >= from) return *p;
  if (in.failed()) throw file_->damaged(section_.offset + list.offset, "postings are damaged");
  return std::nullopt;
}

TRACECODEC_FUNC void posting_set::read(const posting_list& list, std::uint64_t end,
                                       std::vector<posting>& to) const {
  const blocks b = blocks_of(list);
  const bool of_blocks = !form_.masks && b.count > 1;  // true if only the blocks have masks
  for (std::uint64_t block = 0; block != b.count; ++block) {
    const byte_mask of_block = of_blocks ? mask_at(b, 0, block) : 0;
    block_reader in = read(list, b, block);
    while (const posting* p = in.next()) {
      if (p->at >= end) return;
      if (wants({}, *p)) to.push_back({p->at, of_blocks ? of_block : p->mask, p->changes});
    }
    if (in.failed()) throw file_->damaged(section_.offset + list.offset, "postings are damaged");
  }
}

TRACECODEC_FUNC std::optional<posting> posting_set::last(const posting_list& list,
                                                         const posting_filter& f,
                                                         std::uint64_t before) const {
  const blocks b = blocks_of(list);
  if (b.count < 2) return last_in(list, b, 0, f, before);
  const std::uint64_t end = blocks_before(b, before);
  if (end == 0) return std::nullopt;
  // Only the last of these blocks may contain postings from `before` on.
  if ((mask_at(b, 0, end - 1) & f.mask) != 0)
    if (const auto found = last_in(list, b, end - 1, f, before)) return found;
  // The masks do not have the changes.
  for (auto block = mask_before(b, 0, end - 1, f.mask); block;
       block = mask_before(b, 0, *block, f.mask))
    if (const auto found = last_in(list, b, *block, f, before); found || !f.only_changes)
      return found;
  return std::nullopt;
}

TRACECODEC_FUNC std::optional<posting> posting_set::first(const posting_list& list,
                                                          const posting_filter& f,
                                                          std::uint64_t from) const {
  const blocks b = blocks_of(list);
  if (b.count < 2) return first_in(list, b, 0, f, from);
  const std::uint64_t end = blocks_before(b, from);
  // Only the last block that begins before `from` may contain earlier postings.
  if (end != 0 && (mask_at(b, 0, end - 1) & f.mask) != 0)
    if (const auto found = first_in(list, b, end - 1, f, from)) return found;
  for (auto block = mask_from(b, 0, end, f.mask); block;
       block = mask_from(b, 0, *block + 1, f.mask))
    if (const auto found = first_in(list, b, *block, f, from); found || !f.only_changes)
      return found;
  return std::nullopt;
}

TRACECODEC_FUNC std::optional<posting> posting_set::last(std::uint64_t granule,
                                                         const posting_filter& f,
                                                         std::uint64_t before) const {
  const auto list = find(granule);
  return list ? last(*list, f, before) : std::nullopt;
}

TRACECODEC_FUNC std::optional<posting> posting_set::first(std::uint64_t granule,
                                                          const posting_filter& f,
                                                          std::uint64_t from) const {
  const auto list = find(granule);
  return list ? first(*list, f, from) : std::nullopt;
}

}  // namespace tracecodec::query
