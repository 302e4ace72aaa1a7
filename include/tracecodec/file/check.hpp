// Check of a file against its description. If possible, the check continues after a problem.
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "check_engine.hpp"
#include "reader.hpp"

namespace tracecodec::file {

// Rules of a check, in the order of `check_rules`.
enum class rule : std::uint8_t { damaged, header, cut, count, trailing_bytes, refused, checksum };
inline constexpr std::array<check_rule, 7> check_rules{{
    {"damaged", severity::error, "the input cannot be read to its end"},
    {"header", severity::error, "the header is truncated or has an invalid value"},
    {"cut", severity::error, "the file ends inside a record or before the last one"},
    {"count", severity::error, "the file declares a different number of records"},
    {"trailing-bytes", severity::error, "bytes after the last record"},
    {"refused", severity::error, "a record or the trailer has an invalid value"},
    {"checksum", severity::error, "the checksum of the records differs from the stored one"},
}};

struct check_summary : rule_counts<check_rules> {
  std::uint64_t records = 0;
};

// Checker for files described by `D`. It needs no more memory than the reader. Errors thrown by the
// reader become findings. Exceptions thrown by `report` propagate.
template <class D, class Report> class checker
    : check_engine<checker<D, Report>, findings<check_rules, rule, check_summary, Report>> {
  using engine =
      check_engine<checker<D, Report>, findings<check_rules, rule, check_summary, Report>>;
  friend engine;

 public:
  explicit checker(Report report, check_options options = {})
      : engine(std::move(report), std::move(options)) {}

  check_summary run(io::input in) {
    return this->template check<reader<D>>(std::move(in), reader_options{.lenient = true});
  }

 private:
  using engine::add, engine::sum;

  static rule rule_of(flaw f) {
    switch (f) {
      case flaw::cut:
        return rule::cut;
      case flaw::count:
        return rule::count;
      case flaw::trailing:
        return rule::trailing_bytes;
      case flaw::checksum:
        return rule::checksum;
      case flaw::refused:
        break;
    }
    return rule::refused;
  }

  void not_opened(const trace_error& e) {
    add(engine::of_header(e) ? rule::header : rule::damaged, e);
  }
  void opened(reader<D>& from) {
    if constexpr (D::has_header)
      D::for_each_negative(
          from.header(), [this](std::string_view field, std::size_t offset, std::int64_t n) {
            add(rule::header, offset, {}, std::string(field) + ": " + std::to_string(n));
          });
  }
  void batch(const typename reader<D>::batch_type& b) { sum().records = b.first + b.size(); }
  bool failed(const trace_error& e, reader<D>& from) {
    const bool refused = D::in_place && e.code() == trace_errc::bad_value;
    add(refused                               ? rule::refused
        : e.code() == trace_errc::not_a_trace ? rule::header
                                              : rule::damaged,
        e);
    if (refused) from.skip(1);
    sum().records = from.position();
    return refused;
  }
  void ended(reader<D>& from) {
    from.for_each_finding([this](flaw f, const trace_error& e) { add(rule_of(f), e); });
  }
};

}  // namespace tracecodec::file
