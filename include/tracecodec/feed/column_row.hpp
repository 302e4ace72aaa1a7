// View of a row of columns as an instruction, and feed of rows over a column source. With these
// views, code for any feed needs to be compiled only once.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <span>
#include <utility>

#include "../wire/types/bytes.hpp"
#include "column_source.hpp"
#include "columns.hpp"
#include "instruction.hpp"
#include "stream.hpp"

namespace tracecodec::feed {

// Pointers to the columns that rows use, looked up once per batch instead of once per row.
struct row_columns {
  row_columns() = default;
  explicit row_columns(const columns& batch) noexcept
      : ip(batch.ip().data()),
        target(batch.target().data()),
        dropped_operands(batch.dropped_operands().data()),
        thread(batch.thread().data()),
        branch(batch.branch().data()),
        is_branch(batch.is_branch().data()),
        taken(batch.taken().data()),
        destination_registers(batch.destination_registers()),
        source_registers(batch.source_registers()),
        memory(batch.memory()) {}
  const std::uint64_t *ip = nullptr, *target = nullptr, *dropped_operands = nullptr;
  const std::uint32_t* thread = nullptr;
  const branch_class* branch = nullptr;
  const std::uint8_t *is_branch = nullptr, *taken = nullptr;
  list_column<std::uint8_t> destination_registers = {}, source_registers = {};
  memory_column memory = {};
};

// View of a row of a batch as an instruction. The view is valid as long as the batch and the
// row_columns exist. A member function may be called only if the batch contains the corresponding
// column. The exception is a batch without operand columns, in which instructions have no operands.
class column_row {
 public:
  // Constructs the view of row `row`. If `target` is not 0 and the branch is taken, `target`
  // replaces the value of the column.
  TRACECODEC_INLINE column_row(const row_columns& of, std::size_t row,
                               std::uint64_t target = 0) noexcept
      : of_(&of), row_(row), target_(target) {}

  [[nodiscard]] std::uint64_t ip() const noexcept { return of_->ip[row_]; }
  [[nodiscard]] branch_class branch() const noexcept { return of_->branch[row_]; }
  [[nodiscard]] bool is_branch() const noexcept { return of_->is_branch[row_] != 0; }
  [[nodiscard]] bool taken() const noexcept { return of_->taken[row_] != 0; }
  [[nodiscard]] std::uint64_t target() const noexcept {
    return target_ != 0 && taken() ? target_ : of_->target[row_];
  }
  [[nodiscard]] std::uint32_t asid() const noexcept { return of_->thread[row_]; }
  [[nodiscard]] std::uint64_t dropped_operands() const noexcept {
    return of_->dropped_operands[row_];
  }
  [[nodiscard]] std::span<const std::uint8_t> destination_registers() const noexcept {
    return of(of_->destination_registers);
  }
  [[nodiscard]] std::span<const std::uint8_t> source_registers() const noexcept {
    return of(of_->source_registers);
  }
  [[nodiscard]] nonzero_range<std::uint64_t> destination_memory() const noexcept {
    const memory_column& m = of_->memory;
    if (m.offsets.empty()) return addresses(m, 0, 0);
    return addresses(m, first_write(m), m.end(row_));
  }
  [[nodiscard]] nonzero_range<std::uint64_t> source_memory() const noexcept {
    const memory_column& m = of_->memory;
    if (m.offsets.empty()) return addresses(m, 0, 0);
    return addresses(m, m.begin(row_), first_write(m));
  }
  // Calls f like feed::for_each_access(), with the sizes stored in the column.
  template <class F> void for_each_access(F&& f) const {
    const memory_column& m = of_->memory;
    if (m.offsets.empty()) return;
    for (std::size_t k = m.begin(row_); k != m.end(row_); ++k)
      f(m.address[k], m.size[k], m.write[k] != 0);
  }

