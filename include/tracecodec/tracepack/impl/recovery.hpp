// What lies behind damage: the next frame that has a header, or the index. All searches of a file together look at each
// byte once.
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
    // A payload that has its checksum is as it was written: no other frame begins inside it.
    if (before_.header_known && before_.payload_sound)
      search_from_ = before_.at + frame_codec::size + before_.header.payload_size;
  }

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
    const auto place = file_.index()->from(search_from_, expected_.content);
    if (place) file_.move_to(*place);
    return place.has_value();
  }

  // As bytes, until some are the header of a frame behind this one, or of the index.
  bool by_search() {
    io::window& in = file_.window();
    try {
      if (!in.seek(search_from_)) return false;
    } catch (const trace_error&) {
      return false;  // in a pipe, behind an index
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

  // Returns where the first magic of a frame or of the index begins. Without one, the last three bytes are left.
  static std::size_t find_magic(std::span<const std::byte> in) {
    const std::byte* at = in.data();
    const std::byte* const end = in.data() + in.size();
    while (end - at >= 4) {
      // Both begin with T; a sparse file may have gigabytes of zeros.
      const void* const t = std::memchr(at, 'T', static_cast<std::size_t>(end - at) - 3);
      if (t == nullptr) return in.size() - 3;
      at = static_cast<const std::byte*>(t);
      const std::span<const std::byte> here(at, end);
      if (begins_with(here, frame_magic) || begins_with(here, index_magic)) break;
      ++at;
    }
    return static_cast<std::size_t>(at - in.data());
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
  std::uint64_t search_from_;
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
