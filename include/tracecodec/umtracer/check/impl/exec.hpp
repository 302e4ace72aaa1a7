// Checks the headers of the files of the execution table, and provides access to the records.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>

#include "../../layout/exec.hpp"
#include "tables.hpp"

namespace tracecodec::umtracer::detail {

// Execution records of a trace. Files of the trace may be missing or damaged.
class exec_files {
 public:
  exec_files() = default;
  // Opens the files. Adds a finding to `found` for each contradiction between the header of
  // exec.vtable and the size of a file.
  exec_files(const trace_files& files, file_findings& found)
      : bytes_(files[file::exec_records]),
        offsets_(files[file::exec_offsets]),
        neighbours_(files[file::exec_neighbours]) {
    exec_header h{};
    if (const auto r = exec_header_codec::decode(bytes_, h); !r) {
      found.add(rule::table, file::exec_records, r.used, {}, "the file ends inside its header");
      return;
    }
    if (h.version > 1)
      found.add(rule::version, file::exec_records,
                exec_header_codec::offset_of<&exec_header::version>, {},
                "version " + std::to_string(h.version));
    const std::uint64_t there = offsets_.size() == 0 ? 0 : offsets_.size() - 1;
    // Recorders write record_count last. If recording was interrupted, record_count is 0, and the
    // number of records is determined only by exec.offsets.
    if (h.record_count == 0 && there != 0) {
      found.add(rule::row_count, file::exec_records,
                exec_header_codec::offset_of<&exec_header::record_count>, {},
                "0 records, but exec.offsets has " + std::to_string(there));
      h.record_count = static_cast<std::int64_t>(there);
    }
    count(files, found, file::exec_offsets, h.record_count, 8, 1);
    count(files, found, file::exec_neighbours, h.record_count, neighbours_codec::size, 0);
    if (h.record_count > 0) size_ = std::min(static_cast<std::uint64_t>(h.record_count), there);
    known_ = size_ != 0 || h.record_count == 0;
    if (size_ != 0 && size_ == static_cast<std::uint64_t>(h.record_count) &&
        offset(size_) < bytes_.size())
      found.add(rule::trailing_bytes, file::exec_records, offset(size_), {},
                std::to_string(bytes_.size() - offset(size_)) + " bytes");
  }

  // Returns the number of records that have a start and an end in exec.offsets.
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  // Returns false if the number of records is unknown because exec.vtable or exec.offsets is
  // unusable. The other tables then cannot be checked against the records.
  [[nodiscard]] bool known() const noexcept { return known_; }
  [[nodiscard]] bool has_neighbours() const noexcept { return !neighbours_.empty(); }
  // Start and end of a record according to exec.offsets. Callers must read both offsets only once,
  // because a mapped file may change between two reads.
  struct place {
    std::uint64_t begin, end;
  };
  [[nodiscard]] place place_of(std::uint64_t i) const noexcept {
    return {offset(i), offset(i + 1)};
  }
  [[nodiscard]] std::uint64_t begin(std::uint64_t i) const noexcept { return offset(i); }
  // Returns the bytes of the record at `p`. Returns nullopt if `p` is outside exec.vtable, inside
  // its header, or too short for a record's head.
  [[nodiscard]] std::optional<std::span<const std::byte>> bytes(place p) const noexcept {
    if (p.begin < exec_header_codec::size || p.end > bytes_.size() || p.begin > p.end ||
        p.end - p.begin < exec_record_codec::size)
      return std::nullopt;
    return bytes_.subspan(static_cast<std::size_t>(p.begin),
                          static_cast<std::size_t>(p.end - p.begin));
  }
  // Returns the bytes of record `id`. Returns nullopt if `id` is negative or not less than size(),
  // or if the record's offsets are invalid.
  [[nodiscard]] std::optional<std::span<const std::byte>> bytes(std::int64_t id) const noexcept {
    if (id < 0 || static_cast<std::uint64_t>(id) >= size_) return std::nullopt;
    return bytes(place_of(static_cast<std::uint64_t>(id)));
  }
  // Returns the head of record `id`, or nullopt if bytes(id) returns nullopt.
  [[nodiscard]] std::optional<exec_record> head(std::int64_t id) const noexcept {
    const auto all = bytes(id);
    return all ? std::optional(exec_record_codec::load(all->data())) : std::nullopt;
  }
  [[nodiscard]] std::optional<neighbours> neighbours_of(std::uint64_t i) const noexcept {
    if (i >= neighbours_.size()) return std::nullopt;
    return neighbours_[static_cast<std::size_t>(i)];
  }

 private:
  [[nodiscard]] std::uint64_t offset(std::uint64_t i) const noexcept {
    return offsets_[static_cast<std::size_t>(i)];
  }
  // Checks that the file `column` consists of exactly `n + more` entries of `each` bytes.
  static void count(const trace_files& files, file_findings& found, file column, std::int64_t n,
                    std::uint64_t each, std::uint64_t more) {
    if (!files.has(column)) return;
    const std::uint64_t size = files[column].size();
    const std::uint64_t entries = size / each;
    const std::string text = "exec.vtable counts " + std::to_string(n) +
                             " records, but the file has " + std::to_string(size) + " bytes";
    const bool enough =
        n >= 0 && entries >= more && entries - more >= static_cast<std::uint64_t>(n);
    if (!enough)
      found.add(rule::row_count, column, {}, {}, text);
    else if (size != (static_cast<std::uint64_t>(n) + more) * each)
      found.add(rule::trailing_bytes, column, {}, {}, text);
  }

  std::span<const std::byte> bytes_ = {};
  wire::array_view<wire::u64le> offsets_ = {};
  wire::array_view<neighbours_codec> neighbours_ = {};
  std::uint64_t size_ = 0;
  bool known_ = false;
};

}  // namespace tracecodec::umtracer::detail
