// Implements analysis/diff/source.hpp.
#pragma once
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "../../../io/error.hpp"
#include "../../../wire/types/scalar.hpp"
#include "../source.hpp"
#include "moved_step.hpp"
#include "values.hpp"

namespace tracecodec::analysis {

namespace detail {

// Extractor of register and memory values from a batch's columns.
class value_reader {
 public:
  // Creates an extractor of the values in `from`. If `from` stores all registers, only values that
  // change are extracted.
  explicit value_reader(const feed::column_source& from)
      : all_registers_(from.has_all_registers()), own_registers_(from.has_own_registers()) {
    for (std::size_t n = 0; own_registers_ && n != compared_.size(); ++n)
      compared_[n] = n != x86::number(x86::reg::ip) &&
                     !from.register_name(static_cast<std::uint8_t>(n)).empty();
  }
  // Columns of a batch that contain values.
  struct value_columns {
    feed::register_values_column registers;
    feed::memory_values_column memory;
    explicit value_columns(const feed::columns& batch) noexcept
        : registers(batch.register_values()), memory(batch.memory_values()) {}
  };
  // Adds the values of row `row` to `to`, or omits the values if `to` is full.
  void read(const value_columns& from, std::size_t row, recorded_values& to);

 private:
  // Maximum number of 8-byte pieces of memory to extract for one instruction, counting the pieces
  // before and after the instruction. Further pieces are omitted. XSAVE with AVX-512 accesses 337
  // pieces.
  static constexpr std::size_t most_of_memory = 1024;

  void read_registers(const feed::register_values_column& r, std::size_t row, recorded_values& to);
  // Adds the contents of memory. Returns false if there are more than most_of_memory pieces.
  static bool read_memory(const feed::memory_values_column& m, std::size_t row,
                          recorded_values& to);
  [[nodiscard]] bool changes(std::size_t place, std::uint64_t value, std::uint8_t known);

  bool all_registers_, own_registers_, knows_any_ = false;
  std::array<bool, 256> compared_ = compared_registers;
  std::array<std::uint64_t, register_places> last_ = {};
  std::array<std::uint8_t, register_places> known_ = {};
};

TRACECODEC_FUNC void value_reader::read(const value_columns& from, std::size_t row,
                                        recorded_values& to) {
  if (to.full()) {
    // Forget the registers' last values, so that all registers are added again after this gap. `to`
    // remains full until the end of the batch, and the next batch begins with all registers.
    if (knows_any_) known_ = {};
    knows_any_ = false;
    return to.leave_out();
  }
  read_registers(from.registers, row, to);
  to.end(read_memory(from.memory, row, to));
}

TRACECODEC_FUNC void value_reader::read_registers(const feed::register_values_column& r,
                                                  std::size_t row, recorded_values& to) {
  if (r.offsets.empty()) return;
  for (std::size_t k = r.begin(row), end = r.end(row); k != end; ++k) {
    const auto which = static_cast<x86::reg>(r.number[k]);
    const std::size_t offset = r.offset[k], first = offset % 8;
    if (!compared_[r.number[k]] || offset >= 64) continue;
    std::uint64_t value = r.value[k];
    if (which == x86::reg::flags && !own_registers_ && offset < 8)
      value &= compared_flags >> 8 * first;
    const std::size_t place = register_place(which, offset);
    const auto known = static_cast<std::uint8_t>(((1U << r.size[k]) - 1) << first);
    value <<= 8 * first;
    if (!all_registers_ || changes(place, value, known))
      to.add(place, value, known, false, r.after[k] != 0);
  }
}

// Returns true if a register's value is new, and stores the value. The first row of a batch
// contains all registers, but most of their values are known from the previous row.
TRACECODEC_FUNC bool value_reader::changes(std::size_t place, std::uint64_t value,
                                           std::uint8_t known) {
  const std::uint64_t bytes = bytes_of_mask(known);
  if ((known_[place] & known) == known && ((last_[place] ^ value) & bytes) == 0) return false;
  last_[place] = (last_[place] & ~bytes) | (value & bytes);
  known_[place] = static_cast<std::uint8_t>(known_[place] | known);
  knows_any_ = true;
  return true;
}

TRACECODEC_FUNC bool value_reader::read_memory(const feed::memory_values_column& m, std::size_t row,
                                               recorded_values& to) {
  if (m.offsets.empty()) return true;
  std::size_t n = 0;
  for (std::size_t e = m.begin(row), end = m.end(row); e != end; ++e) {
    std::span<const std::byte> bytes = m.bytes[e];
    for (std::uint64_t address = m.address[e]; !bytes.empty();) {
      if (n++ == most_of_memory) return false;
      const auto first = static_cast<std::size_t>(address % 8);
      const std::size_t size = std::min(bytes.size(), 8 - first);
      const auto known = static_cast<std::uint8_t>(((1U << size) - 1) << first);
      // The shift moves the byte at `address` to its position in the 8-byte piece, and drops the
      // bytes that belong to the next pieces.
      const std::uint64_t value = wire::load_little(bytes.data(), bytes.size()) << 8 * first;
      if (m.trusted[e] != 0) to.add(address - first, value, known, true, m.after[e] != 0);
      address += size;
      bytes = bytes.subspan(size);
    }
  }
  // Memory that is not written keeps its value. This value is also needed after the instruction,
  // because the other trace may contain a store to the same memory: cmpxchg stores conditionally,
  // and some traces record even a store that changes nothing.
  const std::span<recorded_value> all =
      n != most_of_memory ? to.added() : std::span<recorded_value>();
  for (recorded_value& v : all)
    v.stays = v.memory && !v.after && std::none_of(all.begin(), all.end(), [&](const auto& w) {
                return w.memory && w.after && w.place == v.place;
              });
  return true;
}

}  // namespace detail

TRACECODEC_FUNC diff_source::diff_source(std::unique_ptr<feed::column_source> trace)
    : trace_(std::move(trace)) {}
TRACECODEC_FUNC diff_source::diff_source(diff_source&&) noexcept = default;
TRACECODEC_FUNC diff_source& diff_source::operator=(diff_source&&) noexcept = default;
TRACECODEC_FUNC diff_source::~diff_source() = default;

TRACECODEC_FUNC feed::column_set diff_source::columns(bool values) const noexcept {
  using feed::column;
  using feed::column_set;
  column_set all = column_set{column::ip} | feed::branch_columns | feed::operand_columns;
  if (trace_->has().has(column::text)) all |= column_set{column::index};
  if (values) all |= trace_->has() & column_set{column::register_values, column::memory_values};
  return all | (trace_->has() & column_set{column::code, column::operation, column::event_operand});
}

struct diff_source::step_columns {
  explicit step_columns(const feed::columns& b) noexcept
      : index(b.index()),
        ip(b.ip()),
        target(b.target()),
        event_operand(b.event_operand()),
        branch(b.branch()),
        is_branch(b.is_branch()),
        taken(b.taken()),
        operation(b.operation()),
        destination_registers(b.destination_registers()),
        source_registers(b.source_registers()),
        memory(b.memory()),
        code(b.code()) {}

