// Tracepack file with access to any frame. Frames are found by means of the index, or by following
// headers.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "../../io/error.hpp"
#include "frames.hpp"
#include "index.hpp"

namespace tracecodec::tracepack::detail {

class frame_file : public frame_sequence {
 public:
  using frame_sequence::frame_sequence;

  // Returns the index. The first call reads the index from the file. Returns nullptr if there is no
  // intact index. Also returns nullptr if the file is compressed, cannot be rewound, or has an
  // unknown size.
  const file_index* index() {
    if (!index_looked_for_) {
      index_looked_for_ = true;
      const auto size = from().size();
      if (from().compression() == io::codec::none && from().rewindable() && size) {
        const std::uint64_t before = window().offset();
        index_ = read_index(window(), *size, first_frame(), about().shape.size);
        window().seek(before);
      }
    }
    return index_ ? &*index_ : nullptr;
  }
  std::optional<bool> has_index() {
    if (index() != nullptr) return true;
    if (!from().rewindable()) return std::nullopt;
    return false;
  }

  // Moves to an earlier frame and reads its header. Throws trace_error(corrupt) if the frame's
  // position is unknown, or if the frame does not have its own dictionary.
  void go_to_base(std::uint32_t number) {
    const auto place = index() != nullptr ? index()->find(number) : find_base(number);
    if (!place)
      throw error(trace_errc::corrupt, "frame " + std::to_string(number) + " was not found");
    move_to(*place);
    if (!next() || current().number != number || current().base != number ||
        current().kind == frame_kind::stored)
      throw error(trace_errc::corrupt, "frame " + std::to_string(number) + " has no dictionary");
  }

  // Skips whole frames that end within the next `n` bytes of content, but stops before a damaged
  // frame. The position must be at the beginning of a frame. Returns the number of skipped bytes of
  // content. Does not skip anything in a pipe, because every frame in a pipe may have to be read.
  std::uint64_t skip(std::uint64_t n) {
    if (here().ended) return 0;
    const std::uint64_t before = content();
    const std::uint64_t target = n > ~std::uint64_t{0} - before ? ~std::uint64_t{0} : before + n;
    if (index() != nullptr) {
      if (const frame_place to = index()->with(target); to.content > before) move_to(to);
    } else if (from().rewindable()) {
      go_over(target);
    }
    return content() - before;
  }

  std::uint64_t content_size() {
    return index() != nullptr ? index()->content_size() : all_found().content;
  }
  std::uint64_t frame_count() {
    return index() != nullptr ? index()->frames() : all_found().number;
  }

 private:
  // Returns the totals at the end of the last frame that can be reached by following headers.
  found_frames all_found() {
    if (!from().rewindable())
      throw trace_error(trace_errc::refused, {.file = name()}, "cannot be read a second time");
    const state before = now();
    if (!before.ended) go_over(~std::uint64_t{0});
    const found_frames all = here().found;
    go_back(before);
    return all;
  }
  // Follows headers from frame to frame. Stops at the frame that contains offset `target` of the
  // content, at a damaged frame, or at the end.
  void go_over(std::uint64_t target) {
    while (content() < target) {
      const frame_place at{window().offset(), content(), here().found.number};
      bool whole = false;
      try {
        whole = next() && current().content_size <= target - content() &&
                window().has(frame_codec::size + current().payload_size).value_or(true);
        if (whole) whole = done();
      } catch (const trace_error&) {
        // Ignore the error, because reading the frame will throw the same error.
      }
      if (whole) continue;
      move_to(at);
      break;
    }
  }

  bool index_looked_for_ = false;
  std::optional<file_index> index_ = {};
};

}  // namespace tracecodec::tracepack::detail
