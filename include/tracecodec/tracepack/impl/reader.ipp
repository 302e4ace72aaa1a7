#pragma once
#include "../reader.hpp"

#include <algorithm>
#include <array>
#include <exception>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "../../io/error.hpp"
#include "../../io/window.hpp"
#include "ahead_decoder.hpp"
#include "frame_ahead.hpp"
#include "frame_file.hpp"
#include "frames_ahead.hpp"
#include "model/decoder.hpp"
#include "model_frame.hpp"
#include "recovery.hpp"

namespace tracecodec::tracepack {

class reader::reading {
 public:
  reading(io::input in, reader_options o)
      : frames_(std::move(in)), options_(std::move(o)), model_(frames_.about()) {
    size_ = frames_.about().shape.size;
  }
  reading(const reading&) = delete;
  reading& operator=(const reading&) = delete;
  ~reading() {
    // In a child process after a fork, the threads do not exist. Leak `ahead_`, because it cannot
    // be destroyed without the threads.
    if (ahead_ != nullptr && !ahead_->home().is_here()) static_cast<void>(ahead_.release());
  }

  [[nodiscard]] detail::frame_file& file() noexcept { return frames_; }
  [[nodiscard]] const detail::frame_file& file() const noexcept { return frames_; }
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  [[nodiscard]] std::uint32_t frame() const noexcept { return frame_; }
  [[nodiscard]] std::size_t static_count() const noexcept {
    return stored_ ? 0 : dictionary().statics().size();
  }
  [[nodiscard]] const detail::dictionary& dictionary() const noexcept {
    return here_ != nullptr ? here_->all() : model_.all();
  }

  [[nodiscard]] bool lenient() const { return static_cast<bool>(options_.lost); }
  [[nodiscard]] unsigned threads() const noexcept { return options_.threads; }
  void want(bool statics, marker mark) {
    options_.statics = statics;
    options_.mark = std::move(mark);
  }

  batch next() {
    require_threads();
    if (held_at_ == held_.size() && !fill()) return {};
    const batch b = from_held(held_.size() - held_at_);
    position_ += b.bytes.size();
    held_at_ = held_.size();
    return b;
  }

  batch next(std::span<std::byte> to) {
    require_threads();
    if (held_at_ == held_.size() && decoder_ != nullptr) {
      if (const std::size_t n = decode_with_details(to); n != 0) {
        position_ += n;
        batch b = batch_of(0, n / size_);
        b.bytes = to.first(n);
        return b;
      }
    }
    if (held_at_ == held_.size() && !fill()) return {};
    const std::size_t n = std::min(held_.size() - held_at_, to.size() / size_ * size_);
    batch b = from_held(n);
    std::copy(b.bytes.begin(), b.bytes.end(), to.begin());
    b.bytes = to.first(n);
    held_at_ += n;
    position_ += n;
    return b;
  }

  std::size_t read(std::span<std::byte> to) {
    require_threads();
    std::size_t done = 0;
    while (done != to.size()) {
      if (held_at_ != held_.size()) {
        const std::size_t n = std::min(to.size() - done, held_.size() - held_at_);
        std::copy_n(held_.begin() + static_cast<std::ptrdiff_t>(held_at_), n,
                    to.begin() + static_cast<std::ptrdiff_t>(done));
        held_at_ += n;
        position_ += n;
        done += n;
        continue;
      }
      // Decode directly into `to` if there is enough space.
      if (decoder_ != nullptr && to.size() - done >= 2 * most_in_unit * size_) {
        if (const std::size_t n = decode(to.subspan(done), {}); n != 0) {
          position_ += n;
          done += n;
          continue;
        }
      }
      // If the rest of `to` is too small for direct decoding, decode only a few records.
      const std::size_t most = done != 0 ? 2 * most_in_unit : all_of_batch;
      if (done != 0 ? !more_without_error(most) : !fill(most)) break;
    }
    return done;
  }

