#pragma once
#include "../code_anchors.hpp"

namespace tracecodec::analysis {

namespace detail {

// Multiplier of the hash of a sequence, and its power for the step that leaves the sequence.
constexpr std::uint64_t sequence_factor = 0x9E3779B97F4A7C15U;
constexpr std::uint64_t oldest_factor = [] {
  std::uint64_t power = 1;
  for (std::size_t n = 0; n != code_anchors::length; ++n) power *= sequence_factor;
  return power;
}();

// Returns the first address of row `row` that is read or, if `write` is 1, written.
inline std::uint64_t first_address(const feed::memory_column& m, std::size_t row,
                                   std::uint8_t write) noexcept {
  for (std::size_t k = m.begin(row); k != m.end(row); ++k)
    if (m.write[k] == write) return m.address[k];
  return 0;
}

}  // namespace detail

TRACECODEC_FUNC code_anchors::code_anchors(feed::column_set both)
    : columns_{feed::column::ip, feed::column::thread, feed::column::memory} {
  columns_ |= both & feed::column_set{feed::column::size, feed::column::code};
}

TRACECODEC_FUNC std::uint64_t code_anchors::step(const feed::columns& batch, std::size_t row,
                                                 std::uint64_t distance) const noexcept {
  const bool is_near = distance + most_distance <= 2 * most_distance;
  std::uint64_t s = io::mixed(is_near ? distance + 1 : 2 * most_distance);
  if (columns_.has(feed::column::size)) s = io::mixed(s ^ batch.code_size()[row]);
  if (columns_.has(feed::column::code)) {
    const auto code = batch.code()[row];
    s = io::mixed(s ^ (code.empty() ? 0x100 : std::to_integer<std::uint64_t>(code[0])));
  }
  return s;
}

TRACECODEC_FUNC void code_anchors::keep(const feed::columns& batch, std::size_t row,
                                        std::uint64_t hash) {
  const auto [at, is_new] = anchors_.try_emplace(hash);
  code_anchor& anchor = at->second;
  ++anchor.executions;
  const std::uint64_t ip = batch.ip()[row];
  if (!is_new) {
    anchor.repeated = anchor.repeated || anchor.ip != ip;
    return;
  }
  anchor.ip = ip;
  anchor.read = detail::first_address(batch.memory(), row, 0);
  anchor.written = detail::first_address(batch.memory(), row, 1);
  while (anchors_.size() > most_anchors) {
    threshold_ /= 2;
    for (auto i = anchors_.begin(); i != anchors_.end();)
      i = i->first > threshold_ ? anchors_.erase(i) : std::next(i);
  }
}

TRACECODEC_FUNC void code_anchors::add(const feed::columns& batch) {
  for (std::size_t row = 0; row != batch.size(); ++row) {
    const std::uint32_t thread = batch.thread()[row];
    const std::uint64_t ip = batch.ip()[row];
    sequence& t = threads_[thread % most_threads];
    if (!t.is_used || t.thread != thread) t = {.thread = thread, .is_used = true, .ip = ip};
    std::uint64_t& oldest = t.steps[t.count % length];
    const std::uint64_t newest = step(batch, row, ip - t.ip);
    t.hash = t.hash * detail::sequence_factor + newest - oldest * detail::oldest_factor;
    oldest = newest;
    t.ip = ip;
    // The first step has no difference, so it does not count.
    if (++t.count <= length) continue;
    const std::uint64_t hash = io::mixed(t.hash);
    if (hash <= threshold_) keep(batch, row, hash);
  }
}

}  // namespace tracecodec::analysis
