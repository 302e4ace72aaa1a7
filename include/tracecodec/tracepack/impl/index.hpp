// The index behind the frames, read from the file's end.
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

// Where a frame begins, or the index, which has the number behind the last frame's.
struct frame_place {
  std::uint64_t offset = 0;   // in the file
  std::uint64_t content = 0;  // bytes before it
  std::uint32_t number = 0;
};

class file_index {
 public:
  file_index(std::vector<index_entry> entries, const end_of_file& end)
      : entries_(std::move(entries)), end_(end) {}

  [[nodiscard]] std::uint64_t content_size() const noexcept { return end_.content_size; }
  [[nodiscard]] std::uint64_t frames() const noexcept { return end_.frames; }
  [[nodiscard]] std::optional<frame_place> find(std::uint32_t number) const {
    return number < entries_.size() ? std::optional(place_of(number)) : std::nullopt;
  }
  // The frame that has byte `content` of the content; the index behind all.
  [[nodiscard]] frame_place with(std::uint64_t content) const {
    if (content >= end_.content_size) return place_of(entries_.size());
    const auto behind = std::upper_bound(
        entries_.begin(), entries_.end(), content,
        [](std::uint64_t c, const index_entry& e) { return c < e.content_offset; });
    return place_of(static_cast<std::size_t>(behind - entries_.begin()) - 1);
  }
  // What is the first behind byte `offset` of the file that does not begin before byte `content` of the content.
  [[nodiscard]] std::optional<frame_place> behind(std::uint64_t offset,
                                                  std::uint64_t content) const {
    for (std::size_t i = 0; i <= entries_.size(); ++i)
      if (const frame_place p = place_of(i); p.offset > offset && p.content >= content) return p;
    return std::nullopt;
  }

 private:
  [[nodiscard]] frame_place place_of(std::size_t i) const {
    const auto number = static_cast<std::uint32_t>(i);
    if (i == entries_.size()) return {end_.index_offset, end_.content_size, number};
    return {entries_[i].offset, entries_[i].content_offset, number};
  }

  std::vector<index_entry> entries_;  // offsets ascend, and begin at 0 of the content
  end_of_file end_;
};

// Of a file of `size` bytes whose frames begin at `first_frame`; nothing if there is none that is sound.
// The window is moved.
inline std::optional<file_index> read_index(io::window& from, std::uint64_t size,
                                            std::uint64_t first_frame, std::uint32_t record_size) {
  if (size < first_frame + index_codec::size + end_codec::size ||
      !from.seek(size - end_codec::size))
    return std::nullopt;
  end_of_file end{};
  if (!end_codec::decode(from.look(end_codec::size), end)) return std::nullopt;
  const std::uint64_t room = size - end_codec::size - index_codec::size - first_frame;
  if (end.frames > room / entry_codec::size ||
      end.index_offset !=
          size - end_codec::size - index_codec::size - end.frames * entry_codec::size)
    return std::nullopt;
  if (!from.seek(end.index_offset)) return std::nullopt;
  index_header h{};
  if (!index_codec::decode(from.look(index_codec::size), h) || h.frames != end.frames)
    return std::nullopt;
  from.consume(index_codec::size);
  const auto bytes = from.look(static_cast<std::size_t>(end.frames * entry_codec::size));
  if (bytes.size() < end.frames * entry_codec::size) return std::nullopt;
  const auto all = bytes.first(static_cast<std::size_t>(end.frames * entry_codec::size));
  if (crc_of(all) != h.entries_crc) return std::nullopt;
  std::vector<index_entry> entries(static_cast<std::size_t>(end.frames));
  std::uint64_t at = first_frame, content = 0;
  for (std::size_t i = 0; i != entries.size(); ++i) {
    index_entry& e = entries[i];
    e = entry_codec::load(all.data() + i * entry_codec::size);
    const bool first = i == 0;
    if (e.base > i ||
        (first ? e.offset != at || e.content_offset != 0
               : e.offset <= at || e.content_offset <= content) ||
        e.offset >= end.index_offset || e.content_offset % record_size != 0)
      return std::nullopt;
    at = e.offset;
    content = e.content_offset;
  }
  const bool sizes_agree = (entries.empty() ? end.content_size == 0 : end.content_size > content) &&
                           end.records == end.content_size / record_size;
  if (!sizes_agree) return std::nullopt;
  return file_index(std::move(entries), end);
}

}  // namespace tracecodec::tracepack::detail
