// Check of records that a reader makes from the lines of a text.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "../io/open.hpp"
#include "check_engine.hpp"

namespace tracecodec::file {

// Base class of the checker `Own`, which declares this class a friend. `Own` defines
// check_one(record), which calls found(rule, message) for each violation of a rule by this record. It may
// define check_begin(reader) and check_end(reader), which are called before the first record and after the
// last one, and call found_in_text() instead.
// `Reader` is derived from made_records. `Rules` begins with the rules of the file: the input cannot
// be read to its end, the text ends early, and a line is malformed. `Rule` enumerates the rules.
// `Summary` has a member `records`. Errors thrown by the reader become findings. Exceptions thrown by
// `report` propagate.
template <class Own, class Reader, const auto& Rules, class Rule, class Summary, class Report>
class text_checker : protected check_engine<text_checker<Own, Reader, Rules, Rule, Summary, Report>,
                                            findings<Rules, Rule, Summary, Report>> {
  using engine = check_engine<text_checker, findings<Rules, Rule, Summary, Report>>;
  friend engine;

 public:
  explicit text_checker(Report report, check_options options = {})
      : engine(std::move(report), std::move(options)) {}

  Summary run(io::input in) { return this->template check<Reader>(std::move(in)); }

 protected:
  using engine::sum;
  void check_begin(const Reader&) {}
  void check_end(const Reader&) {}
  // Adds a finding for the whole text.
  void found_in_text(Rule r, const std::string& message) { engine::add(r, {}, {}, message); }
  // Adds a finding for the record that is checked.
  void found(Rule r, const std::string& message) { engine::add(r, {}, sum().records, message); }

 private:
  Own& own() { return static_cast<Own&>(*this); }
  void opened(const Reader& from) { own().check_begin(from); }
  void ended(const Reader& from) { own().check_end(from); }
  void not_opened(const trace_error& e) {
    const bool cut = e.code() == trace_errc::truncated;
    engine::add(static_cast<Rule>(cut ? 1 : engine::of_header(e) ? 2 : 0), e);
  }
  bool failed(const trace_error& e, Reader&) {
    not_opened(e);
    return false;
  }
  void batch(const typename Reader::batch_type& b) {
    for (const auto& r : b.records) {
      own().check_one(r);
      ++sum().records;
    }
  }
};

}  // namespace tracecodec::file
