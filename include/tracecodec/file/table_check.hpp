// Check of a file of records that a table describes at run time. The file must be readable and end
// with a complete record.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <utility>

#include "check.hpp"
#include "table_reader.hpp"

namespace tracecodec::file {

// Checker with the rules damaged, header and cut of `check_rules`. It needs no more memory than the
// reader. Errors thrown by the reader become findings. Exceptions thrown by `report` propagate.
template <class Report> class table_checker
    : check_engine<table_checker<Report>, findings<check_rules, rule, check_summary, Report>> {
  using engine =
      check_engine<table_checker<Report>, findings<check_rules, rule, check_summary, Report>>;
  friend engine;

 public:
  explicit table_checker(Report report, check_options options = {})
      : engine(std::move(report), std::move(options)) {}

  check_summary run(table_reader from) {
    record_size_ = from.table().size();
    return this->template check<table_reader>(std::move(from));
  }

 private:
  using engine::add, engine::sum;

  void not_opened(const trace_error& e) { add(rule::damaged, e); }
  void batch(std::span<const std::byte> records) { sum().records += records.size() / record_size_; }
  bool failed(const trace_error& e, const table_reader&) {
    add(e.code() == trace_errc::not_a_trace               ? rule::header
        : e.code() == trace_errc::truncated && e.record() ? rule::cut
                                                          : rule::damaged,
        e);
    return false;
  }

  std::size_t record_size_ = 0;
};

}  // namespace tracecodec::file
