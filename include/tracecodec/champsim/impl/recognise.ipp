// Implementation of the functions in champsim/recognise.hpp that are not templates.
#pragma once
#include "../recognise.hpp"

#include <algorithm>

#include "../../feed/synthetic_addresses.hpp"
#include "../record_regions.hpp"

namespace tracecodec::champsim {

namespace detail {

// Returns true if the first records of `Codec` are events that were converted from a trace without
// instructions. Events have no branches and no registers. They have at most one address, which is
// read, written or both. Except in a small sample, at least one in eight events must have an
// address, unless all events have the same location.
template <class Codec> bool are_events(std::span<const std::byte> bytes) {
  const std::size_t n = std::min(bytes.size() / Codec::size, judged_records);
  std::size_t events = 0, operands = 0;
  std::uint64_t first = 0;
  bool one_location = true;
  for (std::size_t i = 0; i < n; ++i) {
    const auto one = bytes.subspan(i * Codec::size).template first<Codec::size>();
    if (first_bad<Codec>(one)) continue;
    const auto r = Codec::load(one.data());
    typename Codec::value_type as{};
    as.ip = r.ip;
    as.destination_memory[0] = r.destination_memory[0];
    as.source_memory[0] = r.source_memory[0];
    if constexpr (requires { as.asid; }) as.asid = r.asid;
    const std::uint64_t read = r.source_memory[0], written = r.destination_memory[0];
    if (as != r || (read != 0 && written != 0 && read != written)) continue;
    const std::uint64_t operand = read != 0 ? read : written;
    if (!feed::synthetic_addresses::may_be_event(r.ip, operand)) continue;
    if (events++ == 0) first = r.ip;
    one_location = one_location && r.ip == first;
    operands += operand != 0;
  }
  constexpr std::size_t few = 8;
  return n != 0 && 16 * events >= 15 * n && (n < few || one_location || 8 * operands >= n);
}

}  // namespace detail

TRACECODEC_FUNC std::optional<usual_record> recognise_records(std::span<const std::byte> head,
                                                              const judgement& standard,
                                                              bool begins_as_another) {
  const auto cloudsuite = champsim::probe<cloudsuite_codec>(head);
  const auto accepted = [&](const judgement& l, bool events) {
    if (begins_as_another) return l.mostly_plausible() && !l.is_data() && l.follows_itself();
    return l.likely() || (events && !l.is_data());
  };
  const bool usual = accepted(standard, detail::are_events<instruction_codec>(head));
  if (accepted(cloudsuite, detail::are_events<cloudsuite_codec>(head)) &&
      (!usual || cloudsuite.more_than(standard)))
    return usual_record::cloudsuite;
  return usual ? std::optional(usual_record::standard) : std::nullopt;
}

TRACECODEC_FUNC reason why_no_records(std::span<const std::byte> head, const judgement& standard,
                                      std::optional<std::uint64_t> size, std::string_view anyway) {
  const auto guess = guess_layout_of_file(head, size);
  if (standard.bad_byte && (guess || !standard.mostly_plausible())) {
    const auto found = std::to_integer<unsigned>(head[*standard.bad_byte]);
    return {*standard.bad_byte, "expected a flag byte of 0 or 1, found " + std::to_string(found) +
                                    (guess ? advice(*guess) : std::string())};
  }
  if (standard.plausible == 0) return {0, "all records would be at address 0"};
  if (guess) return {0, "its records are implausible as ChampSim's" + advice(*guess)};
  return {
      0, std::string("its addresses, read as ChampSim's, do not follow each other like a program's")
             .append(anyway)};
}

}  // namespace tracecodec::champsim
