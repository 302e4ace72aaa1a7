// Reads the index and the end of a file, which follow the last frame. Compares both with the frames
// that were found.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../../io/checksum.hpp"
#include "../../io/error.hpp"
#include "../../io/window.hpp"
#include "../layout.hpp"
#include "index.hpp"

namespace tracecodec::tracepack::detail {

// Totals of the frames found so far in a file.
struct found_frames {
  std::uint64_t content = 0;  // bytes of content before the next frame
  std::uint32_t number = 0;   // number of the next frame
  bool some_lost = false;     // true if an unknown number of records was lost
  std::uint32_t seen = 0;     // number of consecutive frames found, starting with the first
  io::crc32c entries = {};    // expected checksum of the index entries of these frames

  void see(const frame_header& h, std::uint64_t at) {
    if (h.number != seen) return;
    ++seen;
    std::array<std::byte, entry_codec::size> entry{};
    entry_codec::store({at, h.content_offset, h.base, h.payload_crc}, entry.data());
    entries.update(entry);
  }
};

// Reads the index and the end of a file. `first_frame` is the offset of the first frame, and the
// window must be at the index. Throws trace_error for data that is missing, damaged, or
// inconsistent. Stops at the first impossible entry, because a header may declare 96 GiB of
// entries.
inline void read_end(io::window& from, std::uint64_t first_frame, found_frames& found,
                     std::uint32_t record_size) {
  const std::uint64_t at = from.offset();
  const auto fail = [&](trace_errc code, const std::string& why) {
    return trace_error(code, {from.from().name(), at}, "index: " + why);
  };
  index_header h{};
  const auto in = from.look(index_codec::size);
  if (in.size() < index_codec::size) {
    from.check_end();
    throw fail(trace_errc::truncated, "the file ends inside it");
  }
  if (!index_codec::decode(in, h)) throw fail(trace_errc::corrupt, "its header's checksum differs");
  from.consume(index_codec::size);
  const index_entries entries = read_entries(
      from, h.frames, {.first_frame = first_frame, .index = at, .record_size = record_size},
      [](const index_entry&) {});
  if (entries.found == index_entries::some) {
    from.check_end();
    throw fail(trace_errc::truncated, "the file ends inside it");
  }
  if (entries.found == index_entries::impossible)
    throw fail(trace_errc::bad_value, "its entries do not match the frames");
  if (entries.crc != h.entries_crc) throw fail(trace_errc::corrupt, "its checksum differs");
  end_of_file e{};
  const auto last = from.look(end_codec::size + 1);
  if (last.size() < end_codec::size) {
    from.check_end();
    throw fail(trace_errc::truncated,
               "the file ends before its last 40 bytes, which follow the index");
  }
  if (!end_codec::decode(last, e)) throw fail(trace_errc::corrupt, "the checksum after it differs");
  if (last.size() > end_codec::size)
    throw fail(trace_errc::bad_value, "bytes follow the file's end");
  if (found.some_lost && e.frames == h.frames && e.frames >= found.number &&
      e.content_size >= found.content) {
    found.number = h.frames;
    found.content = e.content_size;
  }
  if (e.index_offset != at && e.frames == found.number && e.content_size == found.content)
    throw fail(trace_errc::bad_value,
               "declares to be at offset " + std::to_string(e.index_offset) + " of the file");
  if (e.index_offset != at || e.frames != h.frames || h.frames != found.number ||
      e.content_size != found.content || e.records != found.content / record_size)
    throw fail(trace_errc::bad_value,
               "declares " + std::to_string(e.frames) + " frames with " +
                   std::to_string(e.content_size) + " bytes of records, found " +
                   std::to_string(found.number) + " with " + std::to_string(found.content));
  if (found.seen == h.frames && found.entries.value() != h.entries_crc)
    throw fail(trace_errc::bad_value, "its entries do not match the frames");
  from.check_end();
}

}  // namespace tracecodec::tracepack::detail
