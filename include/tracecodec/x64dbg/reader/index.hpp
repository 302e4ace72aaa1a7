// Where the snapshots of a trace are, so that reading can begin near any instruction. Built in one
// pass over the blocks; index_file.hpp saves it.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "blocks.hpp"

namespace tracecodec::x64dbg {

// A block that gives every register, and is sound.
struct snapshot {
  std::uint64_t offset = 0;       // of the block in the trace
  std::uint64_t instruction = 0;  // its index
  std::optional<std::uint32_t> thread = {};
  friend bool operator==(const snapshot&, const snapshot&) = default;
};

// Memory: 32 bytes for each snapshot that is kept, one in at least `spacing` bytes of trace; so
// under 0.05 % of the file with the default.
class snapshot_index {
 public:
  static constexpr std::uint64_t default_spacing = std::uint64_t{64} << 10;

  // An index of nothing yet.
  explicit snapshot_index(std::uint64_t spacing = default_spacing) : spacing_(spacing) {}
  // From its parts, which were saved: snapshots in order.
  snapshot_index(std::vector<snapshot> snapshots, block_position end, bool repaired = false)
      : snapshots_(std::move(snapshots)), end_(end), repaired_(repaired) {}

  // Adds the blocks from where the index ends (of an empty one: the trace's first) to the last
  // whole one: the first pass over a trace, or the rest of one that has grown. `blocks` then stands
  // behind them. Throws trace_error for what ends the trace early; what is before it was added.
  // Refused: the blocks are read with repair, those before were not, or the other way round.
  template <target T> void add(block_reader<T>& blocks);

  // The last snapshot at instruction `n` or before it; nullptr if there is none.
  [[nodiscard]] const snapshot* before(std::uint64_t n) const;
  // The first snapshot at byte `offset` of the trace or behind it; nullptr if there is none.
  [[nodiscard]] const snapshot* at_offset(std::uint64_t offset) const;

  [[nodiscard]] const std::vector<snapshot>& snapshots() const { return snapshots_; }
  // How many instructions there are.
  [[nodiscard]] std::uint64_t instructions() const { return end_.instruction; }
  // Behind the last whole block.
  [[nodiscard]] block_position end() const { return end_; }
  // Whether it was built with block_options::repair: it is for such readers.
  [[nodiscard]] bool repaired() const { return repaired_; }
  // Bytes of memory.
  [[nodiscard]] std::size_t memory() const { return snapshots_.capacity() * sizeof(snapshot); }

 private:
  void add(block_position at, std::optional<std::uint32_t> thread);

  std::vector<snapshot> snapshots_ = {};
  block_position end_ = {};
  bool repaired_ = false;
  std::uint64_t spacing_ = default_spacing;
};

// The index of a whole trace, also of one that is cut: what ends it early is left to its reader.
template <target T>
snapshot_index index_of(block_reader<T>& blocks,
                        std::uint64_t spacing = snapshot_index::default_spacing);

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

inline void snapshot_index::add(block_position at, std::optional<std::uint32_t> thread) {
  if (snapshots_.empty() || at.offset - snapshots_.back().offset >= spacing_)
    snapshots_.push_back({at.offset, at.instruction, thread});
}

inline const snapshot* snapshot_index::before(std::uint64_t n) const {
  const auto behind =
      std::upper_bound(snapshots_.begin(), snapshots_.end(), n,
                       [](std::uint64_t i, const snapshot& s) { return i < s.instruction; });
  return behind == snapshots_.begin() ? nullptr : &*(behind - 1);
}

inline const snapshot* snapshot_index::at_offset(std::uint64_t offset) const {
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

}  // namespace tracecodec::x64dbg
