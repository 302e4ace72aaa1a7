#pragma once
#include "../record_regions.hpp"

#include <algorithm>

#include "../../wire/types/scalar.hpp"
#include "../record_size.hpp"

namespace tracecodec::champsim {

namespace detail {

TRACECODEC_FUNC ips_of::ips_of(std::span<const std::byte> bytes, std::uint64_t offset,
                               const record_layout& l)
    : bytes_(bytes),
      size_(l.size),
      first_((l.ip_at + l.size - static_cast<std::size_t>(offset % l.size)) % l.size) {}

TRACECODEC_FUNC std::size_t ips_of::size() const {
  return bytes_.size() < first_ + 8 ? 0 : (bytes_.size() - first_ - 8) / size_ + 1;
}

TRACECODEC_FUNC bool ips_of::sequential(std::size_t i) const {
  return follows_as_code(wire::u64le::load(bytes_.data() + at(i)),
                         wire::u64le::load(bytes_.data() + at(i + 1)));
}

TRACECODEC_FUNC double ips_of::share() const {
  if (size() < 2) return 0;
  std::size_t n = 0;
  for (std::size_t i = 0; i + 1 < size(); ++i) n += sequential(i);
  return static_cast<double>(n) / static_cast<double>(size() - 1);
}

TRACECODEC_FUNC std::size_t ips_of::begin() const {
  if (size() < 2) return 0;
  const std::size_t pairs = size() - 1;
  return at(pairs - front_pairs(pairs, [&](std::size_t i) { return sequential(pairs - 1 - i); }));
}

TRACECODEC_FUNC std::string describe(const record_layout& l, std::size_t size, std::size_t ip_at) {
  if (l.size != size)
    return "records of " + std::to_string(l.size) + " bytes, not " + std::to_string(size);
  const std::size_t shift = (l.ip_at + size - ip_at) % size;
  return "records " + std::to_string(shift) + " bytes after multiples of " + std::to_string(size);
}

}  // namespace detail

TRACECODEC_FUNC std::optional<record_layout> guess_layout(std::span<const std::byte> bytes,
                                                          std::uint64_t offset) {
  size_guess best{};
  std::size_t shift = 0;
  for (std::size_t from = 0; from < std::min<std::size_t>(bytes.size(), 8); ++from) {
    const size_guess g = guess_record_size(bytes.subspan(from));
    if (g.sequential > best.sequential) best = g, shift = from;
  }
  if (best.sequential < detail::least_sequential) return std::nullopt;
  return record_layout{best.size,
                       static_cast<std::size_t>((offset + shift + best.ip_at) % best.size)};
}

TRACECODEC_FUNC std::optional<record_layout> guess_layout_of_file(
    std::span<const std::byte> bytes, std::optional<std::uint64_t> file_size) {
  const size_guess whole = guess_record_size_of_file(bytes, file_size);
  const bool divides = file_size && whole.size != 0 && *file_size % whole.size == 0;
  if (whole.sequential >= detail::least_sequential && divides)
    return record_layout{whole.size, whole.ip_at};
  const auto small = guess_layout(bytes, 0);
  if (whole.sequential < detail::least_sequential || (small && small->size <= whole.size))
    return small;
  return record_layout{whole.size, whole.ip_at};
}

TRACECODEC_FUNC std::string advice(const record_layout& l) {
  // Sizes of the codecs, as literals that do not instantiate the codecs. layout.hpp asserts these
  // sizes.
  constexpr std::size_t champsim = 64, cloudsuite = 96;
  const std::string size = std::to_string(l.size);
  if (l.size == champsim || l.size == cloudsuite)
    return "; records of " + size + " bytes seem to begin at offset " + std::to_string(l.ip_at) +
           ": remove the bytes before them";
  constexpr std::size_t version2 = 512;
  return "; it seems to have records of " + size + " bytes, as " +
         (l.size == version2 ? "ChampSim's of version 2 (--record champsim2 reads these) and forks "
                               "of ChampSim have: "
                             : "a fork of ChampSim may write: ") +
         "describe a record by a table and pass it as --record FILE (docs/record-tables.md), or in "
         "C++ use champsim::trace_feed with a struct of that size (docs/descriptors.md)";
}

}  // namespace tracecodec::champsim
