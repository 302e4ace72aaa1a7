// Implements analysis/executed_blocks.hpp.
#pragma once
#include <algorithm>
#include <map>
#include <unordered_map>
#include <utility>

#include "../../io/hash.hpp"
#include "../executed_blocks.hpp"

namespace tracecodec::analysis {

struct executed_blocks::state {
  // No processor has longer instructions. A larger size in a trace is wrong, and counts as unknown.
  static constexpr std::uint32_t longest = 32;

  struct span_hash {
    std::size_t operator()(const std::pair<std::uint64_t, std::uint64_t>& span) const noexcept {
      return io::keyed_hash()(span.first, span.second);
    }
  };
  // Block that a thread executes.
  struct open_block {
    std::uint64_t address = 0;
    std::uint64_t last = 0, last_size = 0;  // last instruction; its size is 0 if it is unknown
    std::vector<std::uint8_t> steps = {};   // distances between the instructions
    bool is_open = false;
    [[nodiscard]] bool is_followed_by(std::uint64_t ip) const noexcept {
      return last_size != 0 ? ip == last + last_size : ip - last - 1 < 15;
    }
  };

  std::unordered_map<std::pair<std::uint64_t, std::uint64_t>, std::size_t, span_hash> numbers = {};
  std::vector<std::size_t> ends = {};  // for each block, the end of its distances in `steps`
  std::vector<std::uint8_t> steps = {};
  std::map<std::uint32_t, open_block> threads = {};

  void end(open_block& b, std::vector<executed_block>& blocks) {
    b.is_open = false;
    const std::uint64_t size = b.last - b.address + std::max<std::uint64_t>(b.last_size, 1);
    const auto [at, is_new] = numbers.try_emplace(std::pair(b.address, size), blocks.size());
    if (is_new) {
      blocks.push_back({b.address, size, 0});
      steps.insert(steps.end(), b.steps.begin(), b.steps.end());
      ends.push_back(steps.size());
    }
    ++blocks[at->second].executions;
  }
};

TRACECODEC_FUNC executed_blocks::executed_blocks(feed::column_set has)
    : columns_{feed::column::ip, feed::column::is_branch, feed::column::thread},
      state_(std::make_unique<state>()) {
  if (has.has(feed::column::size)) columns_ |= feed::column_set{feed::column::size};
}
TRACECODEC_FUNC executed_blocks::executed_blocks(executed_blocks&&) noexcept = default;
TRACECODEC_FUNC executed_blocks& executed_blocks::operator=(executed_blocks&&) noexcept = default;
TRACECODEC_FUNC executed_blocks::~executed_blocks() = default;

TRACECODEC_FUNC void executed_blocks::add(const feed::columns& batch) {
  const auto ips = batch.ip();
  const auto threads = batch.thread();
  const auto is_branch = batch.is_branch();
  const auto sizes = batch.code_size();  // empty if the trace does not contain sizes
  state::open_block* b = nullptr;
  for (std::size_t row = 0; row != batch.size(); ++row) {
    if (b == nullptr || threads[row] != threads[row - 1]) b = &state_->threads[threads[row]];
    const std::uint64_t ip = ips[row];
    if (b->is_open && ip == b->last) continue;
    if (b->is_open && (!b->is_followed_by(ip) || b->steps.size() + 1 == most_instructions))
      state_->end(*b, blocks_);
    if (b->is_open) {
      b->steps.push_back(static_cast<std::uint8_t>(ip - b->last));
    } else {
      b->address = ip;
      b->steps.clear();
      b->is_open = true;
    }
    b->last = ip;
    const std::uint32_t size = sizes.empty() ? 0 : sizes[row];
    b->last_size = size <= state::longest ? size : 0;
    if (is_branch[row] != 0) state_->end(*b, blocks_);
  }
}

TRACECODEC_FUNC void executed_blocks::finish() {
  for (auto& [thread, block] : state_->threads)
    if (block.is_open) state_->end(block, blocks_);
}

TRACECODEC_FUNC std::vector<executed_instruction> executed_blocks::instructions() const {
  std::vector<executed_instruction> all;
  all.reserve(blocks_.size() + state_->steps.size());
  std::size_t step = 0;
  for (std::size_t i = 0; i != blocks_.size(); ++i) {
    const executed_block& b = blocks_[i];
    all.push_back({b.address, b.executions});
    for (; step != state_->ends[i]; ++step)
      all.push_back({all.back().address + state_->steps[step], b.executions});
  }
  std::sort(all.begin(), all.end(),
            [](const auto& x, const auto& y) { return x.address < y.address; });
  std::size_t kept = 0;
  for (const executed_instruction& i : all) {
    if (kept != 0 && all[kept - 1].address == i.address)
      all[kept - 1].executions += i.executions;
    else
      all[kept++] = i;
  }
  all.resize(kept);
  return all;
}

}  // namespace tracecodec::analysis
