// Rules for valid Tenet traces. A check does not stop at the first violation.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "../file/text_checker.hpp"
#include "../io/text/hex.hpp"
#include "reader.hpp"

namespace tracecodec::tenet {

// Rules of a check, in the order of `check_rules`.
enum class rule : std::uint8_t { damaged, cut, refused, conflict, repeated, first, long_ };
inline constexpr std::array<check_rule, 7> check_rules{{
    {"damaged", severity::error, "the input cannot be read to its end"},
    {"cut", severity::error, "the last line has no end"},
    {"refused", severity::error, "Tenet leaves out a line and the lines after it"},
    {"conflict", severity::warning, "a line lists different bytes of the same memory"},
    {"repeated", severity::warning, "a line lists a register several times: the last value counts"},
    {"first", severity::note, "the first line does not list all registers"},
    {"long", severity::note, "the trace is longer than Tenet recommends"},
}};
struct check_summary : rule_counts<check_rules> {
  std::uint64_t records = 0;  // number of instructions
};
// Maximum number of lines that Tenet recommends.
inline constexpr std::uint64_t most_lines = 10'000'000;

template <class Report> class checker
    : public file::text_checker<checker<Report>, reader, check_rules, rule, check_summary, Report> {
  using base = file::text_checker<checker, reader, check_rules, rule, check_summary, Report>;
  friend base;

 public:
  using base::base;

 private:
  void check_begin(const reader& from) {
    if (const std::string_view name = from.initially_repeated(); !name.empty())
      this->found(rule::repeated, "the first line lists " + std::string(name) + " several times");
    const std::size_t all = from.registers().words.size() - 1;
    if (const std::size_t n = from.initial_registers(); n < all)
      this->found(rule::first, std::to_string(n) + " of " + std::to_string(all) +
                                   " registers are listed: Tenet shows 0 for the other ones until "
                                   "they are");
  }
  void check_one(const instruction& i) {
    const auto all = i.accesses();
    constexpr std::size_t most = 32;  // limits the time for a line with very many accesses
    for (std::size_t k = 1; k < all.size() && k < most; ++k)
      for (std::size_t n = 0; n != k; ++n) compare(i, all[n], all[k]);
    if (!i.repeated.empty())
      this->found(rule::repeated, "the line after the instruction at " + hex(i.ip) + " lists " +
                                      std::string(i.repeated) + " several times");
  }
  void check_end(const reader&) {
    if (const std::uint64_t n = this->sum().records; n > most_lines)
      this->found_in_text(rule::long_,
                          std::to_string(n) + " lines, but Tenet recommends at most 10000000");
  }
  // Reports the first byte that both accesses list with different values.
  void compare(const instruction& i, const feed::recorded_access& a,
               const feed::recorded_access& b) {
    if (b.address < a.address) return compare(i, b, a);
    const std::span<const std::byte> x = i.bytes_of(a), y = i.bytes_of(b);
    for (std::uint64_t n = b.address - a.address, k = 0; n < x.size() && k < y.size(); ++n, ++k)
      if (x[static_cast<std::size_t>(n)] != y[static_cast<std::size_t>(k)])
        return this->found(rule::conflict, "the line after the instruction at " + hex(i.ip) +
                                               " lists two values of the byte at " +
                                               hex(b.address + k));
  }
};

}  // namespace tracecodec::tenet
