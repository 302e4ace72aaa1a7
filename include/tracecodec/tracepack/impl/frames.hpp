// A tracepack file as frames: their headers and payloads, checked; the index; what lies behind damage.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../../io/error.hpp"
#include "../../io/window.hpp"
#include "../about.hpp"
#include "../recognise.hpp"
#include "crc.hpp"

namespace tracecodec::tracepack::detail {

class frame_file {
 public:
  explicit frame_file(io::input in) : window_(std::move(in)) { read_front(); }

  [[nodiscard]] const tracepack::about& about() const noexcept { return about_; }
  [[nodiscard]] const std::string& name() const { return window_.from().name(); }
  [[nodiscard]] const io::input& from() const { return window_.from(); }
  [[nodiscard]] std::optional<double> progress() const { return window_.progress(); }

  // Reads the header of the next frame; false behind the last one, of a file that ends as it should.
  bool next() {
    if (ended_) return false;
    at_ = window_.offset();
    header_known_ = false;
    const auto in = window_.look(frame_codec::size);
    if (begins_with(in, index_magic)) {
      read_end();
      return false;
    }
    const auto r = frame_codec::decode(in, header_);
    if (!r) refuse_header(in, r);
    header_known_ = true;
    check_header();
    return true;
  }
  [[nodiscard]] const frame_header& current() const noexcept { return header_; }
  [[nodiscard]] std::uint32_t number() const noexcept { return header_.number; }
  // Bytes of content before the next frame: when done() was called, behind the one whose header was read last.
  [[nodiscard]] std::uint64_t content() const noexcept { return content_; }
  // Of the frame whose header was read last; valid until anything else is read. A pipe stays at its header.
  std::span<const std::byte> payload() {
    window_.seek(at_);
    const auto in = window_.look(frame_codec::size + header_.payload_size);
    if (in.size() < frame_codec::size + header_.payload_size) {
      window_.check_end();
      throw error(trace_errc::truncated, "the file ends inside it");
    }
    const auto bytes = in.subspan(frame_codec::size, header_.payload_size);
    if (crc_of(bytes) != header_.payload_crc)
      throw error(trace_errc::corrupt, "its checksum differs");
    return bytes;
  }
  // Goes on behind it; false if the file ends before.
  bool done() {
    if (!window_.seek(at_ + frame_codec::size + header_.payload_size)) return false;
    remember();
    see();
    content_ = header_.content_offset + header_.content_size;
    number_ = header_.number + 1;
    return true;
  }

  [[nodiscard]] trace_error error(trace_errc code, const std::string& why) const {
    const std::string frame =
        "frame " + std::to_string(header_known_ ? header_.number : number_) + ": ";
    const std::uint64_t first =
        (header_known_ ? header_.content_offset : content_) / about_.shape.size;
    return {code,
            {.file = name(), .offset = at_, .record = first},
            frame + why + lost(header_known_ ? header_.content_size / about_.shape.size : 0)};
  }

  // After the error `e` of next(), of payload(), or of what was in it: goes to the next frame that has a header, or to
  // the index. Returns the error with how much is lost; nothing if there is neither.
  std::optional<trace_error> recover(const trace_error& e) {
    const std::uint64_t first = header_known_ ? header_.content_offset : content_;
    if (!go_on()) return std::nullopt;
    if (header_known_ || content_ < first + about_.shape.size) return e;
    return trace_error(e.code(), {.file = e.file(), .offset = e.offset(), .record = e.record()},
                       e.message() + lost((content_ - first) / about_.shape.size));
  }

