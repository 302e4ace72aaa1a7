// Rules for valid Tenet traces. A check does not stop at the first violation.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "../file/check_engine.hpp"
#include "../io/text/hex.hpp"
#include "reader.hpp"

namespace tracecodec::tenet {

// Rules of a check, in the order of `check_rules`.
enum class rule : std::uint8_t { damaged, cut, refused, conflict, first, long_ };
inline constexpr std::array<check_rule, 6> check_rules{{
    {"damaged", severity::error, "the input cannot be read to its end"},
    {"cut", severity::error, "the last line has no end"},
    {"refused", severity::error, "Tenet leaves out a line and the lines after it"},
    {"conflict", severity::warning, "a line lists different bytes of the same memory"},
    {"first", severity::note, "the first line does not list all registers"},
    {"long", severity::note, "the trace is longer than Tenet recommends"},
}};
struct check_summary : rule_counts<check_rules> {
  std::uint64_t instructions = 0;
};
// Maximum number of lines that Tenet recommends.
inline constexpr std::uint64_t most_lines = 10'000'000;

template <class Report> class checker
    : file::check_engine<checker<Report>, findings<check_rules, rule, check_summary, Report>> {
  using engine = file::check_engine<checker, findings<check_rules, rule, check_summary, Report>>;
  friend engine;

 public:
  explicit checker(Report report, check_options options = {})
      : engine(std::move(report), std::move(options)) {}
  check_summary run(io::input in) { return this->template check<reader>(std::move(in)); }

 private:
  using engine::add, engine::sum;

  void add_error(const trace_error& e) {
    const bool cut = e.code() == trace_errc::truncated;
    add(cut ? rule::cut : engine::of_header(e) ? rule::refused : rule::damaged, e);
  }
  void not_opened(const trace_error& e) { add_error(e); }
  bool failed(const trace_error& e, reader&) {
    add_error(e);
    return false;
  }
  void opened(const reader& from) {
    const std::size_t all = from.registers().words.size() - 1;
    if (const std::size_t n = from.initial_registers(); n < all)
      add(rule::first, {}, 0,
          std::to_string(n) + " of " + std::to_string(all) +
              " registers are listed: Tenet shows 0 for the other ones until they are");
  }
  void batch(const reader::batch_type& b) {
    for (const instruction& i : b.records) {
      const auto all = i.accesses();
      constexpr std::size_t most = 32;  // limits the time for a line with very many accesses
      for (std::size_t k = 1; k < all.size() && k < most; ++k)
        for (std::size_t n = 0; n != k; ++n) compare(i, all[n], all[k]);
      ++sum().instructions;
    }
  }
  void ended(const reader&) {
    if (sum().instructions > most_lines)
      add(rule::long_, {}, {},
          std::to_string(sum().instructions) + " lines, but Tenet recommends at most 10000000");
  }
  // Reports the first byte that both accesses list with different values.
  void compare(const instruction& i, const feed::recorded_access& a,
               const feed::recorded_access& b) {
    if (b.address < a.address) return compare(i, b, a);
    const std::span<const std::byte> x = i.bytes_of(a), y = i.bytes_of(b);
    for (std::uint64_t n = b.address - a.address, k = 0; n < x.size() && k < y.size(); ++n, ++k)
      if (x[static_cast<std::size_t>(n)] != y[static_cast<std::size_t>(k)])
        return add(rule::conflict, {}, sum().instructions,
                   "the line after the instruction at " + hex(i.ip) +
                       " lists two values of the byte at " + hex(b.address + k));
  }
};

}  // namespace tracecodec::tenet
