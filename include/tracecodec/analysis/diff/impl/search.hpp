// Buffers the instructions of two traces for a comparison, and finds the place where the traces
// meet again.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "../source.hpp"
#include "moved_step.hpp"
#include "values.hpp"

namespace tracecodec::analysis::detail {

// Buffer for the next instructions of a source, and for the last instructions before them. The
// buffer grows to the number of instructions that the caller requests.
class diff_side {
 public:
  // Creates an empty buffer. After pass(), the buffer still contains at least the last `context`
  // instructions. `most_values` is the maximum number of buffered values, or 0 if values are not
  // compared. `moved` relocates the source's addresses and must outlive this object.
  diff_side(diff_source s, std::size_t context, std::size_t most_values,
            const relocation* moved = nullptr)
      : source_(std::move(s)), context_(context), moved_(moved) {
    if (most_values != 0) recorded_.emplace(most_values);
  }

  // Buffers `n` instructions, or all remaining instructions if there are fewer. Returns the number
  // of buffered instructions. If the source throws an error, failure() returns the error. The
  // caller must throw the error after consuming all earlier instructions.
  std::size_t hold(std::size_t n) {
    if (held_.size() - at_ < n && !ended_) fill(n);
    return std::min(held_.size() - at_, n);
  }
  // Returns true if at most `n` more instructions follow. An error counts as the end of the source.
  bool ends_within(std::size_t n) { return hold(n + 1) <= n; }
  [[nodiscard]] std::exception_ptr failure() const noexcept { return failure_; }

  // Return the first buffered instruction, the next `n` instructions, and the instruction at index
  // `i` from the first buffered instruction. at() returns nullptr if the instruction is not
  // buffered.
  [[nodiscard]] const diff_step& front() const { return held_[at_]; }
  [[nodiscard]] std::span<const diff_step> next(std::size_t n) const {
    return std::span(held_).subspan(at_, n);
  }
  [[nodiscard]] const diff_step* at(std::size_t i) const {
    return at_ + i < held_.size() ? &held_[at_ + i] : nullptr;
  }
  // Returns the last `n` instructions that pass() moved past. `n` must be at most `context`.
  [[nodiscard]] std::span<const diff_step> passed(std::size_t n) const {
    return std::span(held_).subspan(at_ - n, n);
  }
  // Moves past the next `n` instructions. If values are compared, the caller must also call
  // take_values() for each of these instructions.
  void pass(std::size_t n) { at_ += n; }
  // Removes and returns the values of the next instruction. Afterwards, took_all_values() returns
  // true if no value was left out. Call these functions only if values are compared.
  auto take_values() { return recorded_->take(); }
  [[nodiscard]] bool took_all_values() const { return recorded_->took_all(); }

 private:
  void fill(std::size_t n) {
    const std::size_t gone = at_ - std::min(at_, context_);
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(gone));
    at_ -= gone;
    if (recorded_) recorded_->drop_taken();
    while (held_.size() - at_ < n && !ended_) {
      const std::size_t old = held_.size();
      try {
        ended_ = !source_.take(held_, recorded_ ? &*recorded_ : nullptr);
      } catch (...) {
        failure_ = std::current_exception();
        ended_ = true;
      }
      if (moved_ != nullptr && !moved_->empty())
        for (std::size_t i = old; i < held_.size(); ++i) relocate(held_[i], *moved_);
    }
  }

  diff_source source_;
  std::size_t context_;
  const relocation* moved_;
  std::vector<diff_step> held_ = {};
  std::optional<recorded_values> recorded_ = {};
  std::size_t at_ = 0;
  bool ended_ = false;
  std::exception_ptr failure_ = {};
};

// Positions in two sequences from which the sequences are equal again.
struct meeting_point {
  std::size_t a, b;
  friend bool operator==(const meeting_point&, const meeting_point&) = default;
};
// Finds the nearest place at which the next `run` ips are equal. The nearest place is the place
// with the smallest sum of positions. If several sums are equal, it is the place with the smallest
// position in `a`. If there is no such place and `to_the_end` is true, finds the place from which
// both sequences are equal up to their ends. Returns nullopt if neither place exists. Takes O(n log
// n) comparisons and O(n run) hashing steps, even for hostile ips.
inline std::optional<meeting_point> meeting(std::span<const diff_step> a,
                                            std::span<const diff_step> b, std::size_t run,
                                            bool to_the_end) {
  const auto hash = [run](const diff_step* s) {
    std::uint64_t h = 0;
    for (std::size_t i = 0; i < run; ++i) {
      h = (h ^ s[i].record.ip) * 0x9E3779B97F4A7C15U;
      h ^= h >> 32U;
    }
    return h;
  };
  // Positions in b, sorted by hash and position.
  std::vector<std::pair<std::uint64_t, std::size_t>> places;
  for (std::size_t j = 0; j + run <= b.size(); ++j) places.emplace_back(hash(&b[j]), j);
  std::sort(places.begin(), places.end());
  std::optional<meeting_point> best;
  const auto sum = [&best] { return best ? best->a + best->b : ~std::size_t{0}; };
  for (std::size_t i = 0; i + run <= a.size() && i < sum(); ++i) {
    const std::pair wanted{hash(&a[i]), std::size_t{0}};
    const auto found = std::lower_bound(places.begin(), places.end(), wanted);
    if (found == places.end() || found->first != wanted.first || i + found->second >= sum())
      continue;
    const std::size_t j = found->second;
    std::size_t k = 0;
    while (k < run && a[i + k].record.ip == b[j + k].record.ip) ++k;
    if (k == run) best = {i, j};
  }
  if (to_the_end && !best) {
    std::size_t k = 0;
    while (k < a.size() && k < b.size() &&
           a[a.size() - 1 - k].record.ip == b[b.size() - 1 - k].record.ip)
      ++k;
    if (k != 0) best = {a.size() - k, b.size() - k};
  }
  return best;
}

}  // namespace tracecodec::analysis::detail
