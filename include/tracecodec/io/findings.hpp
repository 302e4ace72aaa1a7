// What every checker does with its rules: counts what breaks each, and reports the first few.
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

// What a check() looks for, with the code and the severity it reports.
struct check_rule {
  std::string_view code;
  tracecodec::severity severity;
  std::string_view meaning;
};

// Called with how much was read: 0 to 1, or unknown.
using progress_listener = std::function<void(std::optional<double>)>;

struct check_options {
  std::uint64_t each = 5;           // reports of each rule; how many more there are is said once
  progress_listener progress = {};  // called now and then
  // Whether records are known to be missing before this one of those that are read: then it need not follow the one
  // before. Nothing: none are.
  std::function<bool(std::uint64_t record)> missing_before = {};
};

// How often each of `Rules` was broken.
template <const auto& Rules> struct rule_counts {
  std::array<std::uint64_t, Rules.size()> found = {};  // by rule
  [[nodiscard]] std::uint64_t count(severity s) const {
    std::uint64_t n = 0;
    for (std::size_t i = 0; i < found.size(); ++i) n += Rules[i].severity == s ? found[i] : 0;
    return n;
  }
  // `rule` is the enumeration whose values are the indexes of `Rules`.
  template <class Rule> [[nodiscard]] std::uint64_t count(Rule rule) const {
    return found[static_cast<std::size_t>(rule)];
  }
};

// Counts in `Summary`, which is or inherits rule_counts<Rules>, and calls report(const
// diagnostic&).
template <const auto& Rules, class Rule, class Summary, class Report> class findings {
 public:
  using rule_type = Rule;
  using summary_type = Summary;
  using report_type = Report;

  findings(Report report, std::uint64_t each) : report_(std::move(report)), each_(each) {}

  // As of diagnostic.
  void add(Rule r, std::optional<std::uint64_t> offset, std::optional<std::uint64_t> record,
           const std::string& message) {
    if (++sum.found[static_cast<std::size_t>(r)] <= each_) say(r, offset, record, message);
  }
  // Adds what a reader reported, with the field.
  void add(Rule r, const trace_error& e) { add(r, e.offset(), e.record(), with_field(e)); }
  // Returns the error's message, after the name of its field if it has one.
  static std::string with_field(const trace_error& e) {
    return (e.field().empty() ? "" : e.field() + ": ") + e.message();
  }
  // Says how many more there are of what was found too often to report each.
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
