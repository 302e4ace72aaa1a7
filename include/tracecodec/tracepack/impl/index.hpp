// Index of the frames, which is stored near the end of the file.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "../../io/window.hpp"
#include "../layout.hpp"
#include "crc.hpp"

namespace tracecodec::tracepack::detail {

// Place of a frame or of the index. For the index, `number` is the number of frames.
struct frame_place {
  std::uint64_t offset = 0;   // offset in the file
  std::uint64_t content = 0;  // bytes of content before this place
  std::uint32_t number = 0;
};

// Bounds for the frames that an index lists.
struct frame_limits {
  std::uint64_t first_frame = 0, index = 0;  // offsets in the file
  std::uint32_t record_size = 1;
};
struct index_entries {
  enum : std::uint8_t { all, some, impossible } found = all;
  std::uint32_t crc = 0;  // CRC-32C of all entries, if `found` is `all`
};

// Reads `n` entries, and calls each(entry) for each entry. Stops at the end of the file or at the
// first impossible entry. An entry is possible only if its frame is between the first frame and the
// index, and begins at least a header's size after the beginning of the previous frame.
template <class Each> index_entries read_entries(io::window& from, std::uint64_t n,
                                                 const frame_limits& limits, Each each) {
  constexpr std::size_t size = entry_codec::size;
  io::crc32c sum;
  std::uint64_t next = limits.first_frame, least_content = 0;
  for (bool first = true; n != 0;) {
    const auto bytes = from.look(size);
    if (bytes.size() < size) return {.found = index_entries::some};
    const auto here = static_cast<std::size_t>(std::min<std::uint64_t>(n, bytes.size() / size));
    for (std::size_t i = 0; i != here; ++i, first = false) {
      const index_entry e = entry_codec::load(bytes.data() + i * size);
      if ((first ? e.offset != next || e.content_offset != 0
                 : e.offset < next || e.content_offset < least_content) ||
          e.offset >= limits.index || limits.index - e.offset < frame_codec::size ||
          e.content_offset % limits.record_size != 0) {
        // If the file ends shortly after this entry, report truncation instead.
        const auto soon = static_cast<std::size_t>(std::min<std::uint64_t>(n * size, 1U << 16));
        return {.found = from.look(soon).size() < soon ? index_entries::some
                                                       : index_entries::impossible};
      }
      next = e.offset + frame_codec::size;
      least_content = e.content_offset + 1;
      each(e);
    }
    sum.update(bytes.first(here * size));
    from.consume(here * size);
    n -= here;
  }
  return {.found = index_entries::all, .crc = sum.value()};
}

class file_index {
 public:
  file_index(std::vector<index_entry> entries, const end_of_file& end)
      : entries_(std::move(entries)), end_(end) {}

  [[nodiscard]] std::uint64_t content_size() const noexcept { return end_.content_size; }
  [[nodiscard]] std::uint64_t frames() const noexcept { return end_.frames; }
  [[nodiscard]] std::optional<frame_place> find(std::uint32_t number) const {
    return number < entries_.size() ? std::optional(place_of(number)) : std::nullopt;
  }
  // Returns the place of the frame that contains offset `content` of the decompressed records.
  // Returns the place of the index if no frame contains this offset.
  [[nodiscard]] frame_place with(std::uint64_t content) const {
    if (content >= end_.content_size) return place_of(entries_.size());
    const auto next = std::upper_bound(
        entries_.begin(), entries_.end(), content,
        [](std::uint64_t c, const index_entry& e) { return c < e.content_offset; });
    return place_of(static_cast<std::size_t>(next - entries_.begin()) - 1);
  }
  // Returns the place of the first frame that is at or after offset `offset` in the file, and at or
  // after offset `content` in the decompressed records. If there is no such frame, returns the
  // place of the index. Returns nullopt if the index is before either offset.
  [[nodiscard]] std::optional<frame_place> from(std::uint64_t offset, std::uint64_t content) const {
    const auto first = std::partition_point(
        entries_.begin(), entries_.end(),
        [&](const index_entry& e) { return e.offset < offset || e.content_offset < content; });
    const frame_place p = place_of(static_cast<std::size_t>(first - entries_.begin()));
    return p.offset >= offset && p.content >= content ? std::optional(p) : std::nullopt;
  }

 private:
  [[nodiscard]] frame_place place_of(std::size_t i) const {
    const auto number = static_cast<std::uint32_t>(i);
    if (i == entries_.size()) return {end_.index_offset, end_.content_size, number};
    return {entries_[i].offset, entries_[i].content_offset, number};
  }

  std::vector<index_entry> entries_;  // in ascending order, starting at offset 0 of the content
  end_of_file end_;
};

// Reads the index of a file of `size` bytes. `first_frame` is the offset of the first frame.
// Returns nullopt if there is no intact index. Moves the window.
inline std::optional<file_index> read_index(io::window& from, std::uint64_t size,
                                            std::uint64_t first_frame, std::uint32_t record_size) {
  if (size < first_frame + index_codec::size + end_codec::size ||
      !from.seek(size - end_codec::size))
    return std::nullopt;
  end_of_file end{};
  if (!end_codec::decode(from.look(end_codec::size), end)) return std::nullopt;
  const std::uint64_t available = size - end_codec::size - index_codec::size - first_frame;
  if (end.frames > available / entry_codec::size ||
      end.index_offset !=
          size - end_codec::size - index_codec::size - end.frames * entry_codec::size)
    return std::nullopt;
  if (!from.seek(end.index_offset)) return std::nullopt;
  index_header h{};
  if (!index_codec::decode(from.look(index_codec::size), h) || h.frames != end.frames)
    return std::nullopt;
  from.consume(index_codec::size);
  // The vector grows only as valid entries are read, so a wrong number of frames in the header does
  // not exhaust memory.
  std::vector<index_entry> entries;
  const index_entries read = read_entries(
      from, end.frames,
      {.first_frame = first_frame, .index = end.index_offset, .record_size = record_size},
      [&entries](const index_entry& e) { entries.push_back(e); });
  if (read.found != index_entries::all || read.crc != h.entries_crc) return std::nullopt;
  const std::uint64_t content = entries.empty() ? 0 : entries.back().content_offset;
  const bool sizes_agree = (entries.empty() ? end.content_size == 0 : end.content_size > content) &&
                           end.records == end.content_size / record_size;
  if (!sizes_agree) return std::nullopt;
  return file_index(std::move(entries), end);
}

}  // namespace tracecodec::tracepack::detail
