// Reads a file by its description: in order or from any record, where they lie in a mapped file.
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

// Records of fixed size. What a trailer takes is held back: it is the last bytes of the file. A record
// that its codec refuses is thrown by next() as a bad_value; skip() goes over it.
template <class D> class fixed_reader : public frame<D> {
  using base = frame<D>;

 public:
  using typename base::codec;
  using batch_type = batch<std::conditional_t<D::gives, given_array<D>, wire::array_view<codec>>>;
  static constexpr std::size_t batch_size = 4096;  // records, at most

  explicit fixed_reader(io::input in, reader_options options = {}) : base(std::move(in), options) {}

  // The next records; none at the end.
  batch_type next() {
    std::size_t there = whole(1);
    if (there == 0) {
      this->finish(left());
      return {records_of({}), position_, true};
    }
    // Whether another follows the last one at hand, a stream tells when more of it is read; many are
    // not moved for that.
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

  // Moves `n` records on, or to the last whole one; returns how many. As io::window::skip(); before a
  // trailer, a stream is read.
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

  // Goes to record `n`, which next() then delivers; false if there are no more than `n`. As skip(),
  // from the start if it must go back. Throws trace_error(refused) to go back in a pipe.
  bool seek(std::uint64_t n) {
    if (n < position_) rewind();
    skip(n - position_);
    return position_ == n && whole(1) != 0;
  }

  // Back to the first record. Throws trace_error(refused) for standard input and pipes.
  void rewind() {
    this->rewind_records();
    cut_ = 0;
  }

  // How many whole records there are. A compressed file is read to its end once more for it; pipes
  // throw trace_error(refused). Damage behind the last whole record is next()'s to report.
  [[nodiscard]] std::uint64_t count() const {
    const std::uint64_t size = window_.from().content_size(), other = start_ + base::behind;
    return size > other ? (size - other) / codec::size : 0;
  }

  // All records of a mapped file; none of a stream.
  [[nodiscard]] wire::array_view<codec> mapped_records() const {
    const auto all = window_.from().bytes();
    const std::size_t other = static_cast<std::size_t>(start_) + base::behind;
    if (all.size() <= other) return {};
    return wire::array_view<codec>(
        all.subspan(static_cast<std::size_t>(start_), all.size() - other));
  }

  // At the end: how many bytes there are behind the last whole record, and before the trailer.
  [[nodiscard]] std::size_t trailing_bytes() {
    const std::size_t left = window_.look(codec::size + base::behind).size();
    return cut_ + left - std::min(left, base::behind);
  }
  // At the end: the error that a strict reader throws; nullopt if all is as the file says.
  [[nodiscard]] std::optional<trace_error> complaint() { return this->first_flaw(left()); }
  // At the end: calls f(flaw, trace_error) for all that is not.
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
  // How many whole records are at hand: `n` if there are so many, or more.
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
  // Whether decode refuses some bytes: then each record is decoded before it is delivered.
  static constexpr bool refuses = [] {
    if constexpr (requires { codec::refuses; })
      return static_cast<bool>(codec::refuses);
    else
      return false;
  }();
  // How many of the `n` records at hand there are before one that is refused.
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

  // What its bytes hold does not matter: skip() may have left them behind.
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
  std::size_t cut_ = 0;  // bytes of a record cut short at the end that skip() went over
};

// Delivers every whole record, then throws trace_error if the file is not as it says: truncated (it
// ends inside a record, or before as many as it says; with offset, record and field) or bad_value
// (more records, bytes behind them, a value that the description refuses). If lenient, it only throws
// what keeps it from reading on. The constructor throws, of a file with a header: not_a_trace if it
// is empty or begins with another constant, truncated inside the header, bad_value for what the
// header must not say; of one without, next() throws not_a_trace if it is empty.
template <class D> class reader
    : public std::conditional_t<D::codec::fixed, fixed_reader<D>, varying_reader<D>> {
  using base = std::conditional_t<D::codec::fixed, fixed_reader<D>, varying_reader<D>>;

 public:
  explicit reader(io::input in, reader_options options = {}) : base(std::move(in), options) {}
  // "-" is standard input.
  explicit reader(const std::string& path, reader_options options = {})
      : reader(io::open_input(path), options) {}
};

}  // namespace tracecodec::file
