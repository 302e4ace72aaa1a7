// Base class of column sources and record sources, which have the same type for traces of any
// format.
#pragma once
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "column.hpp"
#include "stream.hpp"

namespace tracecodec::feed {

// Source of batches of instructions. The derived classes define the form of a batch.
class batch_source {
 public:
  batch_source(const batch_source&) = delete;
  batch_source& operator=(const batch_source&) = delete;
  virtual ~batch_source() = default;

  // Returns the columns for which the format stores data.
  [[nodiscard]] column_set has() const noexcept { return has_; }

  // For the following functions, see feed::stream.
  virtual std::uint64_t skip(std::uint64_t n) = 0;
  virtual void rewind() = 0;
  virtual std::optional<std::uint64_t> count() = 0;
  [[nodiscard]] virtual std::optional<double> progress() const = 0;
  // Returns the index of the next instruction, which equals the number of instructions returned or
  // skipped so far.
  [[nodiscard]] virtual std::uint64_t position() const noexcept = 0;
  // Moves to the instruction with number `n`, or to the end. Rewinds if it is before the position.
  void move_to(std::uint64_t n) {
    if (n < position()) rewind();
    skip(n - position());
  }
  // Returns the name of the trace as specified by the user, or an empty string if the feed is an
  // adaptor.
  [[nodiscard]] virtual std::string_view name() const = 0;

 protected:
  explicit batch_source(column_set has) noexcept : has_(has) {}

 private:
  column_set has_;
};

// Implementation of `Interface`, a batch_source, on top of a feed. It stores the current position,
// the unread rest of the feed's batch, and an error to throw when the rest has been read.
template <stream Feed, std::derived_from<batch_source> Interface> class feed_batches
    : public Interface {
 public:
  using batch_type = typename Feed::batch_type;
  using value_type = typename batch_type::value_type;

  [[nodiscard]] const Feed& feed() const noexcept { return feed_; }

  std::uint64_t skip(std::uint64_t n) override {
    std::uint64_t done = std::min<std::uint64_t>(n, batch_.size());
    take(static_cast<std::size_t>(done));
    if (done != n && !failure_) {
      const std::uint64_t more = feed_.skip(n - done);
      position_ += more;
      done += more;
    }
    return done;
  }
  void rewind() override {
    // Rewind the feed first: if rewind() throws because the input is a pipe, the pipe can still be
    // read.
    feed_.rewind();
    batch_ = {};
    failure_ = nullptr;
    position_ = 0;
  }
  std::optional<std::uint64_t> count() override {
    const auto n = feed_.count();
    // count() may have invalidated the rest of the batch, so the batch is read again.
    if (batch_.size() != 0) {
      feed_.rewind();
      feed_.skip(position_);
      batch_ = {};
      failure_ = nullptr;
    }
    return n;
  }
  [[nodiscard]] std::optional<double> progress() const override { return feed_.progress(); }
  [[nodiscard]] std::uint64_t position() const noexcept override { return position_; }
  [[nodiscard]] std::string_view name() const override {
    if constexpr (requires {
                    { feed_.name() } -> std::same_as<const std::string&>;
                  })
      return feed_.name();
    return {};
  }

 protected:
  template <class... Known> explicit feed_batches(Feed feed, Known... known)
      : Interface(known...), feed_(std::move(feed)) {}

  // Returns the instructions of the feed's batch that take() has not consumed.
  [[nodiscard]] const batch_type& batch() const noexcept { return batch_; }
  void take(std::size_t n) {
    batch_ = batch_.drop(n);
    position_ += n;
  }
  // Fetches the feed's next batch. Call this function only after the current batch was consumed.
  // Returns false at the end of the feed or after an exception, which is stored for
  // throw_failure().
  bool pull() {
    if (failure_) return false;
    try {
      batch_ = feed_.next();
    } catch (...) {
      batch_ = {};
      failure_ = std::current_exception();
    }
    return batch_.size() != 0;
  }
  // Rethrows the stored exception, if there is one. The exception remains stored until rewind() is
  // called.
  void throw_failure() const {
    if (failure_) std::rethrow_exception(failure_);
  }
  [[nodiscard]] bool failed() const noexcept { return failure_ != nullptr; }

 private:
  Feed feed_;
  batch_type batch_ = {};
  std::uint64_t position_ = 0;
  std::exception_ptr failure_ = {};
};

}  // namespace tracecodec::feed
