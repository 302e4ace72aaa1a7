// Where the snapshots of a trace are, so that reading can begin near any instruction. Built in one
// pass over the blocks; index_file.hpp saves it.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../../config.hpp"
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

}  // namespace tracecodec::x64dbg

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/index.ipp"
#endif
