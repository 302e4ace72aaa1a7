// Reads a trace of any format as ChampSim records, for simulators. The class has no template
// parameters.
#pragma once
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include "../champsim/layout.hpp"
#include "../config.hpp"
#include "cursor.hpp"
#include "record_instruction.hpp"
#include "record_losses.hpp"
#include "source.hpp"

namespace tracecodec::trace {

class record_source;

// Opens only the records of a trace, for code that uses a record_source (record_source.hpp). Throws
// like trace::source and trace::visit.
TRACECODEC_FUNC std::unique_ptr<record_source> open_records(
    source from, const tracecodec::format::open_options& how = {});

// Trace as a range (std::ranges::input_range) of records with branch class and target:
//
//   trace::records from("x.trace64");
//   for (const trace::record_instruction& i : from) ... i.record(), i.branch(), i.target() ...
//
// Batches of records do not include the branch class and target, so a ChampSim trace needs no
// conversion:
//
//   for (auto batch = from.next(); !batch.empty(); batch = from.next())
//     for (const champsim::instruction& r : batch) ... r.ip ...
class records : public cursor {
 public:
  static constexpr std::size_t most_records = 4096;

  // Opens `path` like trace::source. Throws like trace::source and trace::visit.
  explicit records(const std::string& path, const tracecodec::format::open_options& how = {});
  explicit records(source from, const tracecodec::format::open_options& how = {});

  // Returns up to `most` records, or no records at the end. `most` must be at least 1. Like
  // record_source::next(), returns all records before an error before it throws trace_error. For a
  // ChampSim trace, returns the records of the file, in place if the file is mapped. For other
  // formats, converts each instruction with champsim::record_of(). The records are valid until
  // next(), skip(), shard(), rewind() or count() is called.
  std::span<const champsim::instruction> next(std::size_t most = most_records);

  // Input iterator. The current element is valid until the iterator is incremented or the records
  // of next() become invalid.
  class iterator {
   public:
    using value_type = record_instruction;
    using difference_type = std::ptrdiff_t;
    using iterator_concept = std::input_iterator_tag;

    explicit iterator(records& from) : from_(&from) { fetch(); }
    const record_instruction& operator*() const noexcept { return *current_; }
    const record_instruction* operator->() const noexcept { return &*current_; }
    iterator& operator++() {
      if (++at_ == batch_.size())
        fetch();
      else
        show();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& i, std::default_sentinel_t) noexcept {
      return i.batch_.empty();
    }

   private:
    void fetch() {
      at_ = 0;
      batch_ = from_->next_with_branches(branches_);
      if (!batch_.empty()) show();
    }
    void show() noexcept { current_.emplace(batch_[at_], branches_[at_]); }

    records* from_;
    std::span<const champsim::instruction> batch_ = {};  // empty at the end
    std::span<const record_branch> branches_ = {};
    std::size_t at_ = 0;
    std::optional<record_instruction> current_ = {};
  };
  // Returns an iterator at the next record. Because iteration reads whole batches, next() and
  // position() continue after the current batch if a loop ends early. begin() and ++ throw like
  // next().
  iterator begin() { return iterator(*this); }
  [[nodiscard]] static std::default_sentinel_t end() noexcept { return {}; }

  // Returns the number of operands that did not fit in the records that next() has returned since
  // the beginning or the last rewind().
  [[nodiscard]] std::uint64_t dropped_operands() const noexcept { return dropped_operands_; }
  // Starts counting the information that records lack. losses() returns the counts. They include
  // only records that are returned after this call.
  void count_losses() noexcept;
  [[nodiscard]] const record_losses& losses() const noexcept;
  void rewind() {
    cursor::rewind();
    dropped_operands_ = 0;
  }

 private:
  // Returns the next records like next(), and sets `branches` to the branch class, outcome and
  // target of each record.
  std::span<const champsim::instruction> next_with_branches(
      std::span<const record_branch>& branches);

  std::uint64_t dropped_operands_ = 0;
};

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/records.ipp"
#endif
