// Check of the records of a described file by the rules of a format.
#pragma once
#include <cstdint>
#include <string>
#include <utility>

#include "check_engine.hpp"
#include "frame.hpp"
#include "reader.hpp"

namespace tracecodec::file {

// Base class of the checker `Own` of files described by `D`. `Own` defines check_one(record), which
// calls found(rule, message) for each violation of a rule by this record, and declares this class and
// check_engine a friend. It may define check_end(), which is called after the last record. `Rules`
// begins with the rules of the file: the input cannot be read to its end, the file ends inside a
// record, and a record has an invalid value. `Rule` enumerates the rules. `Summary` has a member
// `records`. Errors thrown by the reader become findings. Exceptions thrown by `report` propagate.
template <class Own, class D, const auto& Rules, class Rule, class Summary, class Report>
class record_checker : protected check_engine<record_checker<Own, D, Rules, Rule, Summary, Report>,
                                              findings<Rules, Rule, Summary, Report>> {
  using engine = check_engine<record_checker, findings<Rules, Rule, Summary, Report>>;
  friend engine;
  using source = reader<D>;

 public:
  explicit record_checker(Report report, check_options options = {})
      : engine(std::move(report), std::move(options)) {}

  Summary run(io::input in) {
    return this->template check<source>(std::move(in), reader_options{.lenient = true});
  }

 protected:
  using engine::missing_before, engine::sum;
  void check_end() {}
  // Adds a finding for the record that is checked.
  void found(Rule r, const std::string& message) {
    engine::add(r, offset_, sum().records, message);
  }

 private:
  void opened(const source& from) { offset_ = from.offset(); }
  void not_opened(const trace_error& e) { engine::add(Rule{}, e); }
  bool failed(const trace_error& e, source&) {
    engine::add(Rule{}, e);
    return false;
  }
  void batch(const typename source::batch_type& b) {
    for (const typename D::record& r : b) {
      static_cast<Own&>(*this).check_one(r);
      if constexpr (D::codec::fixed)
        offset_ += D::codec::size;
      else
        offset_ += D::codec::extent(r);
      ++sum().records;
    }
  }
  void ended(source& from) {
    static_cast<Own&>(*this).check_end();
    from.for_each_finding([this](flaw f, const trace_error& e) {
      engine::add(static_cast<Rule>(f == flaw::cut ? 1 : 2), e);
    });
  }

  std::uint64_t offset_ = 0;  // offset of the record that is checked
};

}  // namespace tracecodec::file
