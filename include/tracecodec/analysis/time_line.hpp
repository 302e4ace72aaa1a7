// Divides a run of unknown length into at most N buckets of equal width, for properties that change
// over time. Once all buckets are full, pairs of neighbouring buckets are merged and the width
// doubles.
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

#include "../config.hpp"

namespace tracecodec::analysis {

// Clock that determines the bucket of the next item in a run. Clocks with the same N and the same
// number of items are in the same state.
template <std::size_t N> class bucket_clock {
  static_assert(N >= 2 && N % 2 == 0);

 public:
  // Returns the bucket of the next item, below N.
  [[nodiscard]] constexpr std::size_t now() const noexcept { return now_; }
  // Counts one item. Returns true if the item filled the last bucket. In that case, the width has
  // doubled, and the caller must fold every line of buckets once.
  [[nodiscard]] constexpr bool tick() noexcept {
    if (++in_now_ != width_) return false;
    in_now_ = 0;
    if (++now_ != N) return false;
    now_ = N / 2;
    width_ *= 2;
    return true;
  }

  // Returns the number of items in a full bucket.
  [[nodiscard]] constexpr std::uint64_t width() const noexcept { return width_; }
  // Returns the number of items counted.
  [[nodiscard]] constexpr std::uint64_t items() const noexcept { return now_ * width_ + in_now_; }
  // Returns the number of buckets with items. More than half of the N buckets are used once there
  // are more than N / 2 items.
  [[nodiscard]] constexpr std::size_t used() const noexcept { return now_ + (in_now_ != 0); }
  // Returns the number of items in bucket `i`, which must be below used(). All used buckets except
  // the last are full.
  [[nodiscard]] constexpr std::uint64_t items_in(std::size_t i) const noexcept {
    return i < now_ ? width_ : in_now_;
  }

 private:
  std::size_t now_ = 0;
  std::uint64_t in_now_ = 0, width_ = 1;
};

// Content of a bucket: a number, or counts that can be added.
template <class B>
concept mergeable = std::default_initializable<B> && requires(B a, const B& b) {
  a += b;
};

// Merges pairs of neighbouring buckets into the first half of `line`, and clears the second
// half.
template <mergeable Bucket, std::size_t N> constexpr void fold(std::array<Bucket, N>& line) {
  for (std::size_t i = 0; i < N / 2; ++i) {
    line[i] = line[2 * i];
    line[i] += line[2 * i + 1];
  }
  for (std::size_t i = N / 2; i < N; ++i) line[i] = Bucket{};
}

// Line of buckets and its clock. For each item, update now() and then call tick().
template <mergeable Bucket, std::size_t N = 240> class time_line {
 public:
  [[nodiscard]] constexpr Bucket& now() noexcept { return buckets_[clock_.now()]; }
  constexpr void tick() {
    if (clock_.tick()) fold(buckets_);
  }

  [[nodiscard]] constexpr const bucket_clock<N>& clock() const noexcept { return clock_; }
  // Return the number of buckets with items, and bucket `i`.
  [[nodiscard]] constexpr std::size_t size() const noexcept { return clock_.used(); }
  [[nodiscard]] constexpr const Bucket& operator[](std::size_t i) const noexcept {
    return buckets_[i];
  }

 private:
  bucket_clock<N> clock_ = {};
  std::array<Bucket, N> buckets_ = {};
};

}  // namespace tracecodec::analysis
