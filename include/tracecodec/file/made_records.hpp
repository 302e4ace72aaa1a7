// Reader of records that are made from the content of a file, instead of decoded one by one.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "../io/error.hpp"
#include "batch.hpp"

namespace tracecodec::file {

// Base class of the reader `Own`, which declares this class a friend and defines:
//   make(records)   adds further records to the vector. Returns false at the end. May throw
//                   trace_error after it has added records
//   restart()       moves back to the first record
// `Own` also defines name() and progress() like other readers. Batches hold up to 1,024 records, and
// fewer if make() adds fewer, so that `Own` can bound the memory of large records. A further record is
// in memory after each batch except the last one. All records that were made are returned before an
// error is thrown.
template <class Own, class Record> class made_records {
 public:
  using record = Record;
  using batch_type = batch<std::span<const Record>>;
  static constexpr std::size_t batch_size = 1024;

  // Returns the next records, or an empty batch at the end.
  batch_type next() {
    const batch_type b = peek(batch_size);
    if (b.size() == 0 && failure_) std::rethrow_exception(std::exchange(failure_, nullptr));
    accept(b.size());
    return b;
  }
  // Skips `n` records, or all remaining ones, and returns the number of skipped records.
  std::uint64_t skip(std::uint64_t n) {
    std::uint64_t done = 0;
    while (done != n) {
      const auto most = static_cast<std::size_t>(std::min<std::uint64_t>(n - done, batch_size));
      const std::size_t there = peek(most).size();
      if (there == 0) break;
      accept(there);
      done += there;
    }
    return done;
  }
  // Moves back to the first record. Throws trace_error(refused) for standard input and pipes.
  void rewind() {
    static_cast<Own&>(*this).restart();
    made_.clear();
    first_ = 0;
    position_ = 0;
    ended_ = false;
    failure_ = nullptr;
  }
  // Returns the number of records. Reads all records, and then moves back to the current record.
  std::uint64_t count() {
    const std::uint64_t here = position_;
    rewind();
    const std::uint64_t n = skip(std::numeric_limits<std::uint64_t>::max());
    rewind();
    skip(here);
    return n;
  }
  // Returns the index of the next record.
  [[nodiscard]] std::uint64_t position() const noexcept { return position_; }

 private:
  // Returns the next records, at most `most`, without changing the position.
  batch_type peek(std::size_t most) {
    while (made_.size() - first_ < 2 && !ended_) make_some();
    const std::size_t ready = made_.size() - first_ - (ended_ ? 0 : 1), n = std::min(most, ready);
    return {std::span<const Record>(made_).subspan(first_, n), position_, ended_ && n == ready};
  }
  void make_some() {
    made_.erase(made_.begin(), made_.begin() + static_cast<std::ptrdiff_t>(first_));
    first_ = 0;
    try {
      ended_ = !static_cast<Own&>(*this).make(made_);
    } catch (const trace_error&) {
      failure_ = std::current_exception();
      ended_ = true;
    }
  }
  void accept(std::size_t n) noexcept {
    first_ += n;
    position_ += n;
  }

  std::vector<Record> made_ = {};
  std::size_t first_ = 0;  // index of the next record in `made_`
  std::uint64_t position_ = 0;
  bool ended_ = false;  // true if no further records can be made
  std::exception_ptr failure_ = {};
};

}  // namespace tracecodec::file
