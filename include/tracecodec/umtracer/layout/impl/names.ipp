// The functions of umtracer/layout/names.hpp.
#pragma once
#include <algorithm>
#include <utility>

#include "../names.hpp"

namespace tracecodec::umtracer {

TRACECODEC_FUNC name_table::name_table(std::vector<entry> entries)
    : entries_(std::move(entries)), by_number_(entries_.size()) {
  for (std::size_t i = 0; i < entries_.size(); ++i) by_number_[i] = i;
  by_name_ = by_number_;
  std::sort(by_number_.begin(), by_number_.end(), [this](std::size_t a, std::size_t b) {
    return std::pair(entries_[a].number, a) < std::pair(entries_[b].number, b);
  });
  std::sort(by_name_.begin(), by_name_.end(), [this](std::size_t a, std::size_t b) {
    const auto names = order(entries_[a].name, entries_[b].name);
    return names < 0 || (names == 0 && a < b);
  });
}
TRACECODEC_FUNC std::string_view name_table::name(std::uint32_t number) const noexcept {
  const auto at =
      std::lower_bound(by_number_.begin(), by_number_.end(), number,
                       [this](std::size_t i, std::uint32_t n) { return entries_[i].number < n; });
  return at != by_number_.end() && entries_[*at].number == number
             ? std::string_view(entries_[*at].name)
             : std::string_view();
}
TRACECODEC_FUNC std::string name_table::text(std::uint32_t number) const {
  const std::string_view n = name(number);
  return n.empty() ? std::to_string(number) : std::string(n);
}
TRACECODEC_FUNC std::optional<std::uint32_t> name_table::number(std::string_view name,
                                                                letters how) const noexcept {
  auto at = std::lower_bound(
      by_name_.begin(), by_name_.end(), name,
      [this](std::size_t i, std::string_view n) { return order(entries_[i].name, n) < 0; });
  for (; at != by_name_.end() && order(entries_[*at].name, name) == 0; ++at)
    if (how == letters::any_case || entries_[*at].name == name) return entries_[*at].number;
  return std::nullopt;
}
TRACECODEC_FUNC int name_table::order(std::string_view a, std::string_view b) noexcept {
  const std::size_t n = std::min(a.size(), b.size());
  for (std::size_t i = 0; i < n; ++i)
    if (const int d = lower(a[i]) - lower(b[i]); d != 0) return d;
  return a.size() < b.size() ? -1 : a.size() > b.size() ? 1 : 0;
}

}  // namespace tracecodec::umtracer
