// Reader of a file by its description: in order or from any record. Records stay in place in a
// mapped file.
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

#include "../wire/types/view.hpp"
#include "batch.hpp"
#include "frame.hpp"
#include "given.hpp"
#include "varying.hpp"

namespace tracecodec::file {

// Reader of records of fixed size. It holds back as many bytes as the trailer has, because the
// trailer is the end of the file. next() throws bad_value for a record that its codec rejects,
// and skip() passes over it.
template <class D> class fixed_reader : public frame<D> {
  using base = frame<D>;

 public:
  using typename base::codec;
  using batch_type = batch<std::conditional_t<D::gives, given_array<D>, wire::array_view<codec>>>;
  static constexpr std::size_t batch_size = 4096;  // at most this many records

  explicit fixed_reader(io::input in, reader_options options = {}) : base(std::move(in), options) {}

  // Returns the next records, or an empty batch at the end.
  batch_type next() {
    std::size_t there = whole(1);
    if (there == 0) {
      this->finish(left());
      return {records_of({}), position_, true};
    }
    // A stream must be read further to find out whether a record follows the last one at hand.
    // Because this moves the bytes at hand, it is done only for a few records.
    if (there <= few && !window_.all_at_hand()) there = whole(there + 1);
    std::size_t n = std::min(there, batch_size);
    if (n == there && !window_.all_at_hand()) --n;
    bool last = n == there;
    if constexpr (refuses) {
      const std::size_t sound = sound_records(n);
      if (sound == 0) refuse();
      last = last || sound < n;
      n = sound;
    }
    const batch_type b{records_of({window_.at_hand().data(), n}), position_, last};
    this->take(window_.at_hand().first(n * codec::size), n);
    return b;
  }

  // Skips `n` records, or to the last whole one, and returns the number skipped. Works like
  // io::window::skip(), except that a stream is read if a trailer may follow.
  std::uint64_t skip(std::uint64_t n) {
    if constexpr (base::behind != 0)
      if (!window_.remaining()) return read_over(n);
    const std::uint64_t left =
        window_.remaining().value_or(std::numeric_limits<std::uint64_t>::max());
    n = std::min(n, (left - std::min<std::uint64_t>(left, base::behind)) / codec::size);
    const std::uint64_t skipped = window_.skip(n * codec::size);
    cut_ += static_cast<std::size_t>(skipped % codec::size);
    position_ += skipped / codec::size;
    return skipped / codec::size;
  }

  // Moves to record `n`, which next() then delivers. Returns false if there are at most `n`
  // records. Works like skip(), from the start if it must go back. Throws trace_error(refused)
  // if it must go back in a pipe.
  bool seek(std::uint64_t n) {
    if (n < position_) rewind();
    skip(n - position_);
    return position_ == n && whole(1) != 0;
  }

  // Moves back to the first record. Throws trace_error(refused) for standard input and pipes.
  void rewind() {
    this->rewind_records();
    cut_ = 0;
  }

  // Returns the number of whole records. Reads a compressed file to its end once more. Throws
  // trace_error(refused) for pipes. Damage after the last whole record is left for next() to
  // report.
  [[nodiscard]] std::uint64_t count() const {
    const std::uint64_t size = window_.from().content_size(), other = start_ + base::behind;
    return size > other ? (size - other) / codec::size : 0;
  }

  // Returns all records of a mapped file, or none for a stream.
  [[nodiscard]] wire::array_view<codec> mapped_records() const {
    const auto all = window_.from().bytes();
    const std::size_t other = static_cast<std::size_t>(start_) + base::behind;
    if (all.size() <= other) return {};
    return wire::array_view<codec>(
        all.subspan(static_cast<std::size_t>(start_), all.size() - other));
  }

  // At the end: returns the number of bytes after the last whole record and before the
  // trailer.
  [[nodiscard]] std::size_t trailing_bytes() {
    const std::size_t left = window_.look(codec::size + base::behind).size();
    return cut_ + left - std::min(left, base::behind);
  }
  // At the end: returns the error that a strict reader throws, or nullopt if nothing is wrong.
  [[nodiscard]] std::optional<trace_error> first_error() { return this->first_flaw(left()); }
  // At the end: calls f(flaw, trace_error) for each flaw.
  template <class F> void complaints(F&& f) { this->for_each_flaw(left(), f); }

 protected:
  using base::position_, base::start_, base::window_;

 private:
  auto records_of(const wire::array_view<codec>& all) const {
    if constexpr (D::gives)
      return given_array<D>(all, &this->header_);
    else
      return all;
  }
  // Returns the number of whole records at hand, which is at least `n` if that many exist.
  std::size_t whole(std::size_t n) {
    const std::size_t there = window_.look(n * codec::size + base::behind).size();
    return (there - std::min(there, base::behind)) / codec::size;
  }
  std::uint64_t read_over(std::uint64_t n) {
    std::uint64_t done = 0;
    while (done < n) {
      const std::uint64_t step = std::min<std::uint64_t>(whole(1), n - done);
      if (step == 0) break;
      window_.consume(static_cast<std::size_t>(step) * codec::size);
      done += step;
    }
    position_ += done;
    return done;
  }
  // True if decode rejects some bytes. Each record is then decoded before it is delivered.
  static constexpr bool refuses = [] {
    if constexpr (requires { codec::refuses; })
      return static_cast<bool>(codec::refuses);
    else
      return false;
  }();
  // Returns how many of the `n` records at hand precede the first one that decode rejects.
  std::size_t sound_records(std::size_t n) const {
    const auto in = window_.at_hand();
    typename base::record r{};
    for (std::size_t i = 0; i < n; ++i)
      if (!codec::decode(in.subspan(i * codec::size, codec::size), r)) return i;
    return n;
  }
  [[noreturn, gnu::cold]] void refuse() const {
    typename base::record r{};
    const auto in = window_.at_hand().first(codec::size);
    const auto why = codec::decode(in, r);
    throw this->error(trace_errc::bad_value, window_.offset() + why.used, position_,
                      detail::path<codec>(in, why), detail::refusal<codec>(why));
  }

  // Returns the rest of the input. Only its size matters: zeros replace the bytes, which
  // skip() may have passed.
  typename base::tail left() {
    const std::size_t rest = trailing_bytes();
    typename base::record r{};
    const auto there = std::span<const std::byte>(zeros).first(std::min(rest, codec::size - 1));
    const auto why = codec::decode(there, r);
    return {window_.offset() - cut_, rest, why, std::string(why.field), {}};
  }

  static constexpr std::array<std::byte, codec::size> zeros{};
  static constexpr std::size_t few =
      codec::size < (std::size_t{16} << 10) ? (std::size_t{16} << 10) / codec::size : 1;
  std::size_t cut_ = 0;  // bytes of a truncated last record that skip() passed over
};

// Reader of a file of description `D`. It delivers every whole record, and then throws
// trace_error if the file is not as it states:
// - truncated: the file ends inside a record, or before the stated number of records. The
//   error names the offset, the record and the field.
// - bad_value: there are more records, bytes after them, or a value that the description
//   rejects.
//
// A lenient reader throws only for what prevents further reading.
//
// If the file has a header, the constructor throws not_a_trace for an empty file or another
// constant at its beginning. It throws truncated if the file ends inside the header, and
// bad_value if the header holds a value that is not allowed. Without a header, next() throws
// not_a_trace for an empty file.
template <class D> class reader
    : public std::conditional_t<D::codec::fixed, fixed_reader<D>, varying_reader<D>> {
  using base = std::conditional_t<D::codec::fixed, fixed_reader<D>, varying_reader<D>>;

 public:
  explicit reader(io::input in, reader_options options = {}) : base(std::move(in), options) {}
  // Opens the file `path`, or standard input for "-".
  explicit reader(const std::string& path, reader_options options = {})
      : reader(io::open_input(path), options) {}
};

}  // namespace tracecodec::file
