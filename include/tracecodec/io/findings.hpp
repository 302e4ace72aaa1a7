// Counts the violations of each rule of a checker, and reports the first few of each.
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

// Rule of a check(): the code and the severity that it reports, and a text for the summary.
struct check_rule {
  std::string_view code;
  tracecodec::severity severity;
  std::string_view meaning;
};

// Callback for progress: the fraction that was read, 0 to 1, or nothing if it is unknown.
using progress_listener = std::function<void(std::optional<double>)>;

struct check_options {
  // Maximum number of reports for each rule; one more report counts the rest.
  std::uint64_t each = 5;
  progress_listener progress = {};  // called from time to time
  // Returns true if records are known to be missing before record `record`, counted among the
  // records that are read. That record need not be consistent with the previous one. Empty: no
  // records are missing.
  std::function<bool(std::uint64_t record)> missing_before = {};
};

// Number of violations of each of `Rules`.
template <const auto& Rules> struct rule_counts {
  std::array<std::uint64_t, Rules.size()> found = {};  // indexed by rule
  [[nodiscard]] std::uint64_t count(severity s) const {
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < found.size(); ++i) n += Rules[i].severity == s ? found[i] : 0;
    return n;
  }
  // Returns how often `rule` was broken. The enumerators of Rule are the indexes of `Rules`.
  template <class Rule> [[nodiscard]] std::uint64_t count(Rule rule) const {
    return found[static_cast<std::size_t>(rule)];
  }
};

// Counts findings in `Summary`, which is or inherits rule_counts<Rules>, and reports them by
// calling report(const diagnostic&).
template <const auto& Rules, class Rule, class Summary, class Report> class findings {
 public:
  using rule_type = Rule;
  using summary_type = Summary;
  using report_type = Report;

  findings(Report report, std::uint64_t each) : report_(std::move(report)), each_(each) {}

  // Counts a violation of `r`, and reports it unless the rule was reported often enough. The
  // other parameters become members of the diagnostic.
  void add(Rule r, std::optional<std::uint64_t> offset, std::optional<std::uint64_t> record,
           const std::string& message) {
    if (++sum.found[static_cast<std::size_t>(r)] <= each_) say(r, offset, record, message);
  }
  // Adds an error that a reader reported, together with its field.
  void add(Rule r, const trace_error& e) { add(r, e.offset(), e.record(), with_field(e)); }
  // Returns the error's message, after the name of its field if it has one.
  static std::string with_field(const trace_error& e) {
    return (e.field().empty() ? "" : e.field() + ": ") + e.message();
  }
  // Reports, for each rule with more violations than were reported, how many more there are.
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
