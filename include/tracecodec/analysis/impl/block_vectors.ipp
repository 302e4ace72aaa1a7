// Implements analysis/block_vectors.hpp.
#pragma once
#include <algorithm>
#include <memory>
#include <unordered_map>
#include <utility>
#include <vector>

#include "../../io/hash.hpp"
#include "../../rows/numbers.hpp"
#include "../block_vectors.hpp"

namespace tracecodec::analysis {

struct block_vectors::state {
  std::uint64_t interval = 1;
  std::uint64_t left = 1;                  // remaining instructions of the interval
  std::uint64_t intervals = 0;             // number of intervals that have ended
  bool begins = true;                      // true if the next instruction begins a block
  std::uint32_t block = 0;                 // number of the last instruction's block, from 0
  std::vector<std::uint64_t> counts = {};  // number of the interval's instructions in each block
  std::vector<std::uint32_t> used = {};    // blocks with instructions in the interval
  std::string lines = {};
  std::unordered_map<std::uint64_t, std::uint32_t, io::keyed_hash> numbers = {};

  void enter(std::uint64_t ip) {
    const auto next = static_cast<std::uint32_t>(counts.size());
    const auto [at, is_new] = numbers.try_emplace(ip, next);
    if (is_new) counts.push_back(0);
    block = at->second;
    begins = false;
  }
  void count(std::uint64_t n) {
    if (counts[block] == 0) used.push_back(block);
    counts[block] += n;
    left -= n;
    if (left == 0) end();
  }
  void end() {
    std::sort(used.begin(), used.end());
    lines += 'T';
    for (const std::uint32_t b : used) {
      lines += ':';
      rows::add_number(lines, b + std::uint64_t{1});
      lines += ':';
      rows::add_number(lines, counts[b]);
      lines += ' ';
      counts[b] = 0;
    }
    lines += '\n';
    used.clear();
    left = interval;
    ++intervals;
  }
};

TRACECODEC_FUNC block_vectors::block_vectors(std::uint64_t interval)
    : state_(std::make_unique<state>()) {
  state_->interval = state_->left = interval;
}
TRACECODEC_FUNC block_vectors::block_vectors(block_vectors&&) noexcept = default;
TRACECODEC_FUNC block_vectors& block_vectors::operator=(block_vectors&&) noexcept = default;
TRACECODEC_FUNC block_vectors::~block_vectors() = default;

TRACECODEC_FUNC void block_vectors::add(std::span<const std::uint64_t> ips,
                                        std::span<const std::uint8_t> is_branch) {
  state& s = *state_;
  for (std::size_t i = 0; i != ips.size();) {
    if (s.begins) s.enter(ips[i]);
    // Count up to the branch that ends the block, or to the end of the interval.
    const std::size_t most =
        static_cast<std::size_t>(std::min<std::uint64_t>(ips.size() - i, s.left));
    std::size_t n = 0;
    while (n != most && is_branch[i + n] == 0) ++n;
    if (n != most) {
      ++n;
      s.begins = true;
    }
    s.count(n);
    i += n;
  }
}

TRACECODEC_FUNC void block_vectors::finish() {
  if (state_->left != state_->interval) state_->end();
}
TRACECODEC_FUNC std::string block_vectors::result() { return std::exchange(state_->lines, {}); }
TRACECODEC_FUNC std::uint64_t block_vectors::intervals() const noexcept {
  return state_->intervals;
}
TRACECODEC_FUNC std::uint64_t block_vectors::blocks() const noexcept {
  return state_->counts.size();
}

}  // namespace tracecodec::analysis
