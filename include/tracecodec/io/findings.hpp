// Counts the violations of each rule of a checker, and reports the first few violations of each
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

// Rule of a check(): the code and the severity of its diagnostics, and its meaning as a text
// for the summary.
struct check_rule {
  std::string_view code;
  tracecodec::severity severity;
  std::string_view meaning;
};

// Callback that receives the fraction of the trace read so far, 0 to 1, or nullopt if it is
// unknown.
using progress_listener = std::function<void(std::optional<double>)>;

struct check_options {
  // Maximum number of reported violations of each rule; one more report states the number of
  // the others.
  std::uint64_t each = 5;
  progress_listener progress = {};  // called from time to time
  // Callback that returns true if records are known to be missing before the record with index
  // `record` among the records that are read. That record need not be consistent with the
  // previous record. If the callback is empty, no records are missing.
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

// Counter of findings. It stores the counts in a `Summary`, which is or inherits
// rule_counts<Rules>, and reports findings by calls to report(const diagnostic&).
template <const auto& Rules, class Rule, class Summary, class Report> class findings {
 public:
  using rule_type = Rule;
  using summary_type = Summary;
  using report_type = Report;

  findings(Report report, std::uint64_t each) : report_(std::move(report)), each_(each) {}

  // Counts a violation of `r`, and reports it unless `each` violations of `r` were reported
  // before. The other parameters become members of the diagnostic.
  void add(Rule r, std::optional<std::uint64_t> offset, std::optional<std::uint64_t> record,
           const std::string& message) {
    if (++sum.found[static_cast<std::size_t>(r)] <= each_) say(r, offset, record, message);
  }
  // Adds the error `e` of a reader as a violation of `r`. The message begins with the name of
  // the field.
  void add(Rule r, const trace_error& e) { add(r, e.offset(), e.record(), with_field(e)); }
  // Returns the message of `e`. If `e` has a field, the field's name precedes the message.
  static std::string with_field(const trace_error& e) {
    return (e.field().empty() ? "" : e.field() + ": ") + e.message();
  }
  // Reports the number of violations that were not reported, for each rule that has such
  // violations.
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
