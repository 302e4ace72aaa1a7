// Stores data of many threads in a temporary file, to be read back thread by thread.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "../../../io/input/mapped_file.hpp"
#include "../../../io/output/atomic_folder.hpp"
#include "../../../wire/record.hpp"

namespace tracecodec::umtracer::detail {

// Temporary file with one lane for each thread. A lane is a list of blocks, which consist of whole
// pieces. Each block contains the offset of the lane's next block. The unwritten bytes of each lane
// are kept in memory, and take at most 64 KiB or the size of the longest piece. The allocation may
// be twice as large, because vectors grow by doubling.
class lanes {
 public:
  explicit lanes(const io::atomic_folder& folder)
      : folder_(&folder), file_(folder.create(file_name)) {}

  // Adds a lane and returns its number.
  std::size_t add_lane() {
    lanes_.emplace_back();
    return lanes_.size() - 1;
  }
  [[nodiscard]] std::size_t size() const noexcept { return lanes_.size(); }

  // Appends `n` bytes to a lane, and returns the address of the bytes. The caller must fill the
  // bytes before calling another function. Throws trace_error(system) if the file cannot be
  // written.
  [[nodiscard]] std::byte* append(std::size_t lane, std::size_t n) {
    std::vector<std::byte>& bytes = lanes_[lane].bytes;
    if (!bytes.empty() && bytes.size() + n > block_size) flush(lanes_[lane]);
    const std::size_t at = bytes.size();
    bytes.resize(at + n);
    return bytes.data() + at;
  }

  // Ends writing, so that lanes can be read. Throws trace_error(system) if the file cannot be
  // written or mapped.
  void seal() {
    for (lane_state& lane : lanes_) {
      if (!lane.bytes.empty()) flush(lane);
      lane.bytes = {};
    }
    file_.finish_unsynced();
    mapped_.emplace(folder_->temporary_path(file_name));
  }

  // Cursor that returns the pieces of a lane in runs of whole pieces. seal() must be called first.
  class cursor {
   public:
    // Returns the next run, or an empty run at the end.
    std::span<const std::byte> next() {
      if (at_ == none) return {};
      const block_header header = block_codec::load(all_.data() + at_);
      const auto run = all_.subspan(static_cast<std::size_t>(at_) + block_codec::size,
                                    static_cast<std::size_t>(header.size));
      at_ = header.next;
      return run;
    }

   private:
    friend lanes;
    cursor(std::span<const std::byte> all, std::uint64_t at) : all_(all), at_(at) {}
    std::span<const std::byte> all_;
    std::uint64_t at_;
  };
  [[nodiscard]] cursor read(std::size_t lane) const {
    return {mapped_->bytes(), lanes_[lane].first};
  }

  // Removes the file. All runs that cursors have returned become invalid.
  void remove() {
    mapped_.reset();
    folder_->remove(file_name);
  }

 private:
  struct block_header {
    std::uint64_t next;  // offset of the lane's next block, or none in the last block
    std::uint64_t size;  // number of bytes after this header
  };
  using block_codec = wire::record<block_header>;
  static constexpr std::uint64_t none = ~std::uint64_t{0};
  static constexpr std::size_t block_size = std::size_t{64} << 10;
  static constexpr const char* file_name = "records.spool";

  struct lane_state {
    std::vector<std::byte> bytes = {};
    std::uint64_t first = none, last = none;  // offsets of the first and last blocks
  };

  void flush(lane_state& lane) {
    const std::uint64_t at = file_.size();
    if (lane.last == none) {
      lane.first = at;
    } else {
      std::array<std::byte, 8> next{};
      wire::u64le::store(at, next.data());
      file_.patch(lane.last, next);
    }
    lane.last = at;
    block_codec::store({none, lane.bytes.size()}, file_.append(block_codec::size));
    file_.write(lane.bytes);
    lane.bytes.clear();
  }

  const io::atomic_folder* folder_;
  io::folder_file file_;
  std::vector<lane_state> lanes_ = {};
  std::optional<io::mapped_file> mapped_ = {};
};

}  // namespace tracecodec::umtracer::detail
