// Cuts a run whose length nobody knows into at most N buckets of equal width, for what changes over
// time: when all are full, neighbours become one and the width doubles.
#pragma once
#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>

namespace tracecodec::analysis {

// Which bucket the next item of a run belongs to. Clocks of the same N that see the same number of
// items stand at the same place.
template <std::size_t N> class bucket_clock {
  static_assert(N >= 2 && N % 2 == 0);

 public:
  // The bucket of the next item, below N.
  [[nodiscard]] constexpr std::size_t now() const noexcept { return now_; }
  // One item has passed. True if it filled the last bucket: the width has doubled, and every line
  // of buckets must be folded, once.
  [[nodiscard]] constexpr bool tick() noexcept {
    if (++in_now_ != width_) return false;
    in_now_ = 0;
    if (++now_ != N) return false;
    now_ = N / 2;
    width_ *= 2;
    return true;
  }

  // Items of a full bucket.
  [[nodiscard]] constexpr std::uint64_t width() const noexcept { return width_; }
  // All that have passed.
  [[nodiscard]] constexpr std::uint64_t items() const noexcept { return now_ * width_ + in_now_; }
  // How many buckets have items: more than N / 2 as soon as there are so many items.
  [[nodiscard]] constexpr std::size_t used() const noexcept { return now_ + (in_now_ != 0); }
  // How many items bucket `i` has, which is below used(): all but the last are full.
  [[nodiscard]] constexpr std::uint64_t items_in(std::size_t i) const noexcept {
    return i < now_ ? width_ : in_now_;
  }

 private:
  std::size_t now_ = 0;
  std::uint64_t in_now_ = 0, width_ = 1;
};

// What one bucket holds: a number, or counts that can be added up.
template <class B>
concept mergeable = std::default_initializable<B> && requires(B a, const B& b) {
  a += b;
};

// Neighbours become one: the first half of `line` is what all of it was.
template <mergeable Bucket, std::size_t N> constexpr void fold(std::array<Bucket, N>& line) {
  for (std::size_t i = 0; i < N / 2; ++i) {
    line[i] = line[2 * i];
    line[i] += line[2 * i + 1];
  }
  for (std::size_t i = N / 2; i < N; ++i) line[i] = Bucket{};
}

// A line of buckets with its clock. For each item: add to now(), then tick().
template <mergeable Bucket, std::size_t N = 240> class time_line {
 public:
  [[nodiscard]] constexpr Bucket& now() noexcept { return buckets_[clock_.now()]; }
  constexpr void tick() {
    if (clock_.tick()) fold(buckets_);
  }

  [[nodiscard]] constexpr const bucket_clock<N>& clock() const noexcept { return clock_; }
  // How many buckets have items, and each of them.
  [[nodiscard]] constexpr std::size_t size() const noexcept { return clock_.used(); }
  [[nodiscard]] constexpr const Bucket& operator[](std::size_t i) const noexcept {
    return buckets_[i];
  }

 private:
  bucket_clock<N> clock_ = {};
  std::array<Bucket, N> buckets_ = {};
};

}  // namespace tracecodec::analysis
