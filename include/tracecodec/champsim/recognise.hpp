// Recognises ChampSim records by what a program's trace looks like. The format has no magic number.
#pragma once
#include <array>
#include <bit>
#include <bitset>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "../config.hpp"
#include "layout.hpp"
#include "record_size.hpp"

namespace tracecodec::champsim {

// How many records decide. More would not separate traces better, and damage after them is the
// reader's to report.
inline constexpr std::size_t judged_records = 32;
// Fewer than these may look like anything.
inline constexpr std::size_t few_records = 4;

// Counts pairs of records that are `distance` apart. Threads that take turns are some records apart.
struct flow {
  std::size_t onward = 0;  // pairs whose second ip is 1 to 15 bytes after the first
  std::size_t back = 0;    // pairs whose first ip is so after the second, without a taken branch
  std::size_t risc = 0;    // of the onward pairs: 2 or 4 bytes apart
  unsigned steps = 0;      // bit n is set if an onward pair is n bytes apart

  inline void add(std::uint64_t ip, bool taken, std::uint64_t next) noexcept;
  // True if enough of `pairs` pairs lead on.
  [[nodiscard]] inline bool leads_on(std::size_t pairs) const noexcept;
  // True if they do so by steps as only code has: several, or the length of an instruction of RISC. A
  // single step may be that of an index.
  [[nodiscard]] inline bool by_instructions() const noexcept;
};

// What the first records of one codec at the front of some bytes look like.
struct judgement {
  static constexpr std::size_t distances = 4;

  std::size_t records = 0;      // judged
  std::size_t plausible = 0;    // with flags and padding that a record can have, and an ip
  std::size_t well_formed = 0;  // of those: also with addresses and operands as tracers write them
  std::size_t usual = 0;        // of the well-formed ones: with few addresses, which can exist
  std::size_t registers = 0;    // of the well-formed ones: with a register
  std::size_t operands = 0;     // of the plausible ones: with a register or an address
  std::size_t possible = 0;     // of the plausible ones: packed, with addresses that can exist
  std::size_t returns = 0;      // plausible neighbours of which the second has the lower ip
  std::size_t row_like = 0;     // plausible ones with what rows of a table have, but no instruction
  bool mark = false;            // a single record that looks like the mark of another file
  std::bitset<256> used = {};   // registers that occur in well-formed records
  std::array<flow, distances> flows = {};  // of plausible pairs, by distance - 1
  // Offset of the first flag or padding byte that none has.
  std::optional<std::size_t> bad_byte = {};

