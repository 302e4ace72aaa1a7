#include "executed_code.hpp"

#include <tracecodec/io/error.hpp>

#include <algorithm>
#include <tuple>

namespace debug {

namespace feed = tracecodec::feed;
using feed::column;

executed_code::executed_code(feed::column_source& trace, const std::function<void()>& passed) {
  const bool has_threads = trace.has().has(column::thread),
             has_code = trace.has().has(column::code);
  try {
    trace.rewind();
    if (!has_threads && !has_code)
      if (const auto n = trace.count()) {
        instructions_ = *n;
        if (instructions_ != 0) threads_.push_back({0, 0, instructions_ - 1});
        return;
      }
    feed::column_set wanted;
    if (has_threads) wanted |= {column::thread};
    if (has_code) wanted |= {column::ip, column::code};
    trace.want(wanted, feed::column_set{column::code} & wanted);
    for (feed::columns batch; trace.next(batch);) {
      add(batch, has_threads, has_code);
      if (passed) passed();
    }
  } catch (const tracecodec::trace_error& e) {
    error_ = e.what();
  }
  if (!has_threads && instructions_ != 0) threads_.push_back({0, 0, instructions_ - 1});
  newest_ = {};
  std::sort(code_.begin(), code_.end(), [](const version& a, const version& b) {
    return std::tie(a.ip, a.since) < std::tie(b.ip, b.since);
  });
}

void executed_code::add(const feed::columns& batch, bool has_threads, bool has_code) {
  for (std::size_t row = 0; row != batch.size(); ++row) {
    const std::uint64_t at = batch.first() + row;
    instructions_ = at + 1;
    if (has_threads) {
      const std::uint32_t thread = batch.thread()[row];
      if (threads_.empty() || row == 0 || thread != batch.thread()[row - 1]) {
        const auto found = numbers_.find(thread);
        if (found == numbers_.end()) {
          if (threads_.size() == most_threads) continue;
          numbers_.emplace(thread, threads_.size());
          threads_.push_back({thread, at, at});
        }
      }
      threads_[numbers_.at(thread)].last = at;
    }
    if (!has_code) continue;
    const auto code = batch.code()[row];
    if (code.empty() || code.size() > longest) continue;
    const std::uint64_t ip = batch.ip()[row];
    const auto [place, is_new] = newest_.try_emplace(ip, code_.size());
    if (!is_new) {
      const version& old = code_[place->second];
      if (std::equal(code.begin(), code.end(),
                     bytes_.begin() + static_cast<std::ptrdiff_t>(old.begin),
                     bytes_.begin() + static_cast<std::ptrdiff_t>(old.begin + old.size)))
        continue;
    }
    if (code_.size() == most_code) {
      if (is_new) newest_.erase(place);
      continue;
    }
    place->second = code_.size();
    code_.push_back({ip, at, bytes_.size(), static_cast<std::uint8_t>(code.size())});
    bytes_.insert(bytes_.end(), code.begin(), code.end());
  }
}

std::optional<std::byte> executed_code::at(std::uint64_t address, std::uint64_t at) const {
  const std::uint64_t lowest = address - std::min<std::uint64_t>(address, longest - 1);
  const version* best = nullptr;
  auto v = std::lower_bound(code_.begin(), code_.end(), lowest,
                            [](const version& a, std::uint64_t ip) { return a.ip < ip; });
  // A crafted trace may have very many versions.
  for (int n = 0; n != 4096 && v != code_.end() && v->ip <= address; ++v, ++n) {
    if (address - v->ip >= v->size) continue;
    const bool is_before = v->since <= at;
    if (best == nullptr || (is_before ? best->since > at || v->since >= best->since
                                      : best->since > at && v->since < best->since))
      best = &*v;
  }
  if (best == nullptr) return std::nullopt;
  return bytes_[best->begin + static_cast<std::size_t>(address - best->ip)];
}

}  // namespace debug