  std::uint64_t skip(std::uint64_t n) {
    require_threads();
    const std::uint64_t from = position_;
    const std::uint64_t target = n > ~std::uint64_t{0} - from ? ~std::uint64_t{0} : from + n;
    while (position_ < target) {
      if (held_at_ != held_.size()) {
        const auto step = static_cast<std::size_t>(
            std::min<std::uint64_t>(target - position_, held_.size() - held_at_));
        held_at_ += step;
        position_ += step;
        continue;
      }
      if (failure_ || (damage_ && !options_.lost)) break;
      // If the target is after the current frame, skip the rest of the current frame, and all other
      // frames before the target, without decoding.
      if (!damage_ && (decoder_ == nullptr || target >= next_content())) {
        decoder_.reset();
        while (any_ahead() && content_end(ahead_->front()) <= target) ahead_->leave_out();
        if (!any_ahead() && frames_.content() < target) {
          frames_.skip(target - frames_.content());
          stopped_ = false;
        }
        position_ = next_content();
        if (position_ >= target) break;
      }
      if (!more_without_error()) break;
    }
    return std::min(position_, target) - from;
  }

  void rewind() {
    require_threads();
    frames_.rewind();
    forget();
    position_ = reloaded_ = 0;
  }

 private:
  static constexpr std::size_t all_of_batch = ~std::size_t{0};
  // Limits for loading dictionaries again. Reloading is necessary if frames alternate between
  // dictionaries, or if skip() has skipped the frames that contain dictionaries. The limit is
  // most_reloaded bytes, plus reloaded_by_byte bytes for each byte of the file up to the current
  // frame. A regular writer does not exceed this limit, because its frames always extend the latest
  // dictionary.
  static constexpr std::uint64_t most_reloaded = std::uint64_t{1} << 28, reloaded_by_byte = 64;

  void require_threads() const {
    if (ahead_ != nullptr) ahead_->home().require(frames_.name());
  }
  void forget() {
    held_ = {};
    held_has_details_ = false;
    held_at_ = 0;
    decoder_.reset();
    leave_here();
    if (ahead_ != nullptr) ahead_->drop();
    base_.reset();
    stopped_ = false;
    failure_ = nullptr;
    damage_.reset();
  }

  // Stores the next records in held_, but at most `most` records of a model frame. Returns false at
  // the end.
  bool fill(std::size_t most = all_of_batch) {
    held_ = {};
    held_has_details_ = false;
    held_at_ = 0;
    for (;;) {
      if (failure_) std::rethrow_exception(failure_);
      if (damage_) {
        const trace_error e = *std::exchange(damage_, std::nullopt);
        if (!options_.lost) fail(std::make_exception_ptr(e));
        const std::uint64_t first = std::exchange(position_, frames_.content());
        options_.lost({e, first / size_, position_ / size_});
      }
      if (decoder_ != nullptr) {
        most = std::min(most, detail::model_decoder::most(size_));
        const auto available = buffer_for(most * size_);
        const std::size_t n = decode_with_details(available);
        held_ = available.first(n);
        held_has_details_ = true;
        if (n != 0) return true;
        continue;
      }
      try {
        if (!begin_frame()) return false;
      } catch (const trace_error& e) {
        held_ = {};
        if (!options_.lost) fail(std::current_exception());
        damage_ = detail::recover(frames_, e);
        if (!damage_) fail(std::current_exception());
      }
      if (!held_.empty()) return true;
    }
  }
  // Stores the error `e` and throws it. Later calls of the reader throw it again.
  [[noreturn]] void fail(std::exception_ptr e) {
    failure_ = std::move(e);
    std::rethrow_exception(failure_);
  }
  std::span<std::byte> buffer_for(std::size_t size) {
    if (buffer_.size() < size) buffer_.resize(size);
    return std::span(buffer_).first(size);
  }
  // Works like fill(), but returns false if an error occurs. The caller can then return the records
  // that have already been read, and the next call to the reader throws the error.
  [[nodiscard]] bool more_without_error(std::size_t most = all_of_batch) {
    try {
      return fill(most);
    } catch (const trace_error&) {
      failure_ = std::current_exception();
      return false;
    }
  }

