// Recognises ChampSim records by typical properties of program traces. The format has no magic
// number.
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

// Maximum number of records that are examined. More records would not improve the recognition. The
// reader reports damage in later records.
inline constexpr std::size_t judged_records = 32;
// Minimum number of records from which the kind of a file can be inferred.
inline constexpr std::size_t few_records = 4;

// Counts of pairs of records that are a certain number of records apart. The distance can be above
// 1, because records of other threads may separate two consecutive records of one thread.
struct flow {
  std::size_t onward = 0;  // pairs in which the second ip is 1 to 15 bytes after the first ip
  // Pairs in which the first record is not a taken branch, and the first ip is 1 to 15 bytes after
  // the second ip.
  std::size_t back = 0;
  std::size_t risc = 0;  // onward pairs with a distance of 2 or 4 bytes
  unsigned steps = 0;    // bit n is set if an onward pair has a distance of n bytes

  inline void add(std::uint64_t ip, bool taken, std::uint64_t next) noexcept;
  // Returns true if enough of the `pairs` pairs are onward pairs.
  [[nodiscard]] inline bool leads_on(std::size_t pairs) const noexcept;
  // Returns true if the distances of the onward pairs are typical of code. In code, the distances
  // vary or are equal to the length of a RISC instruction. Any other constant distance may be the
  // step of an index.
  [[nodiscard]] inline bool by_instructions() const noexcept;
};

// Properties of the first records in a sequence of bytes, decoded with one codec.
struct judgement {
  static constexpr std::size_t distances = 4;

  std::size_t records = 0;    // number of records examined
  std::size_t plausible = 0;  // records with valid flags and padding, and a nonzero ip
  // Number of plausible records with addresses and operands that a tracer would write.
  std::size_t well_formed = 0;
  std::size_t usual = 0;      // well-formed records with few addresses, all of them possible
  std::size_t registers = 0;  // well-formed records with at least one register
  std::size_t operands = 0;   // plausible records with a register or an address
  std::size_t possible = 0;   // plausible records with packed slots and only possible addresses
  std::size_t returns = 0;    // plausible records with a lower ip than the previous record
  // Number of plausible records with properties that are typical of table rows but not of
  // instructions.
  std::size_t row_like = 0;
  bool mark = false;  // true if the only record looks like the magic number of another file
  std::bitset<256> used = {};  // registers that occur in well-formed records
  // Counts of pairs of plausible records. Element n counts the pairs that are n + 1 records apart.
  std::array<flow, distances> flows = {};
  // Offset of the first flag or padding byte with an impossible value.
  std::optional<std::size_t> bad_byte = {};

  // Returns true if the bytes look like a trace. Most records must be plausible. In addition,
  // either their ips must be a plausible execution, or nearly all records must be well-formed.
  [[nodiscard]] bool likely() const noexcept {
    return mostly_plausible() && !is_data() && (follows_itself() || keeps_form());
  }
  // Returns true if the bytes begin with the magic number of another format, or if more than half
  // of the records look like rows of a table. A few records can look like rows by chance, so the
  // second test needs at least `few_records` records.
  [[nodiscard]] constexpr bool is_data() const noexcept {
    return mark || (records >= few_records && 2 * row_like > records);
  }
  // Returns true if more than half of the records are plausible.
  [[nodiscard]] bool mostly_plausible() const noexcept { return 2 * plausible > records; }
  // Returns true if the ips look like the execution of a program. Among the tested files, only
  // program traces passed this test.
  [[nodiscard]] inline bool follows_itself() const noexcept;
  // Returns true if ips only increase, and the records either have no operands, or are numerous and
  // have no registers. A table can have such columns. Traces of programs differ, because programs
  // jump back, and most instructions use registers. However, some tracers of RISC code do not write
  // registers. The function therefore returns false if most ips increase by 2 or 4 bytes and the
  // addresses are possible.
  [[nodiscard]] inline bool only_counts() const noexcept;
  // Returns true if at least 7 of 8 records are well-formed, and the records use registers. A
  // single record must be well-formed and usual.
  [[nodiscard]] inline bool keeps_form() const noexcept;
  // Returns true if at least one in four records has registers. Many records must also use more
  // than one register.
  [[nodiscard]] inline bool uses_registers() const noexcept;
  // Returns true if the fraction of plausible records is larger than in `other`.
  [[nodiscard]] constexpr bool more_than(const judgement& other) const noexcept {
    return plausible * other.records > other.plausible * records;
  }
};