 private:
  [[nodiscard]] std::span<const std::uint8_t> of(
      const list_column<std::uint8_t>& all) const noexcept {
    if (all.offsets.empty()) return {};
    return {all.values.data() + all.begin(row_), all.count(row_)};
  }
  static nonzero_range<std::uint64_t> addresses(const memory_column& m, std::size_t from,
                                                std::size_t to) noexcept {
    return nonzero_range<std::uint64_t>({m.address.data() + from, to - from});
  }
  [[nodiscard]] std::size_t first_write(const memory_column& m) const noexcept {
    std::size_t k = m.begin(row_);
    while (k != m.end(row_) && m.write[k] == 0) ++k;
    return k;
  }
  const row_columns* of_;
  std::size_t row_;
  std::uint64_t target_;
};
static_assert(instruction<column_row>);

// Consecutive rows of one batch of columns (models feed::batch). The batch must not move.
class column_batch {
 public:
  using value_type = column_row;
  column_batch() = default;
  column_batch(const columns& of, const row_columns& rows) noexcept
      : of_(&of), rows_(&rows), end_(of.size()), ends_(of.last_batch()) {}

  [[nodiscard]] std::size_t size() const noexcept { return end_ - begin_; }
  TRACECODEC_INLINE column_row operator[](std::size_t i) const noexcept {
    const std::size_t row = begin_ + i;
    return {*rows_, row, row + 1 == end_ ? following_ip_ : 0};
  }
  [[nodiscard]] column_batch first(std::size_t n) const noexcept {
    if (n >= size()) return *this;
    column_batch b = *this;
    b.end_ = begin_ + n;
    b.following_ip_ = 0;
    b.ends_ = false;
    return b;
  }
  [[nodiscard]] column_batch drop(std::size_t n) const noexcept {
    column_batch b = *this;
    b.begin_ += std::min(n, size());
    return b;
  }
  [[nodiscard]] bool last_batch() const noexcept { return ends_; }
  void mark_last() noexcept { ends_ = true; }
  // Returns true if set_next_ip() changes the target of a taken branch at the end of the batch.
  [[nodiscard]] bool uses_next_ip() const noexcept { return of_ != nullptr && of_->goes_on(); }
  void set_next_ip(std::uint64_t ip) noexcept {
    if (uses_next_ip()) following_ip_ = ip;
  }

  // all() returns the batch of columns that contains the rows. begin_row() returns the index of the
  // first row in that batch.
  [[nodiscard]] const columns& all() const noexcept { return *of_; }
  [[nodiscard]] std::size_t begin_row() const noexcept { return begin_; }

 private:
  const columns* of_ = nullptr;
  const row_columns* rows_ = nullptr;
  std::size_t begin_ = 0, end_ = 0;
  // ip of the instruction after the rows. If 0, the target comes from the column.
  std::uint64_t following_ip_ = 0;
  bool ends_ = true;
};

// Feed over a column source, with the same type for traces of any format. It models feed::stream
// and is a range. The source must outlive the feed, and must provide the columns that users of the
// rows read (column_source::want()).
class column_feed : public iterable<column_feed> {
 public:
  using batch_type = column_batch;
  // Constructs a feed over `from`. `most` is the maximum number of rows per batch. The default is
  // small, so that rows are still in the cache when they are used.
  explicit column_feed(column_source& from, std::size_t most = 1024)
      : from_(&from), kept_(std::make_unique<kept>()), most_(most) {}

  batch_type next() {
    if (!from_->next(kept_->batch, most_)) return {};
    kept_->rows = row_columns(kept_->batch);
    return {kept_->batch, kept_->rows};
  }
  std::uint64_t skip(std::uint64_t n) { return from_->skip(n); }
  void rewind() { from_->rewind(); }
  std::optional<std::uint64_t> count() { return from_->count(); }
  [[nodiscard]] std::optional<double> progress() const { return from_->progress(); }

 private:
  struct kept {
    columns batch = {};
    row_columns rows = {};
  };
  column_source* from_;
  // This object is on the heap, because batches point to it and the feed may move.
  std::unique_ptr<kept> kept_;
  std::size_t most_;
};
static_assert(stream<column_feed>);

}  // namespace tracecodec::feed