  // Decodes records, and stores their statics and marks if they are requested.
  std::size_t decode_with_details(std::span<std::byte> to) {
    detail::model_decoder::details more;
    const std::size_t most =
        std::min(detail::model_decoder::most(size_), to.size() / size_) + most_in_unit;
    if (options_.statics) {
      if (statics_.size() < most) statics_.resize(most);
      more.statics = statics_.data();
    }
    if (options_.mark && !member_marks_.empty()) {
      if (marks_.size() < most) marks_.resize(most);
      more.member_marks = member_marks_.data();
      more.marks = marks_.data();
    }
    return decode(to, more);
  }
  // Returns the statics and marks of `n` records, starting with record number `first`.
  [[nodiscard]] batch batch_of(std::size_t first, std::size_t n) const {
    batch b;
    if (options_.statics) b.statics = std::span<const std::uint32_t>(statics_).subspan(first, n);
    if (options_.mark && !member_marks_.empty())
      b.marks = std::span<const std::uint8_t>(marks_).subspan(first, n);
    return b;
  }
  [[nodiscard]] batch from_held(std::size_t size) const {
    batch b;
    if (held_has_details_ && held_at_ % size_ == 0) b = batch_of(held_at_ / size_, size / size_);
    b.bytes = held_.subspan(held_at_, size);
    return b;
  }
  // Computes a mark for each member of the dictionary's units, in the form that the decoder needs.
  void mark_members() {
    member_marks_.clear();
    if (!options_.mark) return;
    const detail::dictionary& d = dictionary();
    std::vector<std::uint8_t> marks(d.statics().size());
    std::vector<std::byte> record(size_);
    for (std::size_t i = 0; i != marks.size(); ++i) {
      d.make_record(i, record.data());
      marks[i] = options_.mark(record, d.property_of(i));
    }
    member_marks_.reserve(d.members().size() + 8);
    for (const std::uint32_t m : d.members()) member_marks_.push_back(marks[m]);
    member_marks_.resize(member_marks_.size() + 8);
  }

  // Decodes records. Returns 0 at the end of the frame, or if the frame is damaged.
  std::size_t decode(std::span<std::byte> to, const detail::model_decoder::details& more) {
    const std::size_t n = decoder_->left() != 0 ? decoder_->next(to, more) : 0;
    if (n == 0 || !decoder_->sound()) {
      back_to_here();
      damage_ = frames_.error(trace_errc::corrupt, "its streams are inconsistent");
      decoder_.reset();
      return 0;
    }
    if (decoder_->left() == 0) {
      if (decoder_->digest() !=
          (here_ != nullptr ? here_->of().header : frames_.current()).digest) {
        back_to_here();
        damage_ =
            frames_.error(trace_errc::corrupt, "its decoded records do not match its checksum");
      }
      decoder_.reset();
    }
    return n * size_;
  }

  void leave_here() {
    here_ = nullptr;
    if (ahead_ != nullptr) ahead_->give_back();
  }
  // Begins the next frame. Returns false at the end.
  bool begin_frame() {
    leave_here();
    if (options_.threads > 1 && frames_.from().rewindable() && begin_ahead()) return true;
    stopped_ = false;
    if (!frames_.next()) {
      position_ = frames_.content();
      return false;
    }
    frame_ = frames_.number();
    const frame_header& h = frames_.current();
    const auto payload = frames_.payload();
    stored_ = h.kind == frame_kind::stored;
    if (stored_) {
      const auto available = buffer_for(h.content_size);
      if (!model_.unpack_stored(payload, available))
        throw frames_.error(trace_errc::corrupt, "its content cannot be decompressed");
      held_ = available;
      frames_.done();
      position_ = h.content_offset;
      return true;
    }
    if (h.base != h.number && !model_.knows(h.base)) {
      load_base(h.base);
      load(frames_.payload());
    } else {
      load(payload);
    }
    mark_members();
    decoder_ = model_.decoder();
    frames_.done();
    position_ = h.content_offset;
    return true;
  }

