// Reader of records of varying size. Each record begins where the previous one ends.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../io/text/hex.hpp"
#include "batch.hpp"
#include "frame.hpp"

namespace tracecodec::file {

// Reader of records of varying size. It needs memory for a batch of decoded records and for the
// bytes to which their views point. A record of more than D::longest bytes, or of 0 bytes, causes
// the error bad_value. This limits the memory of the reader, and ensures that reading ends. If
// records carry values from one to the next (wire::previous), seek() still works, because skip()
// decodes every record.
template <class D> class varying_reader : public frame<D> {
  using base = frame<D>;

 public:
  using typename base::codec, typename base::record;
  using batch_type = batch<std::span<const record>>;
  // Maximum number of records in a batch.
  static constexpr std::size_t batch_size = 1024;

  explicit varying_reader(io::input in, reader_options options = {})
      : base(std::move(in), options) {
    next_ = first_ = D::first_record(this->header_);
  }

  // Returns the next records, or an empty batch at the end of the records.
  batch_type next() {
    const batch_type b = peek(batch_size);
    if (b.size() == 0) this->finish(left());
    accept(b.size());
    return b;
  }

  // Skips `n` records, or all remaining complete records, and returns the number of skipped
  // records. Decodes every skipped record, except those before an entry of the file's index
  // (file::indexed), to which it jumps. Damage to these records remains undetected.
  std::uint64_t skip(std::uint64_t n) {
    std::uint64_t done = 0;
    if constexpr (D::index::there) done = jump(n);
    while (done < n) {
      const std::size_t step =
          static_cast<std::size_t>(std::min<std::uint64_t>(n - done, batch_size));
      const std::size_t there = peek(step).size();
      if (there == 0) break;
      accept(there);
      done += there;
    }
    return done;
  }

  // Moves to record `n`. The next call of next() begins with this record. Returns false if the file
  // has at most `n` records. Skips records like skip(), and starts at the first record if `n` is
  // before the current position. Throws trace_error(refused) if a pipe would have to move back.
  bool seek(std::uint64_t n) {
    if (n < position_) rewind();
    skip(n - position_);
    return position_ == n && peek(1).size() != 0;
  }

  // Moves back to the first record. Throws trace_error(refused) for standard input and pipes.
  void rewind() {
    this->rewind_records();
    if constexpr (D::carries) next_ = first_;
    ended_ = false;
  }

  // Returns the number of complete records. Reads all records, and then moves back to the current
  // record. Throws trace_error(refused) for pipes.
  std::uint64_t count() {
    const std::uint64_t here = position_;
    rewind();
    const std::uint64_t n = skip(std::numeric_limits<std::uint64_t>::max());
    seek(here);
    return n;
  }

  // Returns the last entry at or before record `n` in the file's index of records, if there is one.
  [[nodiscard]] std::optional<io::record_entry> entry_of_record(std::uint64_t n) {
    return window_.entry_of_record(n);
  }

  // Returns the number of bytes in memory after the last record that decodes. Requires that all
  // records were read.
  [[nodiscard]] std::size_t trailing_bytes() { return left().rest; }
  // Returns the error that a strict reader throws, or nullopt if the file has no flaw. Requires
  // that all records were read.
  [[nodiscard]] std::optional<trace_error> first_error() { return this->first_flaw(left()); }
  // Calls f(flaw, trace_error) for each flaw. Requires that all records were read.
  template <class F> void for_each_finding(F&& f) { this->for_each_flaw(left(), f); }

 protected:
  using base::position_, base::window_;

 private:
  static constexpr std::size_t first_look = std::size_t{4} << 10;

  // Jumps to the last entry of the file's index within the next `n` records, and returns the number
  // of skipped records.
  std::uint64_t jump(std::uint64_t n) {
    constexpr std::uint64_t last = std::numeric_limits<std::uint64_t>::max();
    const auto there = window_.entry_of_record(n > last - position_ ? last : position_ + n);
    if (!there || there->record <= position_ || there->offset <= window_.offset()) return 0;
    const std::uint64_t skipped = there->record - position_;
    // If the input ends before the entry, next() reports the end.
    window_.seek(there->offset);
    next_.*D::index::member = static_cast<wire::member_t<D::index::member>>(there->state);
    position_ = there->record;
    return skipped;
  }

  // Returns the next records, at most `most`, without changing the position. Returns at least one
  // record if any record remains. Also decodes the record after the batch, for callers that need
  // that record.
  batch_type peek(std::size_t most) {
    if (ended_) {
      // No records follow an end mark.
      decode({}, 0);
      const std::size_t there = window_.look(first_look + base::trailer_size).size();
      rest_ = there - std::min(there, base::trailer_size);
      return {{}, position_, true};
    }
    for (std::size_t want = first_look;;) {
      const auto in = window_.look(want + base::trailer_size);
      const auto body = in.first(in.size() - std::min(in.size(), base::trailer_size));
      decode(body, most + 1);
      if constexpr (D::lines::there)
        if (in.size() < want) decode_last_line(body, most + 1);
      const std::size_t n = records_.size();
      // True if decoding stopped only because the bytes in memory ended.
      const bool cut = in.size() >= want + base::trailer_size && n <= most && !endless_ &&
                       !marked_ &&
                       (!why_ ? why_.error == wire::errc::truncated : used_ == body.size());
      if (n > 1 && (cut || n > most)) {
        used_ -= last_used_;
        marked_ = false;
        return {std::span<const record>(records_).first(n - 1), position_, false};
      }
      // A record that is truncated after more than `longest` bytes is too long.
      const bool too_long = body.size() - used_ > D::longest;
      if (!cut || too_long) {
        endless_ = endless_ || (n == 0 && too_long && why_.error == wire::errc::truncated);
        rest_ = n == 0 ? body.size() : 0;
        return {std::span<const record>(records_), position_, true};
      }
      want = 2 * (body.size() > want ? body.size() : want);
    }
  }
  // Decodes up to `most` records from `body`. Sets `used_` to the number of bytes of these records,
  // and `why_` to the result of the last decode.
  void decode(std::span<const std::byte> body, std::size_t most) {
    records_.clear();
    used_ = last_used_ = 0;
    why_ = {};
    endless_ = marked_ = false;
    while (records_.size() < most && used_ != body.size() && !marked_) {
      if constexpr (D::carries) {
        records_.push_back(records_.empty() ? next_ : D::record_after(records_.back(), first_));
      } else {
        records_.emplace_back();
        D::copy_args(records_.back(), first_);
      }
      why_ = codec::decode(body.subspan(used_), records_.back());
      endless_ = why_ && (why_.used == 0 || why_.used > D::longest);
      if (!why_ || endless_) {
        records_.pop_back();
        return;
      }
      last_used_ = why_.used;
      used_ += why_.used;
      marked_ = D::mark::ends(records_.back());
    }
  }
  // Decodes the rest of `body`, at the end of the input, as a line without a line feed.
  void decode_last_line(std::span<const std::byte> body, std::size_t most) {
    if (records_.size() == most || why_.error != wire::errc::truncated || used_ == body.size() ||
        body.size() - used_ > D::longest || !ends_soundly())
      return;
    line_.assign(body.begin() + static_cast<std::ptrdiff_t>(used_), body.end());
    line_.push_back(static_cast<std::byte>('\n'));
    records_.emplace_back();
    const wire::result done = codec::decode(line_, records_.back());
    if (!done || done.used != line_.size()) return records_.pop_back();
    last_used_ = body.size() - used_;
    used_ = body.size();
    why_ = {};
  }
  // Returns false if an error ended the input early.
  [[nodiscard]] bool ends_soundly() const {
    try {
      window_.check_end();
      return true;
    } catch (const trace_error&) {
      return false;
    }
  }
  void accept(std::size_t n) {
    if constexpr (D::carries)
      if (n != 0) next_ = D::record_after(records_[n - 1], first_);
    this->take(window_.buffered().first(used_), n);
    ended_ = ended_ || marked_;
  }

  typename base::tail left() {
    peek(1);
    if constexpr (D::mark::there) {
      if (ended_) return {window_.offset(), rest_, {}, {}, {}};
      if (rest_ == 0) return {window_.offset(), 0, {0, wire::errc::truncated, {}}, {}, {}};
    }
    if (endless_)
      return {window_.offset(),
              rest_,
              {0, wire::errc::does_not_fit, {}},
              {},
              "the " + std::string(D::each) +
                  (why_ && why_.used == 0
                       ? std::string(" has no bytes")
                       : " is longer than " + std::to_string(D::longest) + " bytes")};
    // path() cannot decode the record, because path() lacks the parameters that the header or the
    // previous record sets.
    std::string field = D::takes_args || D::carries
                            ? std::string(why_.field)
                            : detail::path<codec>(window_.buffered().first(rest_), why_);
    const bool own = field == why_.field;  // true unless the failing field is inside an element
    std::string message =
        own ? detail::refusal<codec>(why_) : std::string(wire::message(why_.error));
    if (why_.error == wire::errc::invalid_value && why_.used < rest_ &&
        message == wire::message(why_.error))
      message += " (it begins with the byte " +
                 hex(std::to_integer<std::uint64_t>(window_.buffered()[why_.used])) + ')';
    return {window_.offset(), rest_, why_, std::move(field), std::move(message)};
  }

  std::vector<record> records_ = {};
  std::vector<std::byte> line_ = {};  // last line of the input, if it has no line feed
  // First record, and next record if records carry values, in which only the parameters are set.
  record first_ = {}, next_ = {};
  // Number of bytes of all decoded records, and of the last one.
  std::size_t used_ = 0, last_used_ = 0;
  std::size_t rest_ = 0;   // number of bytes in memory, if no record was decoded
  wire::result why_ = {};  // result for the first record that does not decode
  bool marked_ = false;    // true if the last decoded record is an end mark
  bool ended_ = false;     // true if the end mark was passed
  bool endless_ = false;   // true if the last record is empty or longer than D::longest bytes
};

}  // namespace tracecodec::file