  // Everything but what was found in the index.
  struct state {
    std::uint64_t offset = 0, at = 0, content = 0;
    std::uint32_t number = 0, seen = 0;
    frame_header header = {};
    bool header_known = false, ended = false, some_lost = false;
    io::crc32c seen_entries = {};
    std::size_t bases = 0;
  };
  [[nodiscard]] state now() const {
    return {window_.offset(), at_,    content_,   number_,       seen_,        header_,
            header_known_,    ended_, some_lost_, seen_entries_, bases_.size()};
  }
  void go_back(const state& to) {
    window_.seek(to.offset);
    at_ = to.at;
    content_ = to.content;
    number_ = to.number;
    seen_ = to.seen;
    header_ = to.header;
    header_known_ = to.header_known;
    ended_ = to.ended;
    some_lost_ = to.some_lost;
    seen_entries_ = to.seen_entries;
    bases_.resize(std::min(bases_.size(), to.bases));
  }

  // Where the frame is whose header was read last.
  struct where {
    std::uint64_t at, content;
    std::uint32_t number;
  };
  [[nodiscard]] where place() const noexcept { return {at_, content_, number_}; }
  // Reads the header of a frame before this one. Throws trace_error(corrupt) if it is not known where it is, or if it
  // has no dictionary of its own.
  void go_to_base(std::uint32_t number) {
    const index_entry* const e = find(number);
    if (e == nullptr)
      throw error(trace_errc::corrupt, "frame " + std::to_string(number) + " was not found");
    move_to(e->offset, e->content_offset, number);
    if (!next() || header_.number != number || header_.base != number ||
        header_.kind == frame_kind::stored)
      throw error(trace_errc::corrupt, "frame " + std::to_string(number) + " has no dictionary");
  }
  void go_back(const where& to) {
    move_to(to.at, to.content, to.number);
    next();
  }

  // At a frame's begin: goes over whole frames, as far as byte `n` of content from here lies behind them, or to one
  // that is damaged; returns how many bytes they have. Nothing in a pipe, where each may have to be read.
  std::uint64_t skip(std::uint64_t n) {
    if (ended_) return 0;
    const std::uint64_t before = content_;
    const std::uint64_t target = n > ~std::uint64_t{0} - before ? ~std::uint64_t{0} : before + n;
    if (load_index()) {
      if (target >= end_.content_size) {
        if (content_ >= end_.content_size) return 0;
        move_to(index_at_, end_.content_size, static_cast<std::uint32_t>(index_.size()));
        return content_ - before;
      }
      const auto behind = std::upper_bound(
          index_.begin(), index_.end(), target,
          [](std::uint64_t content, const index_entry& e) { return content < e.content_offset; });
      if (behind == index_.begin()) return 0;
      const auto it = behind - 1;
      if (it->content_offset <= before) return 0;
      move_to(it->offset, it->content_offset, static_cast<std::uint32_t>(it - index_.begin()));
      return content_ - before;
    }
    if (!window_.from().rewindable()) return 0;
    go_over(target);
    return content_ - before;
  }

  std::uint64_t content_size() {
    if (load_index()) return end_.content_size;
    if (!window_.from().rewindable())
      throw trace_error(trace_errc::refused, {.file = name()}, "cannot be read a second time");
    const state before = now();
    if (!ended_) go_over(~std::uint64_t{0});
    const std::uint64_t all = content_;
    go_back(before);
    return all;
  }
  std::optional<bool> has_index() {
    if (load_index()) return true;
    if (!window_.from().rewindable()) return std::nullopt;
    return false;
  }

  void rewind() {
    window_.rewind();
    move_to(first_frame_, 0, 0);
    some_lost_ = false;
  }

 private:
  static constexpr std::string_view frame_magic = "TPF1", index_magic = "TPIX";

  static std::string lost(std::uint64_t records) {
    if (records == 0) return {};
    return "; its " + std::to_string(records) +
           (records == 1 ? " record is lost" : " records are lost");
  }

  void move_to(std::uint64_t offset, std::uint64_t content, std::uint32_t number) {
    window_.seek(offset);
    content_ = content;
    number_ = number;
    ended_ = false;
  }

  // Frame after frame, by their headers, up to the one that has byte `target` of the content, a damaged one, or the end.
  void go_over(std::uint64_t target) {
    while (content_ < target) {
      const std::uint64_t here = window_.offset(), content = content_;
      const std::uint32_t number = number_;
      bool whole = false;
      try {
        whole = next() && header_.content_size <= target - content_ &&
                window_.has(frame_codec::size + header_.payload_size).value_or(true);
        if (whole) whole = done();
      } catch (const trace_error&) {
        // It is thrown when it is read.
      }
      if (whole) continue;
      move_to(here, content, number);
      break;
    }
  }