  // Begins the next frame if it was decoded in advance, or if decoding in advance can begin now.
  // Returns false in all irregular cases, which begin_frame() handles.
  bool begin_ahead() {
    if (ahead_ == nullptr)
      ahead_ = std::make_unique<detail::frames_ahead>(frames_.about(), options_.threads);
    while (!stopped_ && !ahead_->full()) stopped_ = !look_ahead();
    if (ahead_->empty()) return false;
    if (!ahead_->front().loaded()) {
      back_to_here();
      return false;
    }
    here_ = &ahead_->take();
    const frame_header& h = here_->of().header;
    frame_ = h.number;
    position_ = h.content_offset;
    stored_ = h.kind == frame_kind::stored;
    if (stored_) {
      held_ = here_->stored();
      return true;
    }
    mark_members();
    if (here_->here())
      decoder_ = here_->decoder();
    else
      decoder_ = std::make_unique<detail::ahead_decoder>(*here_, h.content_size / size_);
    return true;
  }
  // Adds a frame that will be decoded in advance. At the end of the file, or if the frame is
  // irregular, returns false and restores the position before the frame.
  bool look_ahead() {
    detail::frame_ahead::order o{.before = frames_.now()};
    try {
      if (frames_.next()) {
        const frame_header& h = frames_.current();
        if (h.kind != frame_kind::stored) o.base = base_of(h);
        const auto payload = frames_.payload();
        o.header = h;
        o.payload.assign(payload.begin(), payload.end());
        frames_.done();
        const auto base = o.base;
        ahead_->add(std::move(o));
        if (base != nullptr) base_ = base;
        return true;
      }
    } catch (...) {
    }
    frames_.go_back(o.before);
    return false;
  }
  std::shared_ptr<detail::shared_base> base_of(const frame_header& h) {
    if (h.base == h.number)
      return std::make_shared<detail::shared_base>(detail::shared_base{.number = h.base});
    if (base_ != nullptr && base_->number == h.base) return base_;
    if (!model_.knows(h.base)) load_base(h.base);
    auto base = std::make_shared<detail::shared_base>(detail::shared_base{.number = h.base});
    base->found = std::make_shared<const detail::dictionary>(model_.base_alone());
    base->known = true;
    return base;
  }
  // Discards the frames that were read in advance, and moves back to the first of these frames.
  void back_to_here() {
    if (!any_ahead()) return;
    frames_.go_back(ahead_->front().of().before);
    ahead_->drop();
    base_.reset();
    stopped_ = false;
  }
  [[nodiscard]] bool any_ahead() const noexcept { return ahead_ != nullptr && !ahead_->empty(); }
  static std::uint64_t content_end(const detail::frame_ahead& f) noexcept {
    return f.of().header.content_offset + f.of().header.content_size;
  }
  // Returns the number of bytes of content before the next frame.
  [[nodiscard]] std::uint64_t next_content() const {
    return any_ahead() ? ahead_->front().of().before.found.content : frames_.content();
  }

  // Loads the frame's streams and dictionary.
  void load(std::span<const std::byte> payload) {
    try {
      model_.load(frames_.current(), payload);
    } catch (const trace_error& e) {
      throw frames_.error(e.code(), e.message());
    }
  }
  void load_base(std::uint32_t base) {
    const auto here = frames_.now();
    std::string why;
    try {
      if (reloaded_ > most_reloaded + reloaded_by_byte * here.offset)
        throw trace_error(trace_errc::refused, {},
                          "too many frames had to be read again for their dictionaries");
      frames_.go_to_base(base);
      reloaded_ += frames_.current().payload_size;
      load(frames_.payload());
      reloaded_ += model_.holds();
    } catch (const trace_error& e) {
      why = e.message();
      // Remove the number of lost records, which applies only to the base frame.
      why.resize(std::min(why.find(detail::loss), why.size()));
    }
    frames_.go_back(here);
    if (!why.empty())
      throw frames_.error(trace_errc::corrupt, "the dictionary that it continues is lost: " + why);
  }