  // True for a trace: most records are plausible, and either their ips follow each other, or nearly
  // all are well-formed.
  [[nodiscard]] bool likely() const noexcept {
    return mostly_plausible() && !is_data() && (follows_itself() || keeps_form());
  }
  // True for the mark of another file, and if more than half of the records look like rows of a table. Of a few
  // records that may be chance.
  [[nodiscard]] constexpr bool is_data() const noexcept {
    return mark || (records >= few_records && 2 * row_like > records);
  }
  // True if more than half are plausible: a few odd records do not make another format.
  [[nodiscard]] bool mostly_plausible() const noexcept { return 2 * plausible > records; }
  // True if ips follow each other as a program's do. No other data that was tried does so.
  [[nodiscard]] inline bool follows_itself() const noexcept;
  // True if ips only go up, in records without operands, or in many records without registers. A column of
  // a table does so. Programs jump back, and few of their instructions have no register. Code of RISC is
  // excepted, from tracers that write no registers: mostly by 2 or 4 bytes, with addresses that can exist.
  [[nodiscard]] inline bool only_counts() const noexcept;
  // True if at least 7 of 8 records are well-formed and use registers, or a single one is well-formed
  // and usual.
  [[nodiscard]] inline bool keeps_form() const noexcept;
  // True if one of 4 records has registers; of many records not always the same one.
  [[nodiscard]] inline bool uses_registers() const noexcept;
  // True if a larger share of records is plausible.
  [[nodiscard]] constexpr bool more_than(const judgement& other) const noexcept {
    return plausible * other.records > other.plausible * records;
  }
};

namespace detail {

// True for addresses of x86-64 and AArch64 with 48 bits, and those of smaller machines.
constexpr bool is_canonical(std::uint64_t address) noexcept {
  return address >> 48 == 0 || address >> 48 == 0xFFFF;
}

// True if the used slots come first, as tracers fill them from the front.
template <class Slots> constexpr bool is_packed(const Slots& slots) noexcept {
  for (std::size_t i = 1; i < slots.size(); ++i)
    if (slots[i] != 0 && slots[i - 1] == 0) return false;
  return true;
}

template <trace_record R> constexpr bool is_packed_record(const R& r) noexcept {
  return is_packed(r.destination_registers) && is_packed(r.source_registers) &&
         is_packed(r.destination_memory) && is_packed(r.source_memory);
}

// True if no used slot is in the first page, where nothing lies.
template <class Slots> constexpr bool are_mapped(const Slots& addresses) noexcept {
  for (const std::uint64_t a : addresses)
    if (a != 0 && a < first_code) return false;
  return true;
}

template <class Slots> constexpr bool are_canonical(const Slots& addresses) noexcept {
  for (const std::uint64_t a : addresses)
    if (!is_canonical(a)) return false;
  return are_mapped(addresses);
}

template <class Slots> constexpr bool has(const Slots& slots, std::uint8_t number) noexcept {
  for (const auto n : slots)
    if (n == number) return true;
  return false;
}

template <trace_record R> constexpr bool has_registers(const R& r) noexcept {
  return r.destination_registers[0] != 0 || r.source_registers[0] != 0;
}

template <class Slots>
constexpr bool is_empty_from(const Slots& slots, std::size_t first) noexcept {
  for (std::size_t i = first; i < slots.size(); ++i)
    if (slots[i] != typename Slots::value_type{}) return false;
  return true;
}

template <trace_record R> constexpr bool has_memory(const R& r) noexcept {
  return r.destination_memory[0] != 0 || r.source_memory[0] != 0;
}

// True if an address that is read or written is within 128 bytes of the ip. Rows of 32 bytes and less have the
// next row's member there; programs keep their data elsewhere.
template <trace_record R> constexpr bool touches_itself(const R& r) noexcept {
  constexpr std::uint64_t reach = 128;
  const auto any_near = [&r](const auto& addresses) {
    for (const std::uint64_t a : addresses)
      if (a != 0 && a - r.ip + reach <= 2 * reach) return true;
    return false;
  };
  return any_near(r.destination_memory) || any_near(r.source_memory);
}

// True if all slots of memory are used, as hardly any instruction does.
template <trace_record R> constexpr bool is_full(const R& r) noexcept {
  for (const std::uint64_t a : r.destination_memory)
    if (a == 0) return false;
  for (const std::uint64_t a : r.source_memory)
    if (a == 0) return false;
  return true;
}

// True for four to six letters or digits, or four and a version below 256: the mark of a file, rather than an
// address. Position-independent programs of Linux lie at addresses that end in U or V as letters.
constexpr bool is_mark(std::uint64_t ip) noexcept {
  std::size_t letters = 0;
  std::uint64_t last = 0;
  for (;; ip >>= 8, ++letters) {
    const std::uint64_t c = ip & 0xFF, capital = c & ~std::uint64_t{0x20};
    if (!(c >= '0' && c <= '9') && !(capital >= 'A' && capital <= 'Z')) break;
    last = c;
  }
  return letters >= 4 && ip < 256 && last != 'U' && last != 'V';
}

template <trace_record R> constexpr bool is_addressable(const R& r) noexcept {
  return are_canonical(r.destination_memory) && are_canonical(r.source_memory);
}

// True if a record has at most one address that is written and two that are read, as nearly all
// instructions have, and these can exist.
template <trace_record R> constexpr bool is_usual(const R& r) noexcept {
  return is_addressable(r) && is_empty_from(r.destination_memory, 1) &&
         is_empty_from(r.source_memory, 2);
}

// True if a record is as tracers write it: of code, with its operands from the first slot on. A branch
// writes the instruction pointer or, in traces of other machines, has registers alone. Without
// registers there is at most an absolute address.
template <trace_record R> constexpr bool is_well_formed(const R& r) noexcept {
  constexpr std::uint64_t first_mebibyte = std::uint64_t{1} << 20;
  if (r.ip < first_code || !is_canonical(r.ip) || !is_packed_record(r)) return false;
  const bool memory = has_memory(r);
  const bool other_branch = r.is_branch != 0 && has_registers(r) && !memory;
  if ((r.is_branch != 0 || r.branch_taken != 0) && !other_branch &&
      !has(r.destination_registers, instruction_pointer))
    return false;
  if (has_registers(r)) return are_mapped(r.destination_memory) && are_mapped(r.source_memory);
  return is_addressable(r) && is_empty_from(r.destination_memory, 1) &&
         is_empty_from(r.source_memory, 1) && (memory || r.ip >= first_mebibyte);
}

// Returns the offset in a record of the first flag above 1 or padding byte that is not 0.
template <class Codec>
constexpr std::optional<std::size_t> first_bad(std::span<const std::byte, Codec::size> one) {
  using record = typename Codec::value_type;
  for (const wire::layout_row& row : wire::layout_table<Codec>) {
    const bool flag = row.offset == Codec::template offset_of<&record::is_branch> ||
                      row.offset == Codec::template offset_of<&record::branch_taken>;
    if (!flag && row.name.view() != wire::padding_name) continue;
    for (std::size_t b = row.offset; b < row.offset + row.size; ++b)
      if (one[b] > (flag ? std::byte{1} : std::byte{0})) return b;
  }
  return std::nullopt;
}

}  // namespace detail

// Judges the first whole records of `Codec` in `bytes`.
template <class Codec> judgement judge(std::span<const std::byte> bytes) {
  using record = typename Codec::value_type;
  const std::size_t there = bytes.size() / Codec::size;
  judgement l{.records = there < judged_records ? there : judged_records};
  struct seen {
    std::uint64_t ip;  // 0 if the record is not plausible
    bool taken;
  };
  std::array<seen, judged_records> all{};
  for (std::size_t i = 0; i < l.records; ++i) {
    const auto one = bytes.subspan(i * Codec::size).template first<Codec::size>();
    if (const auto bad = detail::first_bad<Codec>(one)) {
      if (!l.bad_byte) l.bad_byte = i * Codec::size + *bad;
      continue;
    }
    const record r = Codec::load(one.data());
    if (r.ip == 0) continue;
    ++l.plausible;
    l.operands += detail::has_registers(r) || detail::has_memory(r);
    l.possible += detail::is_packed_record(r) && detail::is_addressable(r);
    l.row_like += detail::touches_itself(r) || detail::is_full(r);
    l.returns += i != 0 && r.ip < all[i - 1].ip;
    if (detail::is_well_formed(r)) {
      ++l.well_formed;
      l.registers += detail::has_registers(r);
      l.usual += detail::is_usual(r);
      for (const std::uint8_t n : r.destination_registers) l.used.set(n, n != 0);
      for (const std::uint8_t n : r.source_registers) l.used.set(n, n != 0);
    }
    all[i] = {r.ip, r.branch_taken != 0};
    for (std::size_t d = 1; d <= judgement::distances && d <= i; ++d)
      l.flows[d - 1].add(all[i - d].ip, all[i - d].taken, r.ip);
  }
  if (l.records == 1 && l.operands == 0) {
    const auto rest = bytes.subspan(Codec::size);
    const bool padded = !rest.empty() && detail::is_empty_from(rest, 0);
    l.mark = padded || detail::is_mark(all[0].ip);
  }
  return l;
}

inline void flow::add(std::uint64_t ip, bool taken, std::uint64_t next) noexcept {
  if (follows_as_code(ip, next)) {
    ++onward;
    risc += next - ip == 2 || next - ip == 4;
    steps |= 1U << (next - ip);
  } else if (follows_as_code(next, ip)) {
    back += !taken;
  }
}

inline bool flow::leads_on(std::size_t pairs) const noexcept {
  // Three of ten are fewer than in any program that was tried. Numbers without an order lead back
  // as often as on, but of a few pairs one may lead back.
  constexpr std::size_t few = 8;
  const std::size_t against = pairs < few ? 0 : back;
  return onward > against && 10 * (onward - against) >= 3 * pairs;
}

inline bool flow::by_instructions() const noexcept {
  return !std::has_single_bit(steps) || risc != 0;
}

inline bool judgement::follows_itself() const noexcept {
  if (only_counts()) return false;
  const bool mostly_well_formed = 2 * well_formed > records;
  for (std::size_t d = 1; d <= distances && d < records; ++d) {
    if (d > 1 && !mostly_well_formed) return false;
    const flow& f = flows[d - 1];
    const bool code = f.by_instructions() || (mostly_well_formed && 4 * registers >= records);
    if (code && f.leads_on(records - d)) return true;
  }
  return false;
}

inline bool judgement::only_counts() const noexcept {
  constexpr std::size_t many = 9;
  if (returns != 0 || records < few_records) return false;
  const bool fixed_length = 8 * flows[0].risc >= 7 * (records - 1);
  if (fixed_length && 2 * possible > records) return false;
  return operands == 0 || (records >= many && registers == 0);
}

inline bool judgement::keeps_form() const noexcept {
  if (records == 1) return usual == 1;
  return 8 * well_formed >= 7 * records && uses_registers();
}

inline bool judgement::uses_registers() const noexcept {
  constexpr std::size_t many = 8;
  return registers != 0 && 4 * registers >= records && (records < many || used.count() > 1);
}

// The records that ChampSim itself reads.
enum class usual_record : std::uint8_t { standard, cloudsuite };

// Returns whose records a file has that begins with `head`, if it looks like a trace of either; `standard` is what
// judge<instruction_codec>() returns for it. If it begins as another file does, addresses must follow each other.
TRACECODEC_FUNC std::optional<usual_record> recognise_records(std::span<const std::byte> head,
                                                              const judgement& standard,
                                                              bool begins_as_another);

// Why bytes are not records, and what helps.
struct reason {
  std::uint64_t offset = 0;
  std::string text;
};
// Returns that of a file of `size` bytes, if that is known; `judged` is what judge() returns for it. `anyway` says how to
// read what may be records.
TRACECODEC_FUNC reason why_no_records(std::span<const std::byte> head, const judgement& judged,
                                      std::optional<std::uint64_t> size, std::string_view anyway);

}  // namespace tracecodec::champsim

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/recognise.ipp"
#endif
