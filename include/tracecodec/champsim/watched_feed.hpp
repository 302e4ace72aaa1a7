// A trace_feed that tells when its records seem to be of another size: see record_regions.hpp.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "../io/callback.hpp"
#include "feed.hpp"
#include "record_regions.hpp"

namespace tracecodec::champsim {

// The same feed; warn(line) is called for the first region of other records that it comes to.
// It waits for the next batch: where an error comes instead, that is the cause, and tells more.
// Costs: the last records of each batch are looked at, and nothing without `warn`.
template <trace_record R, branch_rules Rules = branch_rules::current> class watched_feed
    : public feed::iterable<watched_feed<R, Rules>> {
 public:
  using record = R;
  using batch_type = instruction_batch<R, Rules>;

  watched_feed(trace_feed<R, Rules> from, io::callback<void(const std::string&)> warn)
      : from_(std::move(from)), warn_(std::move(warn)) {}

  watched_feed(watched_feed&&) = default;
  watched_feed& operator=(watched_feed&&) = default;
  ~watched_feed() { tell(); }

  batch_type next() {
    const std::string waiting = std::exchange(waiting_, {});
    batch_type b = from_.next();
    waiting_ = waiting;
    tell();
    if (warn_ && waiting_.empty()) watch(b.records());
    position_ += b.size();
    return b;
  }
  std::uint64_t skip(std::uint64_t n) {
    const std::uint64_t done = from_.skip(n);
    position_ += done;
    return done;
  }
  void rewind() {
    from_.rewind();
    position_ = 0;
  }
  std::optional<std::uint64_t> count() { return from_.count(); }
  [[nodiscard]] std::optional<double> progress() const { return from_.progress(); }
  [[nodiscard]] const std::string& name() const { return from_.name(); }

 private:
  static constexpr std::size_t sample = record_regions<R>::window;
  static constexpr unsigned longest_wait = 63;  // batches

  void watch(std::span<const R> all) {
    const auto last = all.last(std::min(all.size(), sample));
    if (detail::sequential_share(last) >= detail::least_sequential) return;
    if (wait_ != 0) {
      --wait_;
      return;
    }
    record_regions<R> regions;
    for (std::size_t i = 0; i < all.size();) {
      const auto part = regions.next(all.subspan(i), position_ + i);
      if (part.layout) return suspect(*part.layout, position_ + i);
      i += part.records;
    }
    wait_ = failed_ = std::min(2 * failed_ + 1, longest_wait);
  }
  void suspect(const record_layout& l, std::uint64_t index) {
    waiting_ =
        name() + ": from record " + std::to_string(index) + " on (offset " +
        std::to_string(index * codec_of<R>::size) + ") there seem to be " + describe<R>(l) +
        ": what is read as such is not what the trace says; trace_check finds all such places";
  }
  void tell() noexcept {
    if (waiting_.empty() || !warn_) return;
    try {
      std::exchange(warn_, nullptr)(std::exchange(waiting_, {}));
    } catch (...) {
      // A warning that cannot be given is no error.
    }
  }

  trace_feed<R, Rules> from_;
  io::callback<void(const std::string&)> warn_;
  std::string waiting_ = {};        // what is to be told
  std::uint64_t position_ = 0;      // of the next batch
  unsigned wait_ = 0, failed_ = 0;  // batches
};

}  // namespace tracecodec::champsim
