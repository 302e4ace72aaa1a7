// A row of columns as an instruction, for what is written for any feed's.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "columns.hpp"
#include "instruction.hpp"

namespace tracecodec::feed {

// Valid as long as the batch. Only those columns may be asked that it has.
class column_row {
 public:
  column_row(const columns& batch, std::size_t row) noexcept : batch_(&batch), row_(row) {}

  [[nodiscard]] std::uint64_t ip() const noexcept { return batch_->ip()[row_]; }
  [[nodiscard]] branch_class branch() const noexcept { return batch_->branch()[row_]; }
  [[nodiscard]] bool is_branch() const noexcept { return batch_->is_branch()[row_] != 0; }
  [[nodiscard]] bool taken() const noexcept { return batch_->taken()[row_] != 0; }
  [[nodiscard]] std::uint64_t target() const noexcept { return batch_->target()[row_]; }
  [[nodiscard]] std::uint32_t asid() const noexcept { return batch_->thread()[row_]; }
  [[nodiscard]] std::span<const std::uint8_t> destination_registers() const noexcept {
    return batch_->destination_registers()[row_];
  }
  [[nodiscard]] std::span<const std::uint8_t> source_registers() const noexcept {
    return batch_->source_registers()[row_];
  }
  [[nodiscard]] std::span<const std::uint64_t> destination_memory() const noexcept {
    const memory_column m = batch_->memory();
    const std::size_t first = first_write(m);
    return m.address.subspan(first, m.end(row_) - first);
  }
  [[nodiscard]] std::span<const std::uint64_t> source_memory() const noexcept {
    const memory_column m = batch_->memory();
    return m.address.subspan(m.begin(row_), first_write(m) - m.begin(row_));
  }

 private:
  [[nodiscard]] std::size_t first_write(const memory_column& m) const noexcept {
    std::size_t k = m.begin(row_);
    while (k != m.end(row_) && m.write[k] == 0) ++k;
    return k;
  }
  const columns* batch_;
  std::size_t row_;
};
static_assert(instruction<column_row>);

}  // namespace tracecodec::feed
