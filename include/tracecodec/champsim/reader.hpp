// Reads records of fixed size: laid over the mapped file where layout and host allow, decoded in
// batches everywhere else.
#pragma once
#include <algorithm>
#include <array>
#include <cstdint>
#include <exception>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../io/open.hpp"
#include "../wire/decode_array.hpp"
#include "layout.hpp"

namespace tracecodec::champsim {

// Consecutive records, valid until the reader is asked for more.
template <class Record> struct record_batch {
  std::span<const Record> records = {};
  const Record* following = nullptr;  // the record behind the last one; nullptr at the trace's end
};

// Delivers every whole record, then throws trace_error if the bytes end inside one (truncated, with
// offset, record and field) or the compressed stream is damaged. An empty file is not_a_trace.
template <class Codec> class reader {
 public:
  using record = typename Codec::value_type;
  static constexpr std::size_t batch_size = 4096;  // records: 256 KiB of the standard ones

  explicit reader(io::input in) : in_(std::move(in)) { start(); }

  [[nodiscard]] const std::string& name() const { return in_.name(); }

  // Whether batches lie directly in the mapped file.
  [[nodiscard]] bool zero_copy() const { return !laid_over_.empty(); }

  // All records of a zero_copy() reader; empty otherwise.
  [[nodiscard]] std::span<const record> mapped_records() const { return laid_over_; }

  // The next records, at most batch_size; an empty batch at the end.
  record_batch<record> next() {
    if (zero_copy()) {
      const std::size_t at = static_cast<std::size_t>(position_);
      const auto rest = laid_over_.subspan(at);
      const std::size_t n = std::min(rest.size(), batch_size);
      if (n == 0) finish(in_.bytes().size() % Codec::size);
      position_ += n;
      return {rest.first(n), n < rest.size() ? &rest[n] : nullptr};
    }
    if (begin_ == end_ && !fill()) finish(partial_);
    const std::span<const record> all(buffer_.data() + begin_, end_ - begin_);
    position_ += all.size();
    begin_ = end_;
    return {all, held_back_ ? &buffer_[end_] : nullptr};
  }

  // Moves `n` records on, or to the last whole one; returns how many. At once if zero_copy(), else
  // as input::skip() does.
  std::uint64_t skip(std::uint64_t n) {
    std::uint64_t moved = 0;
    if (zero_copy()) {
      moved = std::min<std::uint64_t>(n, laid_over_.size() - position_);
    } else {
      const std::size_t held = end_ - begin_ + (held_back_ ? 1 : 0);
      moved = std::min<std::uint64_t>(n, held);
      // The record held back is the last to go: then nothing is held.
      held_back_ = held_back_ && moved < held;
      begin_ = moved < held ? begin_ + static_cast<std::size_t>(moved) : end_;
      if (moved < n && !ended_) moved += skip_unread(n - moved);
    }
    position_ += moved;
    return moved;
  }

  // Index of the record that next() begins with.
  [[nodiscard]] std::uint64_t position() const { return position_; }

  // Back to the first record. Throws trace_error(refused) for standard input and pipes.
  void rewind() {
    in_.rewind();
    start();
  }

  // How many whole records there are. A compressed file is read to its end once more for it; pipes
  // throw trace_error(refused). Damage behind the last whole record is next()'s to report.
  [[nodiscard]] std::uint64_t count() const { return in_.content_size() / Codec::size; }

  // How much of the file on disk was read, 0 to 1; nullopt for pipes.
  [[nodiscard]] std::optional<double> progress() const {
    if (zero_copy()) return static_cast<double>(position_) / static_cast<double>(laid_over_.size());
    const auto size = in_.size();
    if (!size || *size == 0) return std::nullopt;
    return static_cast<double>(in_.consumed()) / static_cast<double>(*size);
  }

 private:
  static constexpr std::size_t first_batch = 128;

  void start() {
    position_ = 0;
    begin_ = end_ = partial_ = 0;
    held_back_ = ended_ = false;
    failure_ = nullptr;
    if constexpr (Codec::object_layout) {
      const auto bytes = in_.bytes();
      const bool aligned = reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(record) == 0;
      // The codec has shown that a record's object is these bytes.
      if (aligned && bytes.size() >= Codec::size)
        laid_over_ = {reinterpret_cast<const record*>(bytes.data()), bytes.size() / Codec::size};
    }
  }

  // Reads the next batch into buffer_[0, end_). One record is held back behind it until it is known
  // whether another follows, so that each batch knows the ip that comes next. False at the end.
  bool fill() {
    if (ended_) return false;
    if (buffer_.empty()) buffer_.resize(first_batch);
    std::size_t have = 0;
    if (held_back_) {
      buffer_[0] = buffer_[end_];
      have = 1;
    }
    have += read_records(std::span(buffer_).subspan(have));
    // A short trace shall not pay for a large buffer.
    if (!ended_ && buffer_.size() <= batch_size) {
      buffer_.resize(batch_size + 1);
      have += read_records(std::span(buffer_).subspan(have));
    }
    held_back_ = !ended_ && have == buffer_.size();
    begin_ = 0;
    end_ = held_back_ ? have - 1 : have;
    return end_ != 0;
  }

  // Fills `out`, or less at the end, which it notes together with what was left over.
  std::size_t read_records(std::span<record> out) {
    std::span<std::byte> raw;
    if constexpr (Codec::object_layout) {
      raw = std::as_writable_bytes(out);
    } else {
      raw_.resize(out.size() * Codec::size);
      raw = raw_;
    }
    std::size_t got = 0;
    try {
      while (got < raw.size()) {
        const std::size_t n = in_.read(raw.subspan(got));
        if (n == 0) break;
        got += n;
      }
    } catch (const trace_error&) {
      failure_ = std::current_exception();  // thrown when all before it is delivered
    }
    ended_ = got < raw.size();
    partial_ = got % Codec::size;
    const std::size_t whole = got / Codec::size;
    if constexpr (!Codec::object_layout)
      wire::decode_array(wire::array_view<Codec>(raw.data(), whole), out);
    return whole;
  }

  // Skips `n` records that were not read, or all there are.
  std::uint64_t skip_unread(std::uint64_t n) {
    n = std::min(n, std::numeric_limits<std::uint64_t>::max() / Codec::size);
    const std::uint64_t got = in_.skip(n * Codec::size);
    if (got < n * Codec::size) {
      std::array<record, 1> none{};
      read_records(none);  // notes the error, if it was one
      partial_ = static_cast<std::size_t>(got % Codec::size);
    }
    return got / Codec::size;
  }

  // Nothing whole is left: returns quietly at a sound end.
  void finish(std::size_t partial) const {
    if (failure_) std::rethrow_exception(failure_);
    in_.check();
    const std::string size = std::to_string(Codec::size);
    if (partial != 0) {
      record cut{};
      const auto r = Codec::decode(std::span<const std::byte>(zeros_).first(partial), cut);
      throw trace_error(
          trace_errc::truncated,
          {in_.name(), position_ * Codec::size + r.used, position_, std::string(r.field)},
          "the trace ends inside the record, after " + std::to_string(partial) + " of " + size +
              " bytes" + in_.offset_note());
    }
    if (position_ == 0)
      throw trace_error(trace_errc::not_a_trace, {in_.name(), 0},
                        "empty, expected records of " + size + " bytes");
  }

  static constexpr std::array<std::byte, Codec::size> zeros_{};
  io::input in_;
  std::span<const record> laid_over_ = {};
  std::vector<record> buffer_ = {};
  std::vector<std::byte> raw_ = {};
  std::size_t begin_ = 0, end_ = 0;  // records of buffer_ not yet delivered
  std::size_t partial_ = 0;          // bytes behind the last whole record
  bool held_back_ = false, ended_ = false;
  std::exception_ptr failure_ = {};
  std::uint64_t position_ = 0;
};

}  // namespace tracecodec::champsim
