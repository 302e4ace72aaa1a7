// Reads the frames of a tracepack file one after another, and verifies headers and payloads.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../../io/error.hpp"
#include "../../io/window.hpp"
#include "../about.hpp"
#include "crc.hpp"
#include "end.hpp"
#include "front.hpp"
#include "index.hpp"

namespace tracecodec::tracepack::detail {

inline constexpr std::string_view frame_magic = "TPF1", index_magic = "TPIX";

// Text that precedes the number of lost records in an error message.
inline constexpr std::string_view loss = "; its ";
inline std::string lost_records(std::uint64_t n) {
  if (n == 0) return {};
  return std::string(loss) + std::to_string(n) + (n == 1 ? " record is lost" : " records are lost");
}

class frame_sequence {
 public:
  explicit frame_sequence(io::input in)
      : window_(std::move(in)), about_(read_front(window_)), first_frame_(window_.offset()) {}

  [[nodiscard]] const tracepack::about& about() const noexcept { return about_; }
  [[nodiscard]] const std::string& name() const { return window_.from().name(); }
  [[nodiscard]] const io::input& from() const { return window_.from(); }
  [[nodiscard]] std::optional<double> progress() const { return window_.progress(); }

  // Reads the header of the next frame. Returns false after the last frame of a file with a valid
  // end.
  bool next() {
    if (here_.ended) return false;
    here_.at = window_.offset();
    here_.header_known = here_.payload_sound = false;
    const auto in = window_.look(frame_codec::size);
    if (begins_with(in, index_magic)) {
      read_end(window_, first_frame_, here_.found, about_.shape.size);
      here_.ended = true;
      return false;
    }
    const auto r = frame_codec::decode(in, here_.header);
    if (!r) refuse_header(in, r);
    here_.header_known = true;
    check_header();
    return true;
  }
  [[nodiscard]] const frame_header& current() const noexcept { return here_.header; }
  [[nodiscard]] std::uint32_t number() const noexcept { return here_.header.number; }
  // Returns the number of bytes of content before the next frame. After a call to done(), the
  // result includes the most recently read frame.
  [[nodiscard]] std::uint64_t content() const noexcept { return here_.found.content; }
  // Returns the payload of the frame with the most recently read header. The payload is valid until
  // the next read operation. In a pipe, the position remains at the header.
  std::span<const std::byte> payload() {
    window_.seek(here_.at);
    const std::size_t size = here_.header.payload_size;
    const auto in = window_.look(frame_codec::size + size);
    if (in.size() < frame_codec::size + size) {
      window_.check_end();
      throw error(trace_errc::truncated, "the file ends inside it");
    }
    const auto bytes = in.subspan(frame_codec::size, size);
    if (sums_.of(here_.at + frame_codec::size, bytes) != here_.header.payload_crc)
      throw error(trace_errc::corrupt, "its checksum differs");
    here_.payload_sound = true;
    return bytes;
  }
  // Moves past the current frame. Returns false if the file ends inside the frame.
  bool done() {
    const frame_header& h = here_.header;
    if (!window_.seek(here_.at + frame_codec::size + h.payload_size)) return false;
    remember();
    here_.found.see(h, here_.at);
    here_.found.content = h.content_offset + h.content_size;
    here_.found.number = h.number + 1;
    return true;
  }

  [[nodiscard]] trace_error error(trace_errc code, const std::string& why) const {
    const frame_header* const h = here_.header_known ? &here_.header : nullptr;
    const std::uint32_t size = about_.shape.size;
    const std::uint32_t number = h != nullptr ? h->number : here_.found.number;
    const std::uint64_t content = h != nullptr ? h->content_offset : here_.found.content;
    return {code,
            {.file = name(), .offset = here_.at, .record = content / size},
            "frame " + std::to_string(number) + ": " + why +
                lost_records(h != nullptr ? h->content_size / size : 0)};
  }

  // State of the object, which now() returns and go_back() restores.
  struct state {
    std::uint64_t offset = 0;  // offset of the window
    std::uint64_t at = 0;      // offset of `header` in the file
    frame_header header = {};  // most recently read header
    bool header_known = false;
    bool payload_sound = false;  // true if the payload matches its checksum
    bool ended = false;          // true once the index and the end have been read
    found_frames found = {};
    std::size_t bases = 0;  // number of elements in bases_
  };
  [[nodiscard]] state now() const {
    state s = here_;
    s.offset = window_.offset();
    s.bases = bases_.size();
    return s;
  }
  void go_back(const state& to) {
    window_.seek(to.offset);
    here_ = to;
    bases_.resize(std::min(bases_.size(), to.bases));
  }