  bool go_on() {
    const std::uint64_t from = at_;
    if (header_known_) {
      // The next one is where this one ends, and with it in a pipe's window.
      const std::size_t size = frame_codec::size + header_.payload_size;
      if (header_.payload_size <= most_payload) {
        window_.seek(from);
        const auto in = window_.look(size + frame_codec::size);
        if (in.size() >= size && (in.size() == size || is_header(in.subspan(size)))) {
          const bool follows = header_.number == number_ && header_.content_offset == content_;
          move_to(from + size, follows ? content_ + header_.content_size : content_,
                  follows ? number_ + 1 : number_);
          take_over(!follows);
          return true;
        }
      }
    }
    if (load_index()) {
      for (std::size_t i = 0; i != index_.size(); ++i)
        if (index_[i].offset > from) {
          move_to(index_[i].offset, index_[i].content_offset, static_cast<std::uint32_t>(i));
          return true;
        }
      if (index_at_ <= from) return false;
      move_to(index_at_, end_.content_size, static_cast<std::uint32_t>(index_.size()));
      return true;
    }
    try {
      if (!window_.seek(from + 1)) return false;
    } catch (const trace_error&) {
      return false;  // in a pipe, behind an index
    }
    // As bytes, until some are the header of a frame behind this one, or of the index.
    for (;;) {
      const auto in = window_.look(std::size_t{1} << 16);
      if (in.size() < 4) return false;
      std::size_t i = 0;
      while (i + 4 <= in.size() && !begins_with(in.subspan(i), frame_magic) &&
             !begins_with(in.subspan(i), index_magic))
        ++i;
      window_.consume(i);
      if (i + 4 > in.size()) {
        if (window_.look(4).size() < 4) return false;
        continue;
      }
      if (is_header(window_.look(frame_codec::size))) {
        take_over(true);
        return true;
      }
      window_.consume(1);
    }
  }

  static bool begins_with(std::span<const std::byte> in, std::string_view magic) {
    return in.size() >= magic.size() &&
           std::equal(magic.begin(), magic.end(), in.begin(),
                      [](char c, std::byte b) { return static_cast<std::byte>(c) == b; });
  }

