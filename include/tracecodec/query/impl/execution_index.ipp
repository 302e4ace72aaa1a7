#pragma once
#include <bit>
#include <functional>

#include "../../io/error.hpp"
#include "../execution_index.hpp"
#include "granules.hpp"

namespace tracecodec::query {

namespace detail {

// Returns the number of the instruction of a run that begins at bit `bit` of its mask.
constexpr std::uint64_t number_in_run(const posting& run, int bit) noexcept {
  return run.at + static_cast<std::uint64_t>(std::popcount(run.mask & ((byte_mask{1} << bit) - 1)));
}

}  // namespace detail

TRACECODEC_FUNC execution_index::execution_index(const checked_file& file)
    : file_(&file), runs_(file, file.required(section_kind::executions)) {}

template <class List>
std::optional<std::uint64_t> execution_index::last_in(const List& list, byte_mask mask,
                                                      std::uint64_t before) const {
  std::uint64_t end = before;
  // Runs do not overlap, so only the last one may have instructions from `before` on.
  for (int tries = 0; tries != 2; ++tries) {
    const std::optional<posting> run = runs_.last(list, {mask}, end);
    if (!run) return std::nullopt;
    for (byte_mask wanted = run->mask & mask; wanted != 0;) {
      const int bit = 63 - std::countl_zero(wanted);
      if (const std::uint64_t at = detail::number_in_run(*run, bit); at < before) return at;
      wanted ^= byte_mask{1} << bit;
    }
    end = run->at;
  }
  throw file_->damaged(file_->required(section_kind::executions).offset, "executions overlap");
}

template <class List>
std::optional<std::uint64_t> execution_index::first_in(const List& list, byte_mask mask,
                                                       std::uint64_t from) const {
  if (const std::optional<posting> run = runs_.last(list, {mask}, from))
    for (byte_mask wanted = run->mask & mask; wanted != 0; wanted &= wanted - 1)
      if (const std::uint64_t at = detail::number_in_run(*run, std::countr_zero(wanted));
          at >= from)
        return at;
  const std::optional<posting> run = runs_.first(list, {mask}, from);
  if (!run) return std::nullopt;
  return detail::number_in_run(*run, std::countr_zero(run->mask & mask));
}

TRACECODEC_FUNC std::optional<std::uint64_t> execution_index::last(
    const analysis::address_span& ips, std::uint64_t before) const {
  return detail::best_of_granules(
      runs_, ips, [&](const auto& list, byte_mask mask) { return last_in(list, mask, before); },
      std::greater<>());
}

TRACECODEC_FUNC std::optional<std::uint64_t> execution_index::first(
    const analysis::address_span& ips, std::uint64_t from) const {
  return detail::best_of_granules(
      runs_, ips, [&](const auto& list, byte_mask mask) { return first_in(list, mask, from); },
      std::less<>());
}

}  // namespace tracecodec::query
