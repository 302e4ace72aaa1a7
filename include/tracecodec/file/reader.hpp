// Reader of a described file. It reads records in order, starting at any record, and does not copy
// the records of a mapped file.
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
#include "record_args.hpp"
#include "varying.hpp"

namespace tracecodec::file {

// Reader of fixed-size records. If the file has a trailer, the reader never returns the last bytes
// of the input as records. next() throws bad_value for a record that the codec rejects, and skip()
// moves past such a record.
template <class D> class fixed_reader : public frame<D> {
  using base = frame<D>;

 public:
  using typename base::codec;
  using batch_type =
      batch<std::conditional_t<D::takes_args, array_with_args<D>, wire::array_view<codec>>>;
  // Maximum number of records in a batch.
  static constexpr std::size_t batch_size = 4096;

  explicit fixed_reader(io::input in, reader_options options = {}) : base(std::move(in), options) {}

  // Returns the next records, or an empty batch at the end of the records.
  batch_type next() {
    std::size_t there = whole(1);
    if (there == 0) {
      this->finish(left());
      return {records_of({}), position_, true};
    }
    // To find out whether a record follows the last record in memory, the reader must read more of
    // a stream. Reading moves the bytes in memory, so the reader reads more only if few records are
    // in memory.
    if (there <= few && !window_.has_all()) there = whole(there + 1);
    std::size_t n = std::min(there, batch_size);
    if (n == there && !window_.has_all()) --n;
    bool last = n == there;
    if constexpr (refuses) {
      const std::size_t sound = sound_records(n);
      if (sound == 0) refuse();
      last = last || sound < n;
      n = sound;
    }
    const batch_type b{records_of({window_.buffered().data(), n}), position_, last};
    this->take(window_.buffered().first(n * codec::size), n);
    return b;
  }

  // Skips `n` records, or all remaining complete records, and returns the number of skipped
  // records. Works like io::window::skip(), except that a stream is read if a trailer may follow.
  std::uint64_t skip(std::uint64_t n) {
    if constexpr (base::trailer_size != 0)
      if (!window_.remaining()) return read_over(n);
    const std::uint64_t left =
        window_.remaining().value_or(std::numeric_limits<std::uint64_t>::max());
    n = std::min(n, (left - std::min<std::uint64_t>(left, base::trailer_size)) / codec::size);
    const std::uint64_t skipped = window_.skip(n * codec::size);
    cut_ += static_cast<std::size_t>(skipped % codec::size);
    position_ += skipped / codec::size;
    return skipped / codec::size;
  }

  // Moves to record `n`, which the next call to next() returns first. Returns false if the file has
  // at most `n` records. Skips records like skip(). If `n` is before the current position, skipping
  // starts at the first record, which throws trace_error(refused) for a pipe.
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

  // Returns the number of complete records. Reads a compressed file to its end once more. Throws
  // trace_error(refused) for pipes. Does not report damage after the last complete record; next()
  // reports such damage.
  [[nodiscard]] std::uint64_t count() const {
    const std::uint64_t size = window_.from().content_size(), other = start_ + base::trailer_size;
    return size > other ? (size - other) / codec::size : 0;
  }

  // Returns all records of a mapped file, or an empty view for a stream.
  [[nodiscard]] wire::array_view<codec> mapped_records() const {
    const auto all = window_.from().bytes();
    const std::size_t other = static_cast<std::size_t>(start_) + base::trailer_size;
    if (all.size() <= other) return {};
    return wire::array_view<codec>(
        all.subspan(static_cast<std::size_t>(start_), all.size() - other));
  }

  // Returns the number of bytes after the last complete record and before the trailer. Requires
  // that all records were read.
  [[nodiscard]] std::size_t trailing_bytes() {
    const std::size_t left = window_.look(codec::size + base::trailer_size).size();
    return cut_ + left - std::min(left, base::trailer_size);
  }
  // Returns the error that a strict reader throws, or nullopt if the file has no flaw. Requires
  // that all records were read.
  [[nodiscard]] std::optional<trace_error> first_error() { return this->first_flaw(left()); }
  // Calls f(flaw, trace_error) for each flaw. Requires that all records were read.
  template <class F> void for_each_finding(F&& f) { this->for_each_flaw(left(), f); }

 protected:
  using base::position_, base::start_, base::window_;

 private:
  auto records_of(const wire::array_view<codec>& all) const {
    if constexpr (D::takes_args)
      return array_with_args<D>(all, &this->header_);
    else
      return all;
  }
  // Reads until `n` complete records are in memory, or the input ends. Returns the number of
  // complete records in memory.
  std::size_t whole(std::size_t n) {
    const std::size_t there = window_.look(n * codec::size + base::trailer_size).size();
    return (there - std::min(there, base::trailer_size)) / codec::size;
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
  // True if decode rejects some bytes. In that case next() decodes each record before it returns
  // the record.
  static constexpr bool refuses = [] {
    if constexpr (requires { codec::refuses; })
      return static_cast<bool>(codec::refuses);
    else
      return false;
  }();
  // Returns how many of the next `n` records in memory precede the first record that decode
  // rejects.
  std::size_t sound_records(std::size_t n) const {
    const auto in = window_.buffered();
    typename base::record r{};
    for (std::size_t i = 0; i < n; ++i)
      if (!codec::decode(in.subspan(i * codec::size, codec::size), r)) return i;
    return n;
  }
  [[noreturn, gnu::cold]] void refuse() const {
    typename base::record r{};
    const auto in = window_.buffered().first(codec::size);
    const auto why = codec::decode(in, r);
    throw this->error(trace_errc::bad_value, window_.offset() + why.used, position_,
                      detail::path<codec>(in, why), detail::refusal<codec>(why));
  }

  // Returns the tail after the last complete record. The tail's bytes are replaced by zeros,
  // because only their number is known if skip() moved past them.
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
  // Number of bytes of a truncated last record that skip() moved past.
  std::size_t cut_ = 0;
};

// Reader of a file described by `D`. It returns every complete record. It then throws trace_error
// if the file contradicts its description, or its own counts and checksums:
// - truncated: the file ends inside a record, or has fewer records than it states. The error names
//   the offset, the record and the field.
// - bad_value: the file has more records than it states, bytes follow the records, a checksum is
//   wrong, or the description does not allow a value.
//
// A lenient reader throws only for errors that prevent further reading.
//
// If the file has a header, the constructor throws not_a_trace if the file is empty, or if a
// constant at the beginning of the file is wrong. It throws truncated if the file ends inside the
// header, and bad_value if the header contains a value that is not allowed. If the file has no
// header, next() throws not_a_trace for an empty file.
template <class D> class reader
    : public std::conditional_t<D::in_place, fixed_reader<D>, varying_reader<D>> {
  using base = std::conditional_t<D::in_place, fixed_reader<D>, varying_reader<D>>;

 public:
  explicit reader(io::input in, reader_options options = {}) : base(std::move(in), options) {}
  // Opens the file `path`, or standard input for "-".
  explicit reader(const std::string& path, reader_options options = {})
      : reader(io::open_input(path), options) {}
};

}  // namespace tracecodec::file