  void read_front() {
    const auto in = window_.look(front_codec::size);
    front f{};
    const auto r = front_codec::decode(in, f);
    const auto fail = [this](trace_errc code, std::uint64_t offset, const std::string& why) {
      return trace_error(code, {name(), offset}, why);
    };
    if (!r) {
      window_.check_end();
      const std::size_t n = std::min(in.size(), magic.size());
      if (!begins_with(in, magic.substr(0, n)))
        throw fail(trace_errc::not_a_trace, 0, "does not begin as tracepack");
      if (r.error == wire::errc::truncated)
        throw fail(trace_errc::truncated, in.size(),
                   "the file ends inside its front, after " + std::to_string(in.size()) + " bytes");
      throw fail(trace_errc::corrupt, r.used, "the front's checksum differs");
    }
    if (f.major != major_version)
      throw fail(trace_errc::unsupported, 8,
                 "tracepack of version " + std::to_string(f.major) + "." + std::to_string(f.minor) +
                     ", this program reads version " + std::to_string(major_version));
    if (f.about_size > most_about)
      throw fail(trace_errc::bad_value, 12,
                 std::to_string(f.about_size) + " bytes of text, at most " +
                     std::to_string(most_about) + " are read");
    window_.consume(r.used);
    const auto text = window_.look(f.about_size);
    if (text.size() < f.about_size) {
      window_.check_end();
      throw fail(trace_errc::truncated, window_.offset() + text.size(),
                 "the file ends inside what it says of itself");
    }
    const auto bytes = text.first(f.about_size);
    if (crc_of(bytes) != f.about_crc)
      throw fail(trace_errc::corrupt, window_.offset(),
                 "the checksum of what the file says of itself differs");
    about_record a{};
    const auto decoded = about_codec::decode(bytes, a);
    if (!decoded)
      throw trace_error(trace_errc::bad_value,
                        {name(), window_.offset() + decoded.used, {}, std::string(decoded.field)},
                        std::string(message(decoded.error)));
    take(a);
    const auto bad = [this](trace_errc code, const char* field, const std::string& why) {
      return trace_error(code, {name(), window_.offset(), {}, field}, why);
    };
    if (a.kind > record_kind::bytes)
      throw bad(trace_errc::unsupported, "kind",
                "records of kind " + std::to_string(static_cast<unsigned>(a.kind)) +
                    ", which this program does not know");
    if (const std::uint16_t size = a.kind == record_kind::champsim     ? 64
                                   : a.kind == record_kind::cloudsuite ? 96
                                                                       : a.record_size;
        size != a.record_size)
      throw bad(trace_errc::bad_value, "record_size",
                "records of " + std::to_string(a.record_size) + " bytes, of this kind they have " +
                    std::to_string(size));
    if (about_.shape.size == 0 || about_.shape.size > most_record)
      throw bad(trace_errc::bad_value, "record_size",
                "records of " + std::to_string(about_.shape.size) + " bytes, 1 to " +
                    std::to_string(most_record) + " are read");
    window_.consume(f.about_size);
    first_frame_ = window_.offset();
  }
  void take(const about_record& a) {
    const auto text = [](const text_view& v) {
      return std::string(reinterpret_cast<const char*>(v.bytes().data()), v.size());
    };
    about_.kind = a.kind;
    about_.properties = a.properties & (has_classes | has_lengths | has_code);
    about_.processor = static_cast<processor>(a.properties >> processor_bit);
    about_.frame_records = a.frame_records;
    about_.shape.size = a.record_size;
    about_.shape.ip = a.ip_offset;
    for (const std::uint16_t s : a.slots) about_.shape.slots.push_back(s);
    for (const std::uint16_t b : a.bases) about_.shape.bases.push_back(b);
    about_.table = text(a.table);
    about_.program = text(a.program);
    about_.arguments = text(a.arguments);
    about_.recorder = text(a.recorder);
    about_.machine = text(a.machine);
    about_.date = text(a.date);
    about_.region = text(a.region);
    about_.comment = text(a.comment);
  }

  void check_header() const {
    const frame_header& h = header_;
    const std::uint32_t size = about_.shape.size;
    const auto fail = [this](const std::string& why) { return error(trace_errc::bad_value, why); };
    if (h.kind > frame_kind::high)
      throw error(trace_errc::unsupported, "is of kind " +
                                               std::to_string(static_cast<unsigned>(h.kind)) +
                                               ", which this program does not know");
    if (h.payload_size > most_payload)
      throw fail("has " + std::to_string(h.payload_size) + " bytes, at most " +
                 std::to_string(most_payload) + " are read");
    if (h.kind == frame_kind::stored) {
      if (h.content_size == 0 || h.content_size > most_stored)
        throw fail("stores " + std::to_string(h.content_size) + " bytes, 1 to " +
                   std::to_string(most_stored) + " are read");
    } else {
      if (about_.kind == record_kind::bytes || !modelled(about_.shape))
        throw fail("is modelled, but the records' layout is not");
      if (h.content_size == 0 || h.content_size % size != 0 || h.content_size / size > most_records)
        throw fail("has " + std::to_string(h.content_size) + " bytes of records");
    }
    if (h.base > h.number) throw fail("goes on with the later frame " + std::to_string(h.base));
    if (h.number != number_) throw fail("expected frame " + std::to_string(number_));
    if (h.content_offset != content_ || content_ % size != 0)
      throw fail("begins at byte " + std::to_string(h.content_offset) +
                 " of the content, expected " + std::to_string(content_));
    if (h.content_size > ~std::uint64_t{0} - h.content_offset) throw fail("ends behind byte 2^64");
  }
  [[noreturn]] void refuse_header(std::span<const std::byte> in, const wire::result& r) {
    window_.check_end();
    if (r.error == wire::errc::truncated)
      throw error(trace_errc::truncated, in.empty() ? std::string("the file ends before its index")
                                                    : "the file ends inside its header, after " +
                                                          std::to_string(in.size()) + " bytes");
    throw error(trace_errc::corrupt,
                r.field == "magic" ? "is no frame" : "the checksum of its header differs");
  }

