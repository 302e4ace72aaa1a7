// Index of a trace's snapshots. With an index, a reader can start near any instruction. The index
// is built in one pass over the blocks. index_file.hpp saves the index in a file.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "blocks.hpp"

namespace tracecodec::x64dbg {

// Position and thread of a sound block that stores every register word.
struct snapshot {
  std::uint64_t offset = 0;       // byte offset of the block in the trace
  std::uint64_t instruction = 0;  // index of the block's instruction
  std::optional<std::uint32_t> thread = {};
  friend bool operator==(const snapshot&, const snapshot&) = default;
};

// Index of the snapshots of a trace. Indexed snapshots are at least `spacing` bytes apart. Each
// indexed snapshot needs 24 bytes. With default_spacing, the index is smaller than 0.05 % of the
// trace.
class snapshot_index {
 public:
  static constexpr std::uint64_t default_spacing = std::uint64_t{64} << 10;

  // Creates an empty index.
  explicit snapshot_index(std::uint64_t spacing = default_spacing) : spacing_(spacing) {}
  // Creates an index from saved data. The snapshots must be in ascending order.
  snapshot_index(std::vector<snapshot> snapshots, block_position end, bool repaired = false)
      : snapshots_(std::move(snapshots)), end_(end), repaired_(repaired) {}

  // Adds the blocks from the end of the index up to the last whole block of the trace. If the index
  // is empty, starts at the first block. Call add() once for a trace, and again if the trace has
  // grown.
  // Afterwards, `blocks` is at the end of the added blocks. If an error ends the trace early, add()
  // adds all blocks before the error, and then throws trace_error. Throws trace_error(refused) if
  // earlier calls used a reader with a different block_options::repair.
  template <target T> void add(block_reader<T>& blocks);

  // Returns the last indexed snapshot at or before instruction `n`, or nullptr if there is no such
  // snapshot.
  [[nodiscard]] const snapshot* before(std::uint64_t n) const;
  // Returns the first indexed snapshot at or after byte `offset` in the trace, or nullptr if there
  // is no such snapshot.
  [[nodiscard]] const snapshot* at_offset(std::uint64_t offset) const;

  [[nodiscard]] const std::vector<snapshot>& snapshots() const { return snapshots_; }
  // Returns the number of instructions in the indexed blocks.
  [[nodiscard]] std::uint64_t instructions() const { return end_.instruction; }
  // Returns the position after the last indexed block.
  [[nodiscard]] block_position end() const { return end_; }
  // Returns true if the index was built with block_options::repair. Such an index may be used only
  // by readers with this option.
  [[nodiscard]] bool repaired() const { return repaired_; }
  // Returns the size in bytes of the memory that the snapshots use.
  [[nodiscard]] std::size_t memory() const { return snapshots_.capacity() * sizeof(snapshot); }

 private:
  void add(block_position at, std::optional<std::uint32_t> thread);

  std::vector<snapshot> snapshots_ = {};
  block_position end_ = {};
  bool repaired_ = false;
  std::uint64_t spacing_ = default_spacing;
};

// Returns the index of an entire trace. If the trace is truncated or ends with an error, returns
// the index of the blocks before the error. Does not report the error, because readers of the trace
// throw the same error.
template <target T>
snapshot_index index_of(block_reader<T>& blocks,
                        std::uint64_t spacing = snapshot_index::default_spacing);

template <target T> void snapshot_index::add(block_reader<T>& blocks) {
  if (end_.offset != 0 && repaired_ != blocks.options().repair)
    throw trace_error(trace_errc::refused, {.file = blocks.name()},
                      "one index cannot be built both with and without repair");
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
  // Leave out a mended snapshot. A reader that starts at the snapshot does not read the previous
  // block, and therefore cannot detect the thread-id defect.
  while (blocks.next(b, [](const block<T>& next) { return next.snapshot(); }))
    if (!blocks.was_mended()) add(blocks.position_of(b), blocks.thread());
}

inline void snapshot_index::add(block_position at, std::optional<std::uint32_t> thread) {
  if (snapshots_.empty() || at.offset - snapshots_.back().offset >= spacing_)
    snapshots_.push_back({at.offset, at.instruction, thread});
}

inline const snapshot* snapshot_index::before(std::uint64_t n) const {
  const auto next =
      std::upper_bound(snapshots_.begin(), snapshots_.end(), n,
                       [](std::uint64_t i, const snapshot& s) { return i < s.instruction; });
  return next == snapshots_.begin() ? nullptr : &*(next - 1);
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
    // Ignore the error, because all blocks before the error were added.
  }
  return index;
}

}  // namespace tracecodec::x64dbg