namespace detail {

// Returns true for 48-bit addresses of x86-64 and AArch64, and for addresses of smaller machines.
constexpr bool is_canonical(std::uint64_t address) noexcept {
  return address >> 48 == 0 || address >> 48 == 0xFFFF;
}

// Returns true if all used slots precede the unused slots. Tracers fill slots from the front.
template <class Slots> constexpr bool is_packed(const Slots& slots) noexcept {
  for (std::size_t i = 1; i < slots.size(); ++i)
    if (slots[i] != 0 && slots[i - 1] == 0) return false;
  return true;
}

template <trace_record R> constexpr bool is_packed_record(const R& r) noexcept {
  return is_packed(r.destination_registers) && is_packed(r.source_registers) &&
         is_packed(r.destination_memory) && is_packed(r.source_memory);
}

// Returns true if no used slot contains an address in the first page. The first page is never
// mapped.
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

// Returns true if an address that is read or written is within 128 bytes of the ip. Programs do not
// store their data so close to the code. In a table with rows of up to 32 bytes, the address may
// really be a value in the next row.
template <trace_record R> constexpr bool touches_itself(const R& r) noexcept {
  constexpr std::uint64_t reach = 128;
  const auto any_near = [&r](const auto& addresses) {
    for (const std::uint64_t a : addresses)
      if (a != 0 && a - r.ip + reach <= 2 * reach) return true;
    return false;
  };
  return any_near(r.destination_memory) || any_near(r.source_memory);
}

// Returns true if all memory slots are used, which is very rare for an instruction.
template <trace_record R> constexpr bool is_full(const R& r) noexcept {
  for (const std::uint64_t a : r.destination_memory)
    if (a == 0) return false;
  for (const std::uint64_t a : r.source_memory)
    if (a == 0) return false;
  return true;
}

// Returns true if the bytes of `ip` are four or more letters or digits, followed by at most one
// other byte. Such a value is probably a magic number, possibly with a version, and not an address.
// Returns false if the last letter is U or V, because addresses of position-independent Linux
// programs can end in these letters.
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

// Returns true if the addresses are possible, at most one is written, and at most two are read.
// This is true for nearly all instructions.
template <trace_record R> constexpr bool is_usual(const R& r) noexcept {
  return is_addressable(r) && is_empty_from(r.destination_memory, 1) &&
         is_empty_from(r.source_memory, 2);
}

// Returns true if a record has the form that tracers write: an ip in code, and operands from the
// first slot on. A branch writes the instruction pointer or, in traces of other machines, has only
// registers. A record without registers reads at most one address and writes at most one address.
// If a record has neither registers nor addresses, its ip must be at least 1 MiB.
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

// Returns the offset in the record of the first invalid byte. Invalid bytes are flags above 1 and
// nonzero padding bytes. Returns nullopt if no byte is invalid.
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

// Returns the properties of the first whole records of `Codec` in `bytes`.
template <class Codec> judgement probe(std::span<const std::byte> bytes) {
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
  // Require at least 30 % onward pairs, because all tested programs have more. Subtract the
  // backward pairs unless the sample is small, because unordered numbers decrease as often as they
  // increase.
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

// Kind of record that ChampSim itself reads.
enum class usual_record : std::uint8_t { standard, cloudsuite };

// Returns the kind of records in a file that begins with `head`, or nullopt if the file is not
// recognised as a trace. `standard` is the result of probe<instruction_codec>() for `head`. If
// `begins_as_another` is true, the file begins like a file of another format, so the ips must also
// look like an execution.
TRACECODEC_FUNC std::optional<usual_record> recognise_records(std::span<const std::byte> head,
                                                              const judgement& standard,
                                                              bool begins_as_another);

// Reason why the bytes are not records, with advice for the user.
struct reason {
  std::uint64_t offset = 0;
  std::string text;
};
// Returns the reason why a file that begins with `head` is not a trace. `size` is the size of the
// file, or nullopt if the size is unknown. `judged` is the result of probe() for `head`. `anyway`
// is advice on how to read the file as records nevertheless.
TRACECODEC_FUNC reason why_no_records(std::span<const std::byte> head, const judgement& judged,
                                      std::optional<std::uint64_t> size, std::string_view anyway);

}  // namespace tracecodec::champsim

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/recognise.ipp"
#endif
