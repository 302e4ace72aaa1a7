// Instructions of each trace that a comparison holds, and the search for the place where the
// traces meet again.
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

// Buffer of a source's next instructions, in any requested number, and of the last instructions
// before them.
class diff_side {
 public:
  // Creates an empty buffer that keeps at least `context` passed instructions. `most_values` is
  // the maximum number of values held; 0 for a comparison without values. `moved` relocates the
  // source's addresses and must outlive this object.
  diff_side(diff_source s, std::size_t context, std::size_t most_values,
            const relocation* moved = nullptr)
      : source_(std::move(s)), context_(context), moved_(moved) {
    if (most_values != 0) told_.emplace(most_values);
  }

  // Buffers `n` instructions, or all if fewer remain; returns the number buffered. An error of
  // the source is stored in failure(), for the caller to throw after consuming all instructions
  // before it.
  std::size_t hold(std::size_t n) {
    if (held_.size() - at_ < n && !ended_) fill(n);
    return std::min(held_.size() - at_, n);
  }
  // Returns true if at most `n` more instructions follow, including if an error ends the
  // source.
  bool ends_within(std::size_t n) { return hold(n + 1) <= n; }
  [[nodiscard]] std::exception_ptr failure() const noexcept { return failure_; }

  // Return the first buffered instruction, the next `n` instructions, and instruction number
  // `i`, or nullptr if it is not buffered.
  [[nodiscard]] const diff_step& front() const { return held_[at_]; }
  [[nodiscard]] std::span<const diff_step> next(std::size_t n) const {
    return std::span(held_).subspan(at_, n);
  }
  [[nodiscard]] const diff_step* at(std::size_t i) const {
    return at_ + i < held_.size() ? &held_[at_ + i] : nullptr;
  }
  // Returns the last `n` instructions that were passed; `n` is at most `context`.
  [[nodiscard]] std::span<const diff_step> passed(std::size_t n) const {
    return std::span(held_).subspan(at_ - n, n);
  }
  // Passes `n` instructions. If values are compared, call take_told() for each of them.
  void pass(std::size_t n) { at_ += n; }
  // Take the values of the next instruction; only for a comparison of values.
  auto take_told() { return told_->take(); }
  [[nodiscard]] bool took_all_told() const { return told_->took_all(); }

 private:
  void fill(std::size_t n) {
    const std::size_t gone = at_ - std::min(at_, context_);
    held_.erase(held_.begin(), held_.begin() + static_cast<std::ptrdiff_t>(gone));
    at_ -= gone;
    if (told_) told_->drop_taken();
    while (held_.size() - at_ < n && !ended_) {
      const std::size_t old = held_.size();
      try {
        ended_ = !source_.take(held_, told_ ? &*told_ : nullptr);
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
  std::optional<told_values> told_ = {};
  std::size_t at_ = 0;
  bool ended_ = false;
  std::exception_ptr failure_ = {};
};

// Positions at which two sequences meet again.
struct meeting_point {
  std::size_t a, b;
  friend bool operator==(const meeting_point&, const meeting_point&) = default;
};
// Finds the nearest place from which on `run` ips are equal: the place with the smallest sum of
// positions, then with the smallest position in `a`. If there is no such place and `to_the_end`
// is true, finds the place from which on both sequences are equal to their ends. Returns
// nullopt if neither place exists. Takes O(n log n) comparisons of numbers and O(n run) steps
// for hashes, whatever the ips are.
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