  std::span<const std::uint64_t> index, ip, target, event_operand;
  std::span<const feed::branch_class> branch;
  std::span<const std::uint8_t> is_branch, taken, operation;
  feed::list_column<std::uint8_t> destination_registers, source_registers;
  feed::memory_column memory;
  feed::list_column<std::byte> code;
};

[[gnu::always_inline]] inline void diff_source::set(diff_step& to, const step_columns& from,
                                                    std::size_t row) noexcept {
  to.target = from.target[row];
  to.branch = from.branch[row];
  if (!from.index.empty()) to.number = from.index[row];
  if (!from.operation.empty()) {
    to.operation = from.operation[row];
    to.operand = from.event_operand[row];
  }
  diff_record& r = to.record;
  r.ip = from.ip[row];
  r.is_branch = from.is_branch[row];
  r.branch_taken = from.taken[row];
  // Copies nonzero operands until the slots are full.
  const auto fill = [](const auto& all, std::size_t k, std::size_t end, auto& slots) {
    for (std::size_t n = 0; k != end && n != slots.size(); ++k)
      if (all[k] != 0) slots[n++] = all[k];
  };
  const auto registers = [&](const feed::list_column<std::uint8_t>& all, auto& slots) {
    fill(all.values, all.begin(row), all.end(row), slots);
  };
  registers(from.destination_registers, r.destination_registers);
  registers(from.source_registers, r.source_registers);
  const feed::memory_column& m = from.memory;
  const std::size_t begin = m.begin(row), end = m.end(row);
  std::size_t written = begin;
  while (written != end && m.write[written] == 0) ++written;
  fill(m.address, begin, written, r.source_memory);
  fill(m.address, written, end, r.destination_memory);
  sort_operands(r);
  if (!from.code.offsets.empty()) to.reads.keep(from.code[row]);
}

TRACECODEC_FUNC bool diff_source::take(std::vector<diff_step>& to,
                                       detail::recorded_values* values) {
  if (values != nullptr && !reader_) reader_ = std::make_unique<detail::value_reader>(*trace_);
  trace_->want(columns(values != nullptr), {feed::column::code});
  if (!trace_->next(batch_, batch_rows)) return false;
  const step_columns from(batch_);
  const detail::value_reader::value_columns columns(batch_);
  for (std::size_t row = 0, n = batch_.size(); row != n; ++row) {
    if (values != nullptr) reader_->read(columns, row, *values);
    diff_step& s = to.emplace_back();
    s.index = taken_++;
    set(s, from, row);
  }
  return true;
}

TRACECODEC_FUNC std::string assembly_of(const diff_step& s, const feed::column_source& trace) {
  if (!trace.has().has(feed::column::text)) return trace.assembly_of(s.reads.code(), s.record.ip);
  try {
    return trace.assembly_at(s.number);
  } catch (const trace_error&) {
    return {};
  }
}

}  // namespace tracecodec::analysis