  // At the index: it and the end must say what was found.
  void read_end() {
    const std::uint64_t at = window_.offset();
    const auto fail = [&](trace_errc code, const std::string& why) {
      return trace_error(code, {name(), at}, "index: " + why);
    };
    index_header h{};
    const auto in = window_.look(index_codec::size);
    if (in.size() < index_codec::size) {
      window_.check_end();
      throw fail(trace_errc::truncated, "the file ends inside it");
    }
    if (!index_codec::decode(in, h))
      throw fail(trace_errc::corrupt, "its header's checksum differs");
    window_.consume(index_codec::size);
    io::crc32c sum;
    for (std::uint64_t left = std::uint64_t{h.frames} * entry_codec::size; left != 0;) {
      const auto entries = window_.look(1);
      if (entries.empty()) {
        window_.check_end();
        throw fail(trace_errc::truncated, "the file ends inside it");
      }
      const auto n = static_cast<std::size_t>(std::min<std::uint64_t>(left, entries.size()));
      sum.update(entries.first(n));
      window_.consume(n);
      left -= n;
    }
    if (sum.value() != h.entries_crc) throw fail(trace_errc::corrupt, "its checksum differs");
    end_of_file e{};
    const auto last = window_.look(end_codec::size + 1);
    if (last.size() < end_codec::size) {
      window_.check_end();
      throw fail(trace_errc::truncated, "the file ends behind it");
    }
    if (!end_codec::decode(last, e))
      throw fail(trace_errc::corrupt, "the checksum behind it differs");
    if (last.size() > end_codec::size)
      throw fail(trace_errc::bad_value, "bytes follow the file's end");
    if (some_lost_ && e.frames == h.frames && e.frames >= number_ && e.content_size >= content_) {
      number_ = h.frames;
      content_ = e.content_size;
    }
    if (e.index_offset != at || e.frames != h.frames || h.frames != number_ ||
        e.content_size != content_ || e.records != content_ / about_.shape.size)
      throw fail(trace_errc::bad_value, "says " + std::to_string(e.frames) + " frames with " +
                                            std::to_string(e.content_size) +
                                            " bytes of records, found " + std::to_string(number_) +
                                            " with " + std::to_string(content_));
    if (seen_ == h.frames && seen_entries_.value() != h.entries_crc)
      throw fail(trace_errc::bad_value, "its entries are not those of the frames");
    window_.check_end();
    ended_ = true;
  }

  // What the index must have, if all frames are read one after the other.
  void see() {
    if (header_.number != seen_) return;
    ++seen_;
    std::array<std::byte, entry_codec::size> entry{};
    entry_codec::store({at_, header_.content_offset, header_.base, header_.payload_crc},
                       entry.data());
    seen_entries_.update(entry);
  }

