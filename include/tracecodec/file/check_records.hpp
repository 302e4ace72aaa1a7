// Check of the records of a described file by the rules of a format.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "../io/text/hex.hpp"
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
// If the file has an index of records (file::indexed), `Rule` has an enumerator `index` for entries
// that differ from the records.
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
  void opened(source& from) {
    offset_ = from.offset();
    if constexpr (D::index::there) {
      from_ = &from;
      entry_ = from.entry_of_record(0);
    }
  }
  void not_opened(const trace_error& e) { engine::add(Rule{}, e); }
  bool failed(const trace_error& e, source&) {
    engine::add(Rule{}, e);
    return false;
  }
  void batch(const typename source::batch_type& b) {
    for (const typename D::record& r : b) {
      if constexpr (D::index::there) check_entry(r);
      static_cast<Own&>(*this).check_one(r);
      if constexpr (D::codec::fixed)
        offset_ += D::codec::size;
      else
        offset_ += D::codec::extent(r);
      ++sum().records;
    }
  }
  // Compares `r` with the entry of the index, if there is one for this record.
  void check_entry(const typename D::record& r) {
    if (!entry_ || sum().records != entry_->record) return;
    if (entry_->offset == missing) {
      found(Rule::index, "the index has no entry for this " + std::string(D::each));
      entry_.reset();
      return;
    }
    // The first entry has the offset of the header, and no state.
    if (entry_->record != 0 && (offset_ != entry_->offset || r.*D::index::member != entry_->state))
      found(Rule::index, "the index states address " + hex(entry_->state) + " at offset " +
                             std::to_string(entry_->offset) + ", found address " +
                             hex(r.*D::index::member));
    const std::uint64_t due = entry_->record + entry_->records;
    entry_ = from_->entry_of_record(due);
    // After the last entry, the next one is missing if there are more records.
    if (entry_ && entry_->record != due) entry_ = io::record_entry{due, missing, 0, 0};
  }
  void ended(source& from) {
    static_cast<Own&>(*this).check_end();
    if constexpr (D::index::there)
      if (entry_ && entry_->offset != missing)
        found(Rule::index, "the index has an entry for " + std::string(D::each) + ' ' +
                               std::to_string(entry_->record) + ", but there are " +
                               std::to_string(sum().records));
    from.for_each_finding([this](flaw f, const trace_error& e) {
      engine::add(static_cast<Rule>(f == flaw::cut ? 1 : 2), e);
    });
  }

  static constexpr std::uint64_t missing = ~std::uint64_t{0};

  std::uint64_t offset_ = 0;  // offset of the record that is checked
  source* from_ = nullptr;
  std::optional<io::record_entry> entry_ = {};  // next entry of the index
};

}  // namespace tracecodec::file
