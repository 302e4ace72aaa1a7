// Where a trace's instructions come from, of one type whatever the format is: what sources of columns and
// of records have in common.
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

// Delivers instructions in batches; how, its derived classes say.
class batch_source {
 public:
  batch_source(const batch_source&) = delete;
  batch_source& operator=(const batch_source&) = delete;
  virtual ~batch_source() = default;

  // The columns of which the format knows something.
  [[nodiscard]] column_set has() const noexcept { return has_; }

  // As of feed::stream.
  virtual std::uint64_t skip(std::uint64_t n) = 0;
  virtual void rewind() = 0;
  virtual std::optional<std::uint64_t> count() = 0;
  [[nodiscard]] virtual std::optional<double> progress() const = 0;
  // How many instructions were delivered or skipped since the first: the number of the next one.
  [[nodiscard]] virtual std::uint64_t position() const noexcept = 0;
  // Of the trace, as its user named it; empty behind an adaptor.
  [[nodiscard]] virtual std::string_view name() const = 0;

 protected:
  explicit batch_source(column_set has) noexcept : has_(has) {}

 private:
  column_set has_;
};

// `Interface`, a batch_source, over a feed: where it stands, what is left of the feed's batch, and the
// error that waits behind it.
template <stream Feed, std::derived_from<batch_source> Interface> class feed_batches
    : public Interface {
 public:
  using batch_type = typename Feed::batch_type;
  using value_type = typename batch_type::value_type;

  // What it reads.
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
    feed_.rewind();  // a pipe refuses, and is read on
    batch_ = {};
    failure_ = nullptr;
    position_ = 0;
  }
  std::optional<std::uint64_t> count() override {
    const auto n = feed_.count();
    // What is left of the batch may have been read over.
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

  // What is left of the feed's batch.
  [[nodiscard]] const batch_type& batch() const noexcept { return batch_; }
  void take(std::size_t n) {
    batch_ = batch_.drop(n);
    position_ += n;
  }
  // Once nothing is left of it: the next one; false if there is none. What the feed throws waits for
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
  // Again at each call until rewind().
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