  detail::frame_file frames_;
  reader_options options_;
  std::size_t size_ = 1;  // size of a record in bytes
  detail::model_frame model_;
  // Frames that are decoded in advance. The position of frames_ is after the last of these frames.
  std::unique_ptr<detail::frames_ahead> ahead_ = {};
  std::shared_ptr<detail::shared_base> base_ = {};  // base of the last frame in ahead_
  bool stopped_ = false;                            // true if no more frames can be added to ahead_
  detail::frame_ahead* here_ = nullptr;             // frame of the last batch
  std::unique_ptr<detail::model_decoder> decoder_ = {};
  std::vector<std::byte> buffer_ = {};    // storage of held_; never shrinks
  std::span<const std::byte> held_ = {};  // decoded records, returned up to byte held_at_
  bool held_has_details_ =
      false;  // true if held_ is from a model frame, so that statics_ and marks_ belong to it
  std::vector<std::uint32_t> statics_ = {};
  std::vector<std::uint8_t> marks_ = {}, member_marks_ = {};
  std::size_t held_at_ = 0;
  std::uint64_t position_ = 0;
  std::uint64_t reloaded_ = 0;  // number of bytes used to load dictionaries again
  std::uint32_t frame_ = 0;
  bool stored_ = false;                     // true if the current frame is stored
  std::optional<trace_error> damage_ = {};  // damage of a frame, reported after the frame's records
  std::exception_ptr failure_ = {};         // final error, which every call throws
};

TRACECODEC_FUNC reader::reader(io::input in, reader_options options)
    : reading_(std::make_unique<reading>(std::move(in), std::move(options))) {}
TRACECODEC_FUNC reader::reader(reader&& other) noexcept = default;
TRACECODEC_FUNC reader& reader::operator=(reader&& other) noexcept = default;
TRACECODEC_FUNC reader::~reader() = default;

TRACECODEC_FUNC const about& reader::about() const { return reading_->file().about(); }
TRACECODEC_FUNC const std::string& reader::name() const { return reading_->file().name(); }
TRACECODEC_FUNC const io::input& reader::from() const { return reading_->file().from(); }
TRACECODEC_FUNC bool reader::lenient() const { return reading_->lenient(); }
TRACECODEC_FUNC unsigned reader::threads() const { return reading_->threads(); }
TRACECODEC_FUNC void reader::want(bool statics, marker mark) {
  reading_->want(statics, std::move(mark));
}
TRACECODEC_FUNC batch reader::next() { return reading_->next(); }
TRACECODEC_FUNC batch reader::next(std::span<std::byte> to) { return reading_->next(to); }
TRACECODEC_FUNC std::size_t reader::read(std::span<std::byte> to) { return reading_->read(to); }
TRACECODEC_FUNC std::uint64_t reader::position() const { return reading_->position(); }
TRACECODEC_FUNC std::uint64_t reader::skip(std::uint64_t n) { return reading_->skip(n); }
TRACECODEC_FUNC std::uint64_t reader::entry_before(std::uint64_t content) {
  const detail::file_index* const index = reading_->file().index();
  return index != nullptr ? index->with(content).content : 0;
}
TRACECODEC_FUNC void reader::rewind() { reading_->rewind(); }
TRACECODEC_FUNC std::uint64_t reader::content_size() { return reading_->file().content_size(); }
TRACECODEC_FUNC std::uint64_t reader::frame_count() { return reading_->file().frame_count(); }
TRACECODEC_FUNC std::optional<bool> reader::has_index() { return reading_->file().has_index(); }
TRACECODEC_FUNC std::optional<double> reader::progress() const {
  return reading_->file().progress();
}
TRACECODEC_FUNC std::uint32_t reader::frame() const { return reading_->frame(); }
TRACECODEC_FUNC std::size_t reader::static_count() const { return reading_->static_count(); }
TRACECODEC_FUNC void reader::static_record(std::size_t number, std::span<std::byte> to) const {
  reading_->dictionary().make_record(number, to.data());
}
TRACECODEC_FUNC property reader::static_property(std::size_t number) const {
  return reading_->dictionary().property_of(number);
}

}  // namespace tracecodec::tracepack
