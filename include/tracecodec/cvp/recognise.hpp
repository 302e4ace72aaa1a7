// Recognises CVP-1 and CBP2025 records. The formats have no magic number, but each record must
// begin where the previous one ends, and each ip must follow from the previous instruction.
#pragma once
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

#include "../file/match.hpp"
#include "layout.hpp"

namespace tracecodec::cvp {

// Maximum number of records that are examined.
inline constexpr std::size_t judged_records = 256;

// Returns true if the values of a record are plausible for an AArch64 instruction.
template <dialect D> constexpr bool is_plausible(const instruction<D>& i) noexcept {
  constexpr std::size_t most_registers = 8;
  constexpr std::uint8_t most_bytes = 64;
  if (i.pc == 0 || i.pc % 4 != 0 || i.what == instruction_class::undefined) return false;
  if (i.inputs.size() > most_registers || i.outputs.size() > most_registers) return false;
  if (i.accesses() && (i.size == 0 || i.size > most_bytes)) return false;
  return !i.branches() || i.taken || i.what == instruction_class::conditional;
}

// Returns the address of the instruction after `i`.
template <dialect D> constexpr std::uint64_t next_pc(const instruction<D>& i) noexcept {
  return i.taken ? i.target : i.pc + 4;
}

// Returns how well the beginning of a file's content matches. `size` is the size of the content in
// bytes, if known. The match is certain if at least two records are plausible, and three quarters
// of the ips follow from the previous record. A single record must be the whole content.
template <dialect D>
file::match probe(std::span<const std::byte> front, std::optional<std::uint64_t> size) {
  std::size_t at = 0, records = 0, follows = 0;
  std::uint64_t next = 0;
  while (records != judged_records && at != front.size()) {
    instruction<D> one{};
    const auto r = codec<D>::decode(front.subspan(at), one);
    if (r.error == wire::errc::truncated) break;
    if (!r || !is_plausible(one)) return file::match::none;
    follows += records != 0 && one.pc == next;
    next = next_pc(one);
    at += r.used;
    ++records;
  }
  if (records < 2)
    return records == 1 && size && *size == at ? file::match::possible : file::match::none;
  return 4 * follows >= 3 * (records - 1) ? file::match::certain : file::match::none;
}

}  // namespace tracecodec::cvp
