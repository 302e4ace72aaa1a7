// Reads RapidBin files: in order or from any event, where they lie in a mapped file.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "../io/window.hpp"
#include "events.hpp"

namespace tracecodec::rapidbin {

struct reader_options {
  // Delivers the whole events that there are, whatever the header says of their number: of a trace
  // whose writer gave up (a header of zeros), was cut, or has bytes behind the last event.
  bool lenient = false;
};

namespace detail {
// Calls f(field, offset, count) for each count of a header that is negative.
template <class F> void for_each_negative(const header& h, F f) {
  std::size_t row = 0;
  header_codec::walk(h, [&](std::string_view field, auto count) {
    const std::size_t offset = wire::layout_table<header_codec>[row++].offset;
    if (count < 0) f(std::string(field), offset, std::int64_t{count});
  });
}
}  // namespace detail

// Delivers every whole event, then throws trace_error if the trace is not as its header says:
// truncated (fewer events, with offset, record and field) or bad_value (more events, or 1 to 7
// bytes behind them). The counts of threads, locks and variables are for check() to judge.
// The constructor throws not_a_trace for an empty file, truncated for less than a header, and,
// unless lenient, bad_value for a negative count.
class reader final : public event_source {
 public:
  explicit reader(io::input in, reader_options options = {})
      : window_(std::move(in)), lenient_(options.lenient) {
    read_header();
  }
  explicit reader(const std::string& path, reader_options options = {})
      : reader(io::open_input(path), options) {}

  // What the header says.
  [[nodiscard]] const header& declared() const { return header_; }
  // All events of a mapped file; empty for streams.
  [[nodiscard]] event_array mapped_events() const {
    const auto all = window_.from().bytes();
    return event_array(all.subspan(std::min(all.size(), header_codec::size)));
  }

  event_batch next() override {
    // One more than is delivered: whether it exists.
    const std::size_t whole =
        window_.look((batch_size + 1) * event_codec::size).size() / event_codec::size;
    if (whole == 0) finish();
    const std::size_t n = std::min(whole, batch_size);
    const event_batch b{event_array(window_.at_hand().data(), n), position_, nullptr, n == whole};
    advance(n);
    return b;
  }

  // As io::window::skip().
  std::uint64_t skip(std::uint64_t n) override {
    n = std::min(n, window_.remaining().value_or(std::numeric_limits<std::uint64_t>::max()) /
                        event_codec::size);
    const std::uint64_t skipped = window_.skip(n * event_codec::size);
    cut_ += static_cast<std::size_t>(skipped % event_codec::size);
    position_ += skipped / event_codec::size;
    return skipped / event_codec::size;
  }

  // Goes to event `n`, which next() then delivers; false if there are no more than `n`. As skip(),
  // from the start if it must go back. Throws trace_error(refused) to go back in a pipe.
  bool seek(std::uint64_t n) {
    if (n < position_) rewind();
    skip(n - position_);
    return position_ == n && at_hand(1) != 0;
  }

  void rewind() override {
    window_.rewind();
    window_.look(header_codec::size);
    window_.consume(header_codec::size);
    position_ = 0;
    cut_ = 0;
  }

  std::uint64_t count() override {
    return (window_.from().content_size() - header_codec::size) / event_codec::size;
  }
  // Index of the event that next() begins with.
  [[nodiscard]] std::uint64_t position() const { return position_; }
  [[nodiscard]] std::optional<double> progress() const override { return window_.progress(); }
  [[nodiscard]] const std::string& name() const override { return window_.from().name(); }

  // At the end: how many bytes there are behind the last whole event, 0 to 7.
  [[nodiscard]] std::size_t trailing_bytes() {
    return cut_ + window_.look(event_codec::size).size();
  }
  // At the end: what is not as the header says, as the error that a strict reader throws; nullopt
  // if all is.
  [[nodiscard]] std::optional<trace_error> complaint() override {
    // What it holds does not matter: skip() may have left it behind.
    const auto rest = std::span(zeros_).first(std::min(trailing_bytes(), zeros_.size()));
    const std::uint64_t at = window_.offset() - cut_;
    const auto declared = static_cast<std::uint64_t>(header_.events);
    const std::string after =
        " after " + std::to_string(position_) + " of " + std::to_string(header_.events) + " events";
    const auto error = [this](trace_errc code, std::uint64_t offset, std::string field,
                              const std::string& message) {
      return trace_error(code, {name(), offset, position_, std::move(field)},
                         message + window_.from().offset_note());
    };
    if (header_.events >= 0 && position_ < declared) {
      event cut{};
      const auto r = event_codec::decode(rest, cut);
      return error(trace_errc::truncated, at + r.used, "event",
                   "the trace ends" + after +
                       (rest.empty() ? std::string()
                                     : " and " + std::to_string(rest.size()) + " of 8 bytes"));
    }
    if (position_ != declared)
      return trace_error(trace_errc::bad_value, {name(), events_offset, {}, "events"},
                         "the header declares " + std::to_string(header_.events) + " events, " +
                             std::to_string(position_) + " are there" +
                             (header_ == header{} ? ": the trace was never completed" : ""));
    if (!rest.empty())
      return error(trace_errc::bad_value, at, "",
                   std::to_string(rest.size()) + (rest.size() == 1 ? " byte" : " bytes") +
                       " behind the last event");
    return std::nullopt;
  }

 private:
  static constexpr std::size_t events_offset = header_codec::offset_of<&header::events>;

  void read_header() {
    const auto in = window_.look(header_codec::size);
    const auto r = header_codec::decode(in, header_);
    if (!r) {
      window_.check_end();
      if (in.empty())
        throw trace_error(trace_errc::not_a_trace, {name(), 0}, "empty, expected a RapidBin trace");
      throw trace_error(
          trace_errc::truncated, {name(), r.used, {}, std::string(r.field)},
          "the trace ends inside the header, after " + std::to_string(in.size()) + " of 18 bytes");
    }
    if (!lenient_)
      detail::for_each_negative(
          header_, [this](const std::string& field, std::size_t offset, std::int64_t count) {
            throw trace_error(trace_errc::bad_value, {name(), offset, {}, field},
                              "the header declares " + std::to_string(count));
          });
    window_.consume(header_codec::size);
  }

  // How many whole events are at hand, at least one if there is one, at most `n`.
  std::size_t at_hand(std::uint64_t n) {
    const std::size_t whole = window_.look(event_codec::size).size() / event_codec::size;
    return static_cast<std::size_t>(std::min<std::uint64_t>(n, whole));
  }
  void advance(std::size_t n) {
    window_.consume(n * event_codec::size);
    position_ += n;
  }

  // Nothing whole is left: returns quietly at a sound end.
  void finish() {
    window_.check_end();
    if (lenient_) return;
    if (const auto e = complaint()) throw *e;
  }

  static constexpr std::array<std::byte, event_codec::size> zeros_{};
  io::window window_;
  header header_ = {};
  bool lenient_;
  std::uint64_t position_ = 0;
  std::size_t cut_ = 0;  // bytes of an event cut short at the end that skip() went over
};

}  // namespace tracecodec::rapidbin