  // Reads the index from the file's end, once; false if there is none that is sound.
  bool load_index() {
    if (index_loaded_) return index_sound_;
    index_loaded_ = true;
    const io::input& from = window_.from();
    const auto size = from.size();
    if (from.compression() != io::codec::none || !from.rewindable() || !size) return false;
    const std::uint64_t here = window_.offset();
    index_sound_ = try_index(*size);
    if (!index_sound_) index_.clear();
    window_.seek(here);
    return index_sound_;
  }
  bool try_index(std::uint64_t size) {
    if (size < first_frame_ + index_codec::size + end_codec::size ||
        !window_.seek(size - end_codec::size))
      return false;
    if (!end_codec::decode(window_.look(end_codec::size), end_)) return false;
    const std::uint64_t entries = size - end_codec::size - index_codec::size - first_frame_;
    if (end_.frames > entries / entry_codec::size ||
        end_.index_offset !=
            size - end_codec::size - index_codec::size - end_.frames * entry_codec::size)
      return false;
    if (!window_.seek(end_.index_offset)) return false;
    index_header h{};
    if (!index_codec::decode(window_.look(index_codec::size), h) || h.frames != end_.frames)
      return false;
    window_.consume(index_codec::size);
    const auto bytes = window_.look(static_cast<std::size_t>(end_.frames * entry_codec::size));
    if (bytes.size() < end_.frames * entry_codec::size) return false;
    const auto all = bytes.first(static_cast<std::size_t>(end_.frames * entry_codec::size));
    if (crc_of(all) != h.entries_crc) return false;
    index_.resize(static_cast<std::size_t>(end_.frames));
    std::uint64_t at = first_frame_, content = 0;
    for (std::size_t i = 0; i != index_.size(); ++i) {
      index_entry& e = index_[i];
      e = entry_codec::load(all.data() + i * entry_codec::size);
      const bool first = i == 0;
      if (e.base > i ||
          (first ? e.offset != at || e.content_offset != 0
                 : e.offset <= at || e.content_offset <= content) ||
          e.offset >= end_.index_offset || e.content_offset % about_.shape.size != 0)
        return false;
      at = e.offset;
      content = e.content_offset;
    }
    index_at_ = end_.index_offset;
    return (index_.empty() ? end_.content_size == 0 : end_.content_size > content) &&
           end_.records == end_.content_size / about_.shape.size;
  }

  // Where frames lie, as far as they were read: for those that others go on with.
  void remember() {
    if (header_.base != header_.number || header_.kind == frame_kind::stored || index_sound_)
      return;
    if (bases_.empty() || bases_.back().first < header_.number)
      bases_.push_back(
          {header_.number, {at_, header_.content_offset, header_.base, header_.payload_crc}});
  }
  const index_entry* find(std::uint32_t number) {
    if (load_index()) return number < index_.size() ? &index_[number] : nullptr;
    const auto at =
        std::lower_bound(bases_.begin(), bases_.end(), number,
                         [](const auto& base, std::uint32_t n) { return base.first < n; });
    return at != bases_.end() && at->first == number ? &at->second : nullptr;
  }

  // Whether these bytes are the header of a later frame, or of the index.
  [[nodiscard]] bool is_header(std::span<const std::byte> in) const {
    frame_header h{};
    index_header x{};
    if (frame_codec::decode(in, h)) return h.number >= number_ && h.content_offset >= content_;
    return static_cast<bool>(index_codec::decode(in, x));
  }
  // After damage: what the next header says is taken as it is. `unknown`: the index may say more than was found.
  void take_over(bool unknown) {
    some_lost_ = unknown;
    frame_header h{};
    if (!frame_codec::decode(window_.look(frame_codec::size), h)) return;
    number_ = h.number;
    content_ = h.content_offset;
  }

  io::window window_;
  tracepack::about about_ = {};
  std::uint64_t first_frame_ = 0;
  std::uint64_t at_ = 0;       // of header_ in the file
  std::uint64_t content_ = 0;  // bytes of content before the next frame
  std::uint32_t number_ = 0;   // of the next frame
  frame_header header_ = {};
  bool header_known_ = false;
  bool ended_ = false;      // the index and the end were read
  bool some_lost_ = false;  // how much is not known
  std::uint32_t seen_ = 0;  // frames from the first one on without a gap
  io::crc32c seen_entries_ = {};
  bool index_loaded_ = false, index_sound_ = false;
  std::uint64_t index_at_ = 0;
  end_of_file end_ = {};
  std::vector<index_entry> index_ = {};
  std::vector<std::pair<std::uint32_t, index_entry>> bases_ = {};  // without an index
};

}  // namespace tracecodec::tracepack::detail
