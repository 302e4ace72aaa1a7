// What lies behind damage: the next frame that has a header, or the index.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../../io/error.hpp"
#include "../layout.hpp"
#include "frame_file.hpp"

namespace tracecodec::tracepack::detail {

class recovery {
 public:
  explicit recovery(frame_file& of)
      : file_(of),
        before_(of.here()),
        expected_{before_.at, before_.found.content, before_.found.number} {}

  // Whether there is anything to go on with.
  bool go_on() { return behind_this() || (file_.index() != nullptr ? by_index() : by_search()); }

 private:
  // The next one is where this one ends, and with it in a pipe's window.
  bool behind_this() {
    const frame_header& h = before_.header;
    if (!before_.header_known || h.payload_size > most_payload) return false;
    const std::size_t size = frame_codec::size + h.payload_size;
    file_.window().seek(before_.at);
    const auto in = file_.window().look(size + frame_codec::size);
    if (in.size() < size || (in.size() != size && !is_header(in.subspan(size)))) return false;
    const bool follows = h.number == expected_.number && h.content_offset == expected_.content;
    if (follows) {
      expected_.content += h.content_size;
      ++expected_.number;
    }
    take_over(in.subspan(size), before_.at + size, !follows);
    return true;
  }

  bool by_index() {
    const auto place = file_.index()->behind(before_.at, expected_.content);
    if (place) file_.move_to(*place);
    return place.has_value();
  }

  // As bytes, until some are the header of a frame behind this one, or of the index.
  bool by_search() {
    io::window& in = file_.window();
    try {
      if (!in.seek(before_.at + 1)) return false;
    } catch (const trace_error&) {
      return false;  // in a pipe, behind an index
    }
    for (;;) {
      const auto bytes = in.look(std::size_t{1} << 16);
      if (bytes.size() < 4) return false;
      std::size_t i = 0;
      while (i + 4 <= bytes.size() && !begins_with(bytes.subspan(i), frame_magic) &&
             !begins_with(bytes.subspan(i), index_magic))
        ++i;
      in.consume(i);
      if (i + 4 > bytes.size()) {
        if (in.look(4).size() < 4) return false;
        continue;
      }
      const auto found = in.look(frame_codec::size);
      if (is_header(found)) {
        take_over(found, in.offset(), true);
        return true;
      }
      in.consume(1);
    }
  }

  // Whether these bytes are the header of a later frame, or of the index.
  [[nodiscard]] bool is_header(std::span<const std::byte> in) const {
    frame_header h{};
    index_header x{};
    if (frame_codec::decode(in, h))
      return h.number >= expected_.number && h.content_offset >= expected_.content;
    return static_cast<bool>(index_codec::decode(in, x));
  }
  // At `offset`: what a frame's header says is taken as it is. `unknown`: the index may say more than was found.
  void take_over(std::span<const std::byte> in, std::uint64_t offset, bool unknown) {
    expected_.offset = offset;
    frame_header h{};
    if (frame_codec::decode(in, h)) {
      expected_.content = h.content_offset;
      expected_.number = h.number;
    }
    file_.move_to(expected_);
    file_.some_lost(unknown);
  }

  frame_file& file_;
  frame_file::state before_;
  frame_place expected_;  // next
};

// After the error `e` of next(), of payload(), or of what was in it: goes to the next frame that has a header, or to
// the index. Returns the error with how much is lost; nothing if there is neither.
inline std::optional<trace_error> recover(frame_file& from, const trace_error& e) {
  const bool known = from.here().header_known;
  const std::uint64_t first = known ? from.current().content_offset : from.content();
  if (!recovery(from).go_on()) return std::nullopt;
  const std::uint32_t size = from.about().shape.size;
  if (known || from.content() < first + size) return e;
  return trace_error(e.code(), {.file = e.file(), .offset = e.offset(), .record = e.record()},
                     e.message() + lost_records((from.content() - first) / size));
}

}  // namespace tracecodec::tracepack::detail
