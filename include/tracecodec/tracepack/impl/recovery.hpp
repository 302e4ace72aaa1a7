// Finds the position at which reading can continue after damage, which is the next frame with a
// valid header, or the index. All searches in a file together examine each byte only once.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>
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
        search_from_(before_.at + 1),
        expected_{before_.at, before_.found.content, before_.found.number} {
    // A payload that matches its checksum is intact, so no other frame can begin inside it.
    if (before_.header_known && before_.payload_sound)
      search_from_ = before_.at + frame_codec::size + before_.header.payload_size;
  }

  // Moves to a position at which reading can continue. Returns false if there is no such position.
  bool go_on() { return to_next_frame() || (file_.index() != nullptr ? by_index() : by_search()); }

 private:
  // Moves to the end of the damaged frame if a valid header follows. This works even in a pipe,
  // because the end is still inside the window.
  bool to_next_frame() {
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
    const auto place = file_.index()->from(search_from_, expected_.content);
    if (place) file_.move_to(*place);
    return place.has_value();
  }

  // Searches for the header of a later frame or of the index.
  bool by_search() {
    io::window& in = file_.window();
    try {
      if (!in.seek(search_from_)) return false;
    } catch (const trace_error&) {
      // In a pipe, the window cannot move back after an index has been read.
      return false;
    }
    for (;;) {
      const auto bytes = in.look(std::size_t{1} << 16);
      if (bytes.size() < 4) return false;
      const std::size_t i = find_magic(bytes);
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

  // Returns the position of the first magic number of a frame or of the index. If there is no magic
  // number, returns the position of the last three bytes, which may be part of a magic number.
  static std::size_t find_magic(std::span<const std::byte> in) {
    const std::byte* at = in.data();
    const std::byte* const end = in.data() + in.size();
    while (end - at >= 4) {
      // Both magic numbers begin with T. memchr() quickly skips the gigabytes of zeros in a sparse
      // file.
      const void* const t = std::memchr(at, 'T', static_cast<std::size_t>(end - at) - 3);
      if (t == nullptr) return in.size() - 3;
      at = static_cast<const std::byte*>(t);
      const std::span<const std::byte> here(at, end);
      if (begins_with(here, frame_magic) || begins_with(here, index_magic)) break;
      ++at;
    }
    return static_cast<std::size_t>(at - in.data());
  }

  // Returns true if `in` begins with the header of a later frame, or of the index.
  [[nodiscard]] bool is_header(std::span<const std::byte> in) const {
    frame_header h{};
    index_header x{};
    if (frame_codec::decode(in, h))
      return h.number >= expected_.number && h.content_offset >= expected_.content;
    return static_cast<bool>(index_codec::decode(in, x));
  }
  // Continues at `offset`, and trusts the frame header in `in`. `unknown` is true if the index may
  // list more frames than were found.
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
  std::uint64_t search_from_;
  frame_place expected_;  // place of the next frame
};

// Moves to the next frame with a valid header, or to the index. `e` must be an error from next(),
// from payload(), or from decoding the frame's content. Returns `e` with the number of lost
// records. Returns nullopt if neither a header nor the index was found.
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
