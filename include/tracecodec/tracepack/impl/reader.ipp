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
#include "../../io/zstd_block.hpp"
#include "frames.hpp"
#include "model/decoder.hpp"
#include "model/dictionary_streams.hpp"

namespace tracecodec::tracepack {

class reader::reading {
 public:
  reading(io::input in, reader_options o)
      : frames_(std::move(in)), options_(std::move(o)), dictionary_(dictionary_of(frames_.about())) {
    size_ = frames_.about().shape.size;
  }

  [[nodiscard]] detail::frame_file& file() noexcept { return frames_; }
  [[nodiscard]] const detail::frame_file& file() const noexcept { return frames_; }
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }
  [[nodiscard]] std::uint32_t frame() const noexcept { return frame_; }
  [[nodiscard]] const detail::dictionary& dictionary() const noexcept { return dictionary_; }

  void want_statics(bool wanted) { options_.statics = wanted; }

  batch next() {
    if (held_at_ == held_.size() && !fill()) return {};
    batch b{std::span<const std::byte>(held_).subspan(held_at_), {}};
    if (!statics_.empty()) b.statics = std::span<const std::uint32_t>(statics_).subspan(held_at_ / size_);
    position_ += b.bytes.size();
    held_at_ = held_.size();
    return b;
  }

  batch next(std::span<std::byte> to) {
    if (held_at_ == held_.size() && decoder_ != nullptr) {
      if (options_.statics) statics_.resize(detail::model_decoder::most(size_));
      if (const std::size_t n = decode(to, options_.statics ? statics_.data() : nullptr); n != 0) {
        position_ += n;
        return {to.first(n), std::span<const std::uint32_t>(statics_).first(options_.statics ? n / size_ : 0)};
      }
    }
    if (held_at_ == held_.size() && !fill()) return {};
    const std::size_t n = std::min(held_.size() - held_at_, to.size() / size_ * size_);
    const batch b{to.first(n), statics_.empty() ? std::span<const std::uint32_t>()
                                                : std::span<const std::uint32_t>(statics_).subspan(
                                                      held_at_ / size_, n / size_)};
    std::copy_n(held_.begin() + static_cast<std::ptrdiff_t>(held_at_), n, to.begin());
    held_at_ += n;
    position_ += n;
    return b;
  }

