// Checks a file by its description; never stops at the first problem if it can go on.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "../io/findings.hpp"
#include "reader.hpp"

namespace tracecodec::file {

// What a check looks for; check_rules has them in this order.
enum class rule : std::uint8_t { damaged, header, cut, count, trailing_bytes, refused };
inline constexpr std::array<check_rule, 6> check_rules{{
    {"damaged", severity::error, "the input cannot be read to its end"},
    {"header", severity::error, "the header is cut, or holds what it must not"},
    {"cut", severity::error, "the file ends inside a record, or before the last one"},
    {"count", severity::error, "the file says another number of records"},
    {"trailing-bytes", severity::error, "bytes behind the last record"},
    {"refused", severity::error, "a record or the trailer holds what it must not"},
}};

struct check_summary : rule_counts<check_rules> {
  std::uint64_t records = 0;
};

// Memory: the reader's. What the reader throws is reported; what `report` throws is thrown.
template <class D, class Report> class checker {
 public:
  explicit checker(Report report, check_options options = {})
      : found_(std::move(report), options.each), options_(std::move(options)) {}

  check_summary run(io::input in) {
    if (std::optional<reader<D>> trace; open(trace, std::move(in))) {
      if constexpr (D::has_header)
        D::for_each_negative(
            trace->header(), [this](std::string_view field, std::size_t offset, std::int64_t n) {
              found_.add(rule::header, offset, {}, std::string(field) + ": " + std::to_string(n));
            });
      if (read(*trace)) {
        trace->complaints([this](flaw f, const trace_error& e) {
          found_.add(rule_of(f), e.offset(), e.record(), text(e));
        });
      }
      found_.sum.records = trace->position();
    }
    found_.finish();
    return found_.sum;
  }

 private:
  static rule rule_of(flaw f) {
    switch (f) {
      case flaw::cut:
        return rule::cut;
      case flaw::count:
        return rule::count;
      case flaw::trailing:
        return rule::trailing_bytes;
      case flaw::refused:
        break;
    }
    return rule::refused;
  }
  static std::string text(const trace_error& e) {
    return (e.field().empty() ? "" : e.field() + ": ") + e.message();
  }

  bool open(std::optional<reader<D>>& trace, io::input in) {
    try {
      trace.emplace(std::move(in), reader_options{.lenient = true});
      return true;
    } catch (const trace_error& e) {
      const bool ours = e.code() == trace_errc::not_a_trace || e.code() == trace_errc::bad_value ||
                        (e.code() == trace_errc::truncated && D::has_header && !e.field().empty());
      found_.add(ours ? rule::header : rule::damaged, e.offset(), {}, text(e));
      return false;
    }
  }
  // Whether the end was reached.
  bool read(reader<D>& trace) {
    for (std::uint64_t batches = 0;; ++batches) {
      bool refused = false;
      try {
        if (trace.next().size() == 0) return true;
      } catch (const trace_error& e) {
        refused = D::codec::fixed && e.code() == trace_errc::bad_value;
        const bool empty = e.code() == trace_errc::not_a_trace;
        found_.add(refused ? rule::refused
                   : empty ? rule::header
                           : rule::damaged,
                   e.offset(), e.record(), text(e));
        if (!refused) return false;
      }
      if (refused) trace.skip(1);
      if (options_.progress && batches % 16 == 0) options_.progress(trace.progress());
    }
  }

  findings<check_rules, rule, check_summary, Report> found_;
  check_options options_;
};

}  // namespace tracecodec::file
