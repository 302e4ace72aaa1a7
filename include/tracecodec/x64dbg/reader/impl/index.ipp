// The functions of reader/index.hpp.
#pragma once
#include <algorithm>
#include <cstdint>
#include <optional>

#include "../index.hpp"

namespace tracecodec::x64dbg {

template <target T> void snapshot_index::add(block_reader<T>& blocks) {
  if (end_.offset != 0 && repaired_ != blocks.options().repair)
    throw trace_error(trace_errc::refused, {.file = blocks.name()},
                      "one index cannot be built with repair and without");
  repaired_ = blocks.options().repair;
  const block_position from = end_.offset == 0 ? blocks.first() : end_;
  if (blocks.position().offset != from.offset)
    blocks.seek(from, snapshots_.empty() ? std::nullopt : snapshots_.back().thread);
  end_ = from;
  const struct at_exit {
    snapshot_index& index;
    const block_reader<T>& blocks;
    ~at_exit() { index.end_ = blocks.stopped_at(); }
  } note_end{*this, blocks};
  block<T> b;
  // One that had to be mended is left out: only the block before it tells that it must be.
  while (blocks.next(b, [](const block<T>& next) { return next.snapshot(); }))
    if (!blocks.was_mended()) add(blocks.position_of(b), blocks.thread());
}

TRACECODEC_FUNC void snapshot_index::add(block_position at, std::optional<std::uint32_t> thread) {
  if (snapshots_.empty() || at.offset - snapshots_.back().offset >= spacing_)
    snapshots_.push_back({at.offset, at.instruction, thread});
}

TRACECODEC_FUNC const snapshot* snapshot_index::before(std::uint64_t n) const {
  const auto behind =
      std::upper_bound(snapshots_.begin(), snapshots_.end(), n,
                       [](std::uint64_t i, const snapshot& s) { return i < s.instruction; });
  return behind == snapshots_.begin() ? nullptr : &*(behind - 1);
}

TRACECODEC_FUNC const snapshot* snapshot_index::at_offset(std::uint64_t offset) const {
  const auto at = std::lower_bound(snapshots_.begin(), snapshots_.end(), offset,
                                   [](const snapshot& s, std::uint64_t o) { return s.offset < o; });
  return at == snapshots_.end() ? nullptr : &*at;
}

template <target T> snapshot_index index_of(block_reader<T>& blocks, std::uint64_t spacing) {
  snapshot_index index(spacing);
  try {
    index.add(blocks);
  } catch (const trace_error&) {
    // The whole part has been added.
  }
  return index;
}

#ifdef TRACECODEC_SEPARATE_COMPILATION
template void snapshot_index::add(block_reader<target::x86>&);
template void snapshot_index::add(block_reader<target::x64>&);
template snapshot_index index_of(block_reader<target::x86>&, std::uint64_t);
template snapshot_index index_of(block_reader<target::x64>&, std::uint64_t);
#endif

}  // namespace tracecodec::x64dbg
