// Applies the rules of check.hpp to records that a table describes.
#pragma once
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "check.hpp"
#include "table_feed.hpp"

namespace tracecodec::champsim {

namespace detail {
// Specialisation for table_feed. All records that a table describes have the same size.
template <> class checked_records<table_feed> {
 public:
  struct part {
    std::size_t records;
    std::optional<record_layout> layout = {};
  };
  void begin(const table_feed& from) {
    header_ = from.table().offset_of(0);
    size_ = from.table().size();
    mappable_ = has_byte_registers(from.table());
  }
  [[nodiscard]] bool mappable() const { return mappable_; }
  [[nodiscard]] std::uint64_t offset_of(std::uint64_t record) const {
    return header_ + record * size_;
  }
  static part next(const table_batch& rest, std::uint64_t) { return {.records = rest.size()}; }
  static std::string describe(const record_layout&) { return {}; }
  static branch_class class_of_2022(const table_instruction& i) {
    return i.branch(branch_rules::of_2022);
  }

 private:
  std::uint64_t header_ = 0, size_ = 0;
  bool mappable_ = true;
};
}  // namespace detail

// Checks a trace of records that `table` describes. Calls report(const diagnostic&) in file order.
// If table_feed rejects the file, the check reports a single finding. If `how.trust` is set,
// table_feed accepts any file.
template <class Report>
check_summary check(io::input in, std::shared_ptr<const file::record_table> table, Report report,
                    check_options options = {}, reader_options how = {}) {
  return checker<table_feed, Report>(std::move(report), std::move(options))
      .run(std::move(in), std::move(table), table_feed_options{.trust = how.trust});
}

}  // namespace tracecodec::champsim
