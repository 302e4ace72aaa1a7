// Reads records of varying size: each is decoded where the one before ends.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "batch.hpp"
#include "frame.hpp"

namespace tracecodec::file {

// Memory: a batch of decoded records, and the bytes they view. A record of more than D::longest bytes
// is a bad_value, and so is one without bytes: both would go on for ever.
template <class D> class varying_reader : public frame<D> {
  using base = frame<D>;

 public:
  using typename base::codec, typename base::record;
  using batch_type = batch<std::span<const record>>;
  static constexpr std::size_t batch_size = 1024;  // records, at most

  explicit varying_reader(io::input in, reader_options options = {})
      : base(std::move(in), options) {}

  // The next records; none at the end.
  batch_type next() {
    const batch_type b = peek(batch_size);
    if (b.size() == 0) this->finish(left());
    accept(b.size());
    return b;
  }

  // Moves `n` records on, or to the last whole one; returns how many: all on the way are decoded.
  std::uint64_t skip(std::uint64_t n) {
    std::uint64_t done = 0;
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

  // Goes to record `n`, which next() then delivers; false if there are no more than `n`. As skip(),
  // from the start if it must go back. Throws trace_error(refused) to go back in a pipe.
  bool seek(std::uint64_t n) {
    if (n < position_) rewind();
    skip(n - position_);
    return position_ == n && peek(1).size() != 0;
  }

  // Back to the first record. Throws trace_error(refused) for standard input and pipes.
  void rewind() { this->rewind_records(); }

  // How many whole records there are. Reads them all, and comes back to where it is; pipes throw
  // trace_error(refused).
  std::uint64_t count() {
    const std::uint64_t here = position_;
    rewind();
    const std::uint64_t n = skip(std::numeric_limits<std::uint64_t>::max());
    seek(here);
    return n;
  }

  // At the end: how many bytes are at hand behind the last record that decodes.
  [[nodiscard]] std::size_t trailing_bytes() { return left().rest; }
  // At the end: the error that a strict reader throws; nullopt if all is as the file says.
  [[nodiscard]] std::optional<trace_error> complaint() { return this->first_flaw(left()); }
  // At the end: calls f(flaw, trace_error) for all that is not.
  template <class F> void complaints(F&& f) { this->for_each_flaw(left(), f); }

 protected:
  using base::position_, base::window_;

 private:
  static constexpr std::size_t first_look = std::size_t{4} << 10;

  // At most `most` records from here on, at least one if there is one, without moving on. One more
  // is decoded, for whom it matters what follows.
  batch_type peek(std::size_t most) {
    for (std::size_t want = first_look;;) {
      const auto in = window_.look(want + base::behind);
      const auto body = in.first(in.size() - std::min(in.size(), base::behind));
      decode(body, most + 1);
      const std::size_t n = records_.size();
      // Whether only the end of what is at hand ended it.
      const bool cut = in.size() >= want + base::behind && n <= most && !endless_ &&
                       (!why_ ? why_.error == wire::errc::truncated : used_ == body.size());
      if (n > 1 && (cut || n > most)) {
        used_ -= last_used_;
        return {std::span<const record>(records_).first(n - 1), position_, false};
      }
      if (!cut || body.size() > D::longest) {
        endless_ = endless_ || (cut && n == 0);
        rest_ = n == 0 ? body.size() : 0;
        return {std::span<const record>(records_), position_, true};
      }
      want = 2 * (body.size() > want ? body.size() : want);
    }
  }
  // Decodes what `body` holds, at most `most`: used_ bytes of it. why_ is what ended it.
  void decode(std::span<const std::byte> body, std::size_t most) {
    records_.clear();
    used_ = last_used_ = 0;
    why_ = {};
    endless_ = false;
    while (records_.size() < most && used_ != body.size()) {
      records_.emplace_back();
      D::give(records_.back(), this->header_);
      why_ = codec::decode(body.subspan(used_), records_.back());
      endless_ = why_ && (why_.used == 0 || why_.used > D::longest);
      if (!why_ || endless_) {
        records_.pop_back();
        return;
      }
      last_used_ = why_.used;
      used_ += why_.used;
    }
  }
  void accept(std::size_t n) { this->take(window_.at_hand().first(used_), n); }

  typename base::tail left() {
    peek(1);
    if (endless_)
      return {window_.offset(),
              rest_,
              {0, wire::errc::does_not_fit, {}},
              {},
              "the " + std::string(D::each) +
                  (why_ && why_.used == 0
                       ? std::string(" has no bytes")
                       : " is longer than " + std::to_string(D::longest) + " bytes")};
    // (Without what the header says of a record nobody finds the way through it.)
    std::string field = D::gives ? std::string(why_.field)
                                 : detail::path<codec>(window_.at_hand().first(rest_), why_);
    const bool own = field == why_.field;  // not one of an element
    return {window_.offset(), rest_, why_, std::move(field),
            own ? detail::refusal<codec>(why_) : std::string(wire::message(why_.error))};
  }

  std::vector<record> records_ = {};
  std::size_t used_ = 0, last_used_ = 0;  // bytes of them all, of the last one
  std::size_t rest_ = 0;                  // bytes at hand, if no record is
  wire::result why_ = {};                 // of the first record that does not decode
  bool endless_ = false;                  // it has no bytes, or too many
};

}  // namespace tracecodec::file