  std::size_t read(std::span<std::byte> to) {
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
      // In place, if there is room.
      if (decoder_ != nullptr && to.size() - done >= 2 * most_in_unit * size_) {
        if (const std::size_t n = decode(to.subspan(done), nullptr); n != 0) {
          position_ += n;
          done += n;
          continue;
        }
      }
      if (done != 0 ? !more_without_error() : !fill()) break;
    }
    return done;
  }

  std::uint64_t skip(std::uint64_t n) {
    std::uint64_t done = 0;
    while (done != n) {
      if (held_at_ == held_.size() && decoder_ == nullptr) {
        const std::uint64_t over = failure_ ? 0 : skip_frames(n - done);
        done += over;
        position_ += over;
        if (done == n) break;
      }
      if (held_at_ == held_.size()) {
        if (failure_) break;
        try {
          if (!fill()) break;
        } catch (const trace_error&) {
          failure_ = std::current_exception();
          break;
        }
      }
      const std::uint64_t step = std::min<std::uint64_t>(n - done, held_.size() - held_at_);
      held_at_ += static_cast<std::size_t>(step);
      position_ += step;
      done += step;
    }
    return done;
  }

  void rewind() {
    frames_.rewind();
    forget();
    position_ = 0;
  }

 private:
  static detail::dictionary dictionary_of(const tracepack::about& a) {
    return detail::dictionary(a.kind != record_kind::bytes && modelled(a.shape) ? a.shape : shape{}, a.properties);
  }

  void forget() {
    held_.clear();
    statics_.clear();
    held_at_ = 0;
    decoder_.reset();
    failure_ = nullptr;
  }

  // The next records into held_; false at the end.
  bool fill() {
    held_.clear();
    statics_.clear();
    held_at_ = 0;
    for (;;) {
      if (failure_) {
        if (!options_.lost) std::rethrow_exception(failure_);
        tell_lost();
      }
      if (decoder_ != nullptr) {
        const std::size_t most = detail::model_decoder::most(size_);
        held_.resize(most * size_);
        if (options_.statics) statics_.resize(most);
        const std::size_t n = decode(held_, options_.statics ? statics_.data() : nullptr);
        held_.resize(n);
        if (options_.statics) statics_.resize(n / size_);
        if (n != 0) return true;
        if (failure_) continue;
      }
      try {
        if (!begin_frame()) return false;
      } catch (const trace_error& e) {
        held_.clear();
        if (!options_.lost || !frames_.recover()) {
          if (!options_.lost) failure_ = std::current_exception();
          throw;
        }
        options_.lost(e);
      }
      if (!held_.empty()) return true;
    }
  }
  void tell_lost() {
    try {
      std::rethrow_exception(std::exchange(failure_, nullptr));
    } catch (const trace_error& e) {
      options_.lost(e);
    }
  }
  // Before read() returns what it has: whether more can be had.
  [[nodiscard]] bool more_without_error() {
    if (failure_) return false;
    try {
      return fill();
    } catch (const trace_error&) {
      failure_ = std::current_exception();
      return false;
    }
  }

  std::size_t decode(std::span<std::byte> to, std::uint32_t* statics) {
    if (decoder_->left() != 0) {
      const std::size_t n = decoder_->next(to, statics);
      if (n == 0) {
        decoder_.reset();
        throw_later("its streams lead nowhere");
      }
      if (decoder_ != nullptr && decoder_->left() == 0) end_frame();
      return n * size_;
    }
    decoder_.reset();
    return 0;
  }
  void end_frame() {
    const bool good = decoder_->sound() && decoder_->digest() == frames_.current().digest;
    decoder_.reset();
    if (!good) throw_later("what was decoded of it is not what was written");
  }
  void throw_later(const std::string& why) {
    failure_ = std::make_exception_ptr(frames_.error(trace_errc::corrupt, why));
  }

  // Reads the next frame's header and payload; false at the end.
  bool begin_frame() {
    if (!frames_.next()) return false;
    frame_ = frames_.number();
    const frame_header& h = frames_.current();
    const auto payload = frames_.payload();
    if (h.kind == frame_kind::stored) {
      held_.resize(h.content_size);
      if (!unpacker_.unpack(payload, held_)) {
        held_.clear();
        throw frames_.error(trace_errc::corrupt, "its content cannot be decompressed");
      }
      frames_.done();
      return true;
    }
    const detail::streams_by_number streams = load(payload, h);
    const std::size_t records = h.content_size / size_;
    if (h.kind == frame_kind::high)
      decoder_.reset(new detail::model_decoder_of<detail::high_level>(dictionary_, base_units_, streams, records));
    else
      decoder_.reset(new detail::model_decoder_of<detail::fast_level>(dictionary_, base_units_, streams, records));
    frames_.done();
    return true;
  }

  // The frame's streams, its dictionary read.
  detail::streams_by_number load(std::span<const std::byte> payload, const frame_header& h) {
    const std::uint32_t number = frames_.number();
    if (h.base == number) {
      dictionary_.shrink({});
      base_.reset();
    } else if (base_ && *base_ == h.base) {
      dictionary_.shrink(base_size_);
    } else {
      load_base(h.base);
      return load(frames_.payload(), frames_.current());
    }
    base_units_ = dictionary_.units().size();
    const detail::streams_by_number streams = unpack(payload);
    read_dictionary(streams);
    if (h.base == number) {
      base_ = number;
      base_size_ = dictionary_.size();
      base_units_ = 0;
    }
    return streams;
  }
  void load_base(std::uint32_t base) {
    const auto here = frames_.place();
    dictionary_.shrink({});
    base_.reset();
    std::string why;
    try {
      frames_.go_to_base(base);
      read_dictionary(unpack(frames_.payload()));
    } catch (const trace_error& e) {
      why = e.message();
    }
    frames_.go_back(here);
    if (!why.empty())
      throw frames_.error(trace_errc::corrupt, "the dictionary that it goes on with is lost: " + why);
    base_ = base;
    base_size_ = dictionary_.size();
  }
  void read_dictionary(const detail::streams_by_number& s) {
    namespace number = detail::stream;
    const auto bytes = [&s](unsigned n) { return detail::stream_reader(s[n]); };
    detail::dictionary_streams<detail::stream_reader> d{
        bytes(number::patterns), bytes(number::pattern_numbers_low), bytes(number::pattern_numbers_high),
        bytes(number::ip_steps), bytes(number::ip_jumps),            bytes(number::unit_lengths),
        bytes(number::unit_bodies),  bytes(number::classes),             bytes(number::code_lengths),
        bytes(number::code)};
    if (!detail::read_dictionary(dictionary_, d)) {
      base_.reset();
      throw frames_.error(trace_errc::corrupt, "its dictionary contradicts itself");
    }
  }
  detail::streams_by_number unpack(std::span<const std::byte> payload) {
    const auto fail = [this](const std::string& why) { return frames_.error(trace_errc::corrupt, why); };
    if (payload.empty()) throw fail("it has no streams");
    const std::size_t count = std::to_integer<std::size_t>(payload[0]);
    payload = payload.subspan(1);
    std::vector<stream_header> headers(count);
    const std::size_t histories = frames_.current().kind == frame_kind::high
                                      ? detail::high_level::histories.size()
                                      : detail::fast_level::histories.size();
    std::array<bool, detail::stream::may_be_left_out> there{};
    std::uint64_t content = 0;
    for (stream_header& s : headers) {
      const auto r = stream_codec::decode(payload, s);
      if (!r) throw fail("the list of its streams is damaged");
      payload = payload.subspan(r.used);
      content += s.content_size;
      if (s.number >= detail::stream::may_be_left_out) continue;
      if (!detail::stream::known(s.number, histories))
        throw frames_.error(trace_errc::unsupported, "has stream " + std::to_string(s.number) +
                                                         ", which this program does not know");
      if (there[s.number]) throw fail("stream " + std::to_string(s.number) + " is there twice");
      there[s.number] = true;
    }
    if (content > most_streamed)
      throw fail("its streams hold " + std::to_string(content) + " bytes, at most " +
                 std::to_string(most_streamed) + " are read");
    arena_.resize(static_cast<std::size_t>(content));
    detail::streams_by_number streams{};
    std::span<std::byte> room = arena_;
    for (const stream_header& s : headers) {
      if (s.stored_size > payload.size()) throw fail("a stream ends behind it");
      const auto stored = payload.first(s.stored_size);
      payload = payload.subspan(s.stored_size);
      if (s.number >= detail::stream::may_be_left_out) continue;
      const auto to = room.first(s.content_size);
      room = room.subspan(s.content_size);
      if (s.stored_size == s.content_size)
        std::copy(stored.begin(), stored.end(), to.begin());
      else if (!unpacker_.unpack(stored, to))
        throw fail("stream " + std::to_string(s.number) + " cannot be decompressed");
      streams[s.number] = to;
    }
    if (!payload.empty()) throw fail("bytes follow its streams");
    return streams;
  }

  std::uint64_t skip_frames(std::uint64_t n) {
    try {
      return frames_.skip(n);
    } catch (const trace_error&) {
      return 0;  // next() comes to it again
    }
  }

  detail::frame_file frames_;
  reader_options options_;
  std::size_t size_ = 1;  // of a record
  detail::dictionary dictionary_;
  std::optional<std::uint32_t> base_ = {};  // whose dictionary is there
  detail::dictionary::extent base_size_ = {};
  std::size_t base_units_ = 0;
  io::zstd_unpacker unpacker_ = {};
  std::vector<std::byte> arena_ = {};  // the frame's streams
  std::unique_ptr<detail::model_decoder> decoder_ = {};
  std::vector<std::byte> held_ = {};  // records to deliver, from held_at_ on
  std::vector<std::uint32_t> statics_ = {};
  std::size_t held_at_ = 0;
  std::uint64_t position_ = 0;
  std::uint32_t frame_ = 0;
  std::exception_ptr failure_ = {};
};