  // Moves to a frame or to the index.
  void move_to(const frame_place& to) {
    window_.seek(to.offset);
    here_.found.content = to.content;
    here_.found.number = to.number;
    here_.ended = false;
  }
  void rewind() {
    window_.rewind();
    move_to({first_frame_, 0, 0});
    here_.found.some_lost = false;
    sums_.forget();
  }

  // Functions for derived classes, which may move the window and then call go_back() or move_to().
  [[nodiscard]] io::window& window() noexcept { return window_; }
  [[nodiscard]] const state& here() const noexcept { return here_; }
  [[nodiscard]] std::uint64_t first_frame() const noexcept { return first_frame_; }
  // Returns the number of payload bytes that have been summed so far.
  [[nodiscard]] std::uint64_t summed() const noexcept { return sums_.summed(); }
  // Sets whether an unknown number of records was lost before the next frame. If `unknown` is true,
  // the index may list more frames than were found.
  void some_lost(bool unknown) noexcept { here_.found.some_lost = unknown; }
  // Returns the place of frame `number`, or nullopt if the frame was not read or does not have its
  // own dictionary.
  [[nodiscard]] std::optional<frame_place> find_base(std::uint32_t number) const {
    const auto at =
        std::lower_bound(bases_.begin(), bases_.end(), number,
                         [](const frame_place& base, std::uint32_t n) { return base.number < n; });
    return at != bases_.end() && at->number == number ? std::optional(*at) : std::nullopt;
  }

 private:
  void check_header() const {
    const frame_header& h = here_.header;
    const std::uint64_t content = here_.found.content;
    const std::uint32_t size = about_.shape.size, number = here_.found.number;
    const auto fail = [this](const std::string& why) { return error(trace_errc::bad_value, why); };
    if (h.kind > frame_kind::high)
      throw error(trace_errc::unsupported, "is of kind " +
                                               std::to_string(static_cast<unsigned>(h.kind)) +
                                               ", which this program does not support");
    if (h.payload_size > most_payload)
      throw fail("has " + std::to_string(h.payload_size) + " bytes, but at most " +
                 std::to_string(most_payload) + " are supported");
    if (h.kind == frame_kind::stored) {
      if (h.content_size == 0 || h.content_size > most_stored)
        throw fail("stores " + std::to_string(h.content_size) + " bytes, but 1 to " +
                   std::to_string(most_stored) + " are supported");
    } else {
      if (about_.kind == record_kind::bytes || !modelled(about_.shape))
        throw fail("is modelled, but the records have no model");
      if (h.content_size == 0 || h.content_size % size != 0 || h.content_size / size > most_records)
        throw fail("has " + std::to_string(h.content_size) + " bytes of records");
    }
    if (h.kind != frame_kind::stored && h.base > h.number)
      throw fail("continues the later frame " + std::to_string(h.base));
    if (h.number != number) throw fail("expected frame " + std::to_string(number));
    if (h.content_offset != content || content % size != 0)
      throw fail("begins at byte " + std::to_string(h.content_offset) +
                 " of the content, expected " + std::to_string(content));
    if (h.content_size > ~std::uint64_t{0} - h.content_offset) throw fail("ends after byte 2^64");
  }
  [[noreturn]] void refuse_header(std::span<const std::byte> in, const wire::result& r) {
    window_.check_end();
    if (r.error == wire::errc::truncated)
      throw error(trace_errc::truncated, in.empty() ? std::string("the file ends before its index")
                                                    : "the file ends inside its header, after " +
                                                          std::to_string(in.size()) + " bytes");
    throw error(trace_errc::corrupt,
                r.field == "magic" ? "is not a frame" : "the checksum of its header differs");
  }
  void remember() {
    const frame_header& h = here_.header;
    if (h.base != h.number || h.kind == frame_kind::stored) return;
    if (bases_.empty() || bases_.back().number < h.number)
      bases_.push_back({here_.at, h.content_offset, h.number});
  }

  io::window window_;
  tracepack::about about_;
  std::uint64_t first_frame_;
  state here_ = {};  // state::offset is unused, because the window stores the current offset
  std::vector<frame_place> bases_ = {};
  payload_sums sums_ = {};
};

}  // namespace tracecodec::tracepack::detail
