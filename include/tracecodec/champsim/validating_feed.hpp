// Adaptor of a trace_feed that validates the records. The adaptor warns if the records seem to have
// another size (record_regions.hpp), or if the register numbers seem to differ from ChampSim's
// numbers (register_watch.hpp).
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>

#include "feed.hpp"
#include "record_regions.hpp"
#include "register_watch.hpp"

namespace tracecodec::champsim {

// Callbacks of a validating_feed. Each callback receives a line of text. The checks for a callback
// that is not set are skipped.
struct watch_options {
  std::function<void(const std::string&)> warn = {};  // called if the records look wrong
  std::function<void(const std::string&)> note = {};  // called if the records seem incomplete
  bool sizes = true;                                  // false if the record size is certain
};

// Feed that returns the instructions of a trace_feed and examines them.
//
// warn(line) is called once, for the first of the following findings:
// - A region contains records with another layout. This call is delayed until the next batch has
//   been read. If reading fails, the feed drops the warning, because the read error explains the
//   wrong records better.
// - Records that are flagged as branches do not write the instruction pointer. This call is made
//   once there are enough such records, or at the end of the trace.
//
// note(line) is called if conditional branches read the flags, but no record writes the flags.
//
// The feed examines the last records of each batch. It also examines the first records of the
// trace, until the register numbers are certain. If neither `warn` nor `note` is set, the feed
// examines nothing.
template <trace_record R, branch_rules Rules = branch_rules::current> class validating_feed
    : public feed::iterable<validating_feed<R, Rules>> {
 public:
  using record = R;
  using batch_type = instruction_batch<R, Rules>;

  validating_feed(trace_feed<R, Rules> from, watch_options how)
      : from_(std::move(from)),
        how_{once(std::move(how.warn)), std::move(how.note), how.sizes},
        registers_(how_.warn, how_.note, from_.name(), true) {}

  validating_feed(validating_feed&&) = default;
  validating_feed& operator=(validating_feed&&) = default;
  ~validating_feed() { report(); }

  batch_type next() {
    const std::string waiting = std::exchange(waiting_, {});
    batch_type b = from_.next();
    waiting_ = waiting;
    report();
    if (how_.warn && how_.sizes && waiting_.empty()) watch(b.records());
    if (waiting_.empty() && registers_.watches()) registers_.add(b.records(), b.last_batch());
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
  static constexpr unsigned longest_wait = 63;  // maximum number of batches to skip

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
    waiting_ = name() + ": from record " + std::to_string(index) + " on (offset " +
               std::to_string(index * codec_of<R>::size) + ") there seem to be " + describe<R>(l) +
               ": records read from here on are wrong; trace_check finds all such places";
  }
  using listener = std::function<void(const std::string&)>;

  // Returns a callback that passes only the first line to `to`.
  static listener once(listener to) {
    if (!to) return {};
    return [to = std::move(to), reported = std::make_shared<bool>(false)](const std::string& line) {
      // All copies of the callback share the flag.
      if (!std::exchange(*reported, true)) to(line);
    };
  }
  void report() noexcept {
    if (waiting_.empty() || !how_.warn) return;
    try {
      std::exchange(how_.warn, nullptr)(std::exchange(waiting_, {}));
    } catch (...) {
      // Ignore the exception, because an undelivered warning is not an error.
    }
  }

  trace_feed<R, Rules> from_;
  watch_options how_;
  register_reports registers_;
  std::string waiting_ = {};        // warning that has not been delivered yet
  std::uint64_t position_ = 0;      // number of the first record in the next batch
  unsigned wait_ = 0, failed_ = 0;  // remaining and total length of the wait, in batches
};

}  // namespace tracecodec::champsim
