// Converts the columns of any trace to ChampSim or CloudSuite records. CloudSuite records have room
// for more operands than ChampSim records. On request, also computes the instruction properties
// that a tracepack stores.
#pragma once
#include <tracecodec/champsim/record_of.hpp>
#include <tracecodec/feed/column_row.hpp>
#include <tracecodec/trace/reader.hpp>
#include <tracecodec/trace/record_losses.hpp>
#include <tracecodec/tracepack/properties.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace convert {

template <class Record> class column_records {
 public:
  // Makes records from the rows of `from`. If `known` is true, also computes the instruction
  // properties that a tracepack stores. In that case, the trace must have column::code.
  column_records(tracecodec::trace::reader& from, bool known) : from_(from), keeps_(known) {
    using tracecodec::feed::column, tracecodec::feed::column_set;
    from.want(tracecodec::feed::operand_columns |
              column_set{column::ip, column::is_branch, column::taken, column::thread,
                         column::dropped_operands} |
              (known ? column_set{column::branch, column::code} : column_set{}) |
              (from.has() & column_set{column::uncertainty}));
  }

  // Reads the next batch of records. Returns false at the end. Throws like the reader.
  bool next() {
    namespace feed = tracecodec::feed;
    // Small batches keep the records in the cache until they are written.
    constexpr std::size_t few = 1024;
    records_.clear();
    known_.clear();
    if (!from_.next(batch_, few)) return false;
    const feed::row_columns rows(batch_);
    for (std::size_t row = 0; row != batch_.size(); ++row) {
      const auto r = tracecodec::champsim::record_of<Record>(feed::column_row(rows, row));
      records_.push_back(r.record);
      if (keeps_) known_.push_back(property_of(rows, row));
      lost_.clipped += r.dropped_operands != 0;
    }
    count_losses();
    return true;
  }
  [[nodiscard]] std::span<const Record> records() const noexcept { return records_; }
  [[nodiscard]] std::span<const tracecodec::tracepack::property> known() const noexcept {
    return known_;
  }
  // Returns the losses in all records that were made so far.
  [[nodiscard]] const tracecodec::trace::record_losses& losses() const noexcept { return lost_; }

 private:
  // Returns the properties of a row's instruction. Omits code that is too long for a tracepack. The
  // code of a valid instruction is never that long.
  tracecodec::tracepack::property property_of(const tracecodec::feed::row_columns& rows,
                                              std::size_t row) const {
    const auto code = batch_.code();
    const std::size_t n = code.count(row);
    tracecodec::tracepack::property p{.branch = static_cast<std::uint8_t>(rows.branch[row])};
    if (n > p.code.size()) return p;
    p.length = static_cast<std::uint8_t>(n);
    std::copy_n(code.values.data() + code.begin(row), n, p.code.begin());
    return p;
  }
  void count_losses() {
    using tracecodec::feed::uncertainty;
    const auto is = [](std::uint8_t all, uncertainty d) {
      return (all & static_cast<std::uint8_t>(d)) != 0 ? 1U : 0U;
    };
    for (const std::uint8_t uncertainty : batch_.uncertainty()) {
      lost_.incomplete += is(uncertainty, uncertainty::unknown_address);
      lost_.undecoded += is(uncertainty, uncertainty::undecoded);
      lost_.estimated += is(uncertainty, uncertainty::estimated_outcome);
    }
    if (!from_.has().has(tracecodec::feed::column::thread_known)) return;
    for (const std::uint32_t thread : batch_.thread()) {
      lost_.switches += lost_.thread && *lost_.thread != thread;
      lost_.thread = thread;
    }
    for (const std::uint8_t branch : batch_.is_branch()) lost_.branches += branch;
  }

  tracecodec::trace::reader& from_;
  bool keeps_;
  tracecodec::feed::columns batch_ = {};
  tracecodec::trace::record_losses lost_ = {};
  std::vector<Record> records_ = {};
  std::vector<tracecodec::tracepack::property> known_ = {};
};

}  // namespace convert