TRACECODEC_FUNC reader::reader(io::input in, reader_options options)
    : reading_(io::make_owned<reading>(std::move(in), std::move(options))) {}
TRACECODEC_FUNC reader::reader(reader&& other) noexcept = default;
TRACECODEC_FUNC reader& reader::operator=(reader&& other) noexcept = default;
TRACECODEC_FUNC reader::~reader() = default;

TRACECODEC_FUNC const about& reader::about() const { return reading_->file().about(); }
TRACECODEC_FUNC const std::string& reader::name() const { return reading_->file().name(); }
TRACECODEC_FUNC const io::input& reader::from() const { return reading_->file().from(); }
TRACECODEC_FUNC void reader::want_statics(bool wanted) { reading_->want_statics(wanted); }
TRACECODEC_FUNC batch reader::next() { return reading_->next(); }
TRACECODEC_FUNC batch reader::next(std::span<std::byte> to) { return reading_->next(to); }
TRACECODEC_FUNC std::size_t reader::read(std::span<std::byte> to) { return reading_->read(to); }
TRACECODEC_FUNC std::uint64_t reader::position() const { return reading_->position(); }
TRACECODEC_FUNC std::uint64_t reader::skip(std::uint64_t n) { return reading_->skip(n); }
TRACECODEC_FUNC void reader::rewind() { reading_->rewind(); }
TRACECODEC_FUNC std::uint64_t reader::content_size() { return reading_->file().content_size(); }
TRACECODEC_FUNC std::optional<bool> reader::has_index() { return reading_->file().has_index(); }
TRACECODEC_FUNC std::optional<double> reader::progress() const { return reading_->file().progress(); }
TRACECODEC_FUNC std::uint32_t reader::frame() const { return reading_->frame(); }
TRACECODEC_FUNC std::size_t reader::static_count() const { return reading_->dictionary().statics().size(); }
TRACECODEC_FUNC void reader::static_record(std::size_t number, std::span<std::byte> to) const {
  reading_->dictionary().make_record(number, to.data());
}
TRACECODEC_FUNC property reader::static_property(std::size_t number) const {
  return reading_->dictionary().property_of(number);
}

}  // namespace tracecodec::tracepack
