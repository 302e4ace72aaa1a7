// Counts the violations of each of a checker's rules, and reports the first few violations of each
// rule.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "diagnostic.hpp"
#include "error.hpp"
#include "text/hex.hpp"

namespace tracecodec {

// Rule of a check(): the code and the severity of the rule's diagnostics, and a description for the
// summary.
struct check_rule {
  std::string_view code;
  tracecodec::severity severity;
  std::string_view meaning;
};

// Callback that receives the fraction of the trace read so far, 0 to 1, or nullopt if the fraction
// is unknown.
using progress_listener = std::function<void(std::optional<double>)>;

struct check_options {
  // Maximum number of individual reports for each rule. If there are more violations, one further
  // report contains the number of the remaining violations.
  std::uint64_t each = 5;
  progress_listener progress = {};  // called from time to time
  // Callback that returns true if records are known to be missing before record number `record` of
  // the records that are read. The check then does not compare this record with the previous
  // record. If the callback is empty, no records are known to be missing.
  std::function<bool(std::uint64_t record)> missing_before = {};
};

// Number of violations of each rule in `Rules`.
template <const auto& Rules> struct rule_counts {
  std::array<std::uint64_t, Rules.size()> found = {};  // indexed by rule
  [[nodiscard]] std::uint64_t count(severity s) const {
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < found.size(); ++i) n += Rules[i].severity == s ? found[i] : 0;
    return n;
  }
  // Returns the number of violations of `rule`. The enumerators of Rule are the indexes of
  // `Rules`.
  template <class Rule> [[nodiscard]] std::uint64_t count(Rule rule) const {
    return found[static_cast<std::size_t>(rule)];
  }
};

// Counts and reports findings. The counts are stored in a `Summary`, which is rule_counts<Rules> or
// a class derived from it. Findings are passed to report(const diagnostic&).
template <const auto& Rules, class Rule, class Summary, class Report> class findings {
 public:
  using rule_type = Rule;
  using summary_type = Summary;
  using report_type = Report;

  findings(Report report, std::uint64_t each) : report_(std::move(report)), each_(each) {}

  // Counts a violation of `r`, and reports it unless `each` violations of `r` have already been
  // reported. The other parameters become members of the diagnostic.
  void add(Rule r, std::optional<std::uint64_t> offset, std::optional<std::uint64_t> record,
           const std::string& message) {
    if (++sum.found[static_cast<std::size_t>(r)] <= each_) say(r, offset, record, message);
  }
  // Adds a reader's error `e` as a violation of `r`. If `e` has a field, the message begins with
  // the field's name.
  void add(Rule r, const trace_error& e) { add(r, e.offset(), e.record(), with_field(e)); }
  // Returns the message of `e`, preceded by the field's name if `e` has a field.
  static std::string with_field(const trace_error& e) {
    return (e.field().empty() ? "" : e.field() + ": ") + e.message();
  }
  // For each rule with more than `each` violations, reports the number of remaining violations.
  void finish() {
    for (std::size_t i = 0; i < Rules.size(); ++i)
      if (sum.found[i] > each_)
        say(static_cast<Rule>(i), {}, {},
            std::to_string(sum.found[i] - each_) + " more: " + std::string(Rules[i].meaning));
  }

  Summary sum = {};

 private:
  void say(Rule r, std::optional<std::uint64_t> offset, std::optional<std::uint64_t> record,
           const std::string& message) {
    const check_rule& known = Rules[static_cast<std::size_t>(r)];
    report_(diagnostic{known.severity, known.code, offset, record, message});
  }
  Report report_;
  std::uint64_t each_;
};

}  // namespace tracecodec
