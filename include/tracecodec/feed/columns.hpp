// Batch of instructions as a structure of arrays, with one column per property, for traces of any
// format.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "column.hpp"
#include "columns/engine/column_buffers.hpp"
#include "stream.hpp"

namespace tracecodec::feed {

// Offsets of lists in Apache Arrow's layout. The list of row `r` has the entries [offsets[r],
// offsets[r + 1]), so `offsets` has one more element than the number of rows. `offsets` is empty if
// the column was not requested.
struct list_offsets {
  std::span<const std::int32_t> offsets = {};
  [[nodiscard]] std::size_t begin(std::size_t row) const noexcept {
    return static_cast<std::size_t>(offsets[row]);
  }
  [[nodiscard]] std::size_t end(std::size_t row) const noexcept {
    return static_cast<std::size_t>(offsets[row + 1]);
  }
  [[nodiscard]] std::size_t count(std::size_t row) const noexcept { return end(row) - begin(row); }
};
template <class T> struct list_column : list_offsets {
  std::span<const T> values = {};
  [[nodiscard]] std::span<const T> operator[](std::size_t row) const noexcept {
    return values.subspan(begin(row), count(row));
  }
};
// Memory operands. For each instruction, operands that are read precede operands that are written.
struct memory_column : list_offsets {
  std::span<const std::uint64_t> address = {};
  std::span<const std::uint64_t> size = {};  // in bytes, or 0 if the format does not store it
  std::span<const std::uint8_t> write = {};  // flag: 1 if the operand is written
};
// Contents of memory, as defined by for_each_memory_value() (values.hpp).
struct memory_values_column : list_offsets {
  std::span<const std::uint64_t> address = {};  // address of the first byte
  // Flag: 1 if the instruction wrote the bytes, 0 if they were present before.
  std::span<const std::uint8_t> after = {};
  // Flag: 0 if the bytes in memory may have been different.
  std::span<const std::uint8_t> trusted = {};
  list_column<std::byte> bytes = {};  // lists indexed by entry instead of by row
};
// Contents of registers, as defined by for_each_register_value() (values.hpp).
struct register_values_column : list_offsets {
  std::span<const std::uint8_t> number = {};   // x86::reg
  std::span<const std::uint16_t> offset = {};  // first byte of the register that `value` covers
  std::span<const std::uint8_t> size = {};     // number of bytes, within an aligned group of 8
  std::span<const std::uint64_t> value = {};   // value of the `size` bytes at `offset`
  std::span<const std::uint8_t> after = {};    // flag: 1 after the instruction, 0 before it
};
struct selected_register_column : list_offsets {
  std::span<const std::uint64_t> value = {};  // lowest 64 bits of the register
  std::span<const std::uint8_t> after = {};   // flag: 1 after the instruction, 0 before it
};

template <stream Feed> class column_filler;
namespace detail {
template <batch Batch> class column_loops;
}

// Batch of up to 4,096 instructions, with the requested columns (column.hpp). All other columns are
// empty. A column_source fills the batch. The contents are valid until the batch is filled again.
// Arrays begin at multiples of 64 bytes, do not move when the batch moves, and are reused. Filling
// a batch allocates memory only if the batch is larger than all earlier batches.
//
// Memory is bounded for every trace. For each instruction, a list column stores up to 64 KiB of its
// widest part, which is 8,192 entries for memory and registers. left_out() counts the entries and
// bytes that were omitted. A batch ends early after a row that makes a list column reach 256 KiB,
// or after a row with omitted entries. All columns together take less than 8 MiB.
class columns {
 public:
  static constexpr std::size_t most_rows = 4096;

  // Removes all rows and columns, but keeps the allocated memory.
  void clear() noexcept {
    requested_ = {};
    size_ = 0;
    left_out_ = 0;
    ends_ = goes_on_ = false;
  }

  // Return the number of rows, and the number of the first row in the source.
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  [[nodiscard]] std::uint64_t first() const noexcept { return first_; }
  [[nodiscard]] column_set requested() const noexcept { return requested_; }
  // Returns true if the trace, or a pass over it, ends after the batch.
  [[nodiscard]] bool last_batch() const noexcept { return ends_; }
  // Returns true if a taken branch at the end of a pass goes to the first instruction of the next
  // pass. Returns false if these two instructions may belong to different threads.
  [[nodiscard]] bool goes_on() const noexcept { return goes_on_; }
  // Returns the number of entries and bytes of lists that did not fit.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }
  // Returns the number of entries and bytes that did not fit into the requested columns of `of`.
  [[nodiscard]] std::uint64_t left_out(column_set of) const noexcept {
    std::uint64_t n = 0;
    if (left_out_ != 0)
      each_lists(*this, [&](column c, const auto& l) {
        if ((of & requested_).has(c)) n += l.left_out();
      });
    return n;
  }

  [[nodiscard]] std::span<const std::uint64_t> index() const noexcept {
    return fixed(column::index, index_);
  }
  [[nodiscard]] std::span<const std::uint64_t> ip() const noexcept {
    return fixed(column::ip, ip_);
  }
  [[nodiscard]] std::span<const branch_class> branch() const noexcept {
    return fixed(column::branch, branch_);
  }
  [[nodiscard]] std::span<const std::uint8_t> is_branch() const noexcept {
    return fixed(column::is_branch, is_branch_);
  }
  [[nodiscard]] std::span<const std::uint8_t> taken() const noexcept {
    return fixed(column::taken, taken_);
  }
  [[nodiscard]] std::span<const std::uint64_t> target() const noexcept {
    return fixed(column::target, target_);
  }
  [[nodiscard]] std::span<const std::uint32_t> thread() const noexcept {
    return fixed(column::thread, thread_);
  }
  [[nodiscard]] std::span<const std::uint8_t> thread_known() const noexcept {
    return fixed(column::thread_known, thread_known_);
  }
  // Returns the column `size`. The function is not called size(), because size() returns the number
  // of rows.
  [[nodiscard]] std::span<const std::uint32_t> code_size() const noexcept {
    return fixed(column::size, code_size_);
  }
  [[nodiscard]] list_column<std::byte> code() const noexcept { return list(column::code, code_); }
  [[nodiscard]] list_column<std::byte> text() const noexcept { return list(column::text, text_); }
  [[nodiscard]] std::span<const std::uint8_t> mnemonic_matches() const noexcept {
    return fixed(column::mnemonic_matches, mnemonic_matches_);
  }
  [[nodiscard]] std::span<const std::uint8_t> operation() const noexcept {
    return fixed(column::operation, operation_);
  }
  [[nodiscard]] std::span<const std::uint64_t> decor() const noexcept {
    return fixed(column::decor, decor_);
  }
  [[nodiscard]] std::span<const std::uint32_t> location() const noexcept {
    return fixed(column::location, location_);
  }
  [[nodiscard]] std::span<const std::uint64_t> event_operand() const noexcept {
    return fixed(column::event_operand, event_operand_);
  }
  [[nodiscard]] list_column<std::uint8_t> destination_registers() const noexcept {
    return list(column::destination_registers, destination_registers_);
  }
  [[nodiscard]] list_column<std::uint8_t> source_registers() const noexcept {
    return list(column::source_registers, source_registers_);
  }
  [[nodiscard]] std::span<const std::uint64_t> dropped_operands() const noexcept {
    return fixed(column::dropped_operands, dropped_operands_);
  }
  [[nodiscard]] memory_column memory() const noexcept {
    if (!requested_.has(column::memory)) return {};
    return {{memory_.offsets(size_)}, memory_.all<0>(), memory_.all<1>(), memory_.all<2>()};
  }
  [[nodiscard]] memory_values_column memory_values() const noexcept {
    if (!requested_.has(column::memory_values)) return {};
    const auto& m = memory_values_.entries();
    const auto& bytes = memory_values_.bytes();
    return {{m.offsets(size_)},
            m.all<0>(),
            m.all<1>(),
            m.all<2>(),
            {{bytes.offsets(m.size())}, bytes.all<0>()}};
  }
  [[nodiscard]] register_values_column register_values() const noexcept {
    const auto& r = register_values_;
    if (!requested_.has(column::register_values)) return {};
    return {{r.offsets(size_)}, r.all<0>(), r.all<1>(), r.all<2>(), r.all<3>(), r.all<4>()};
  }
  [[nodiscard]] selected_register_column register_value() const noexcept {
    if (!requested_.has(column::register_value)) return {};
    return {{register_value_.offsets(size_)}, register_value_.all<0>(), register_value_.all<1>()};
  }
  [[nodiscard]] std::span<const std::uint8_t> recorded_branch() const noexcept {
    return fixed(column::recorded_branch, recorded_branch_);
  }
  [[nodiscard]] std::span<const std::uint8_t> recorded_taken() const noexcept {
    return fixed(column::recorded_taken, recorded_taken_);
  }
  [[nodiscard]] std::span<const std::uint8_t> uncertainty() const noexcept {
    return fixed(column::uncertainty, uncertainty_);
  }
  [[nodiscard]] std::span<const std::uint8_t> reads() const noexcept {
    return fixed(column::reads, reads_);
  }
  [[nodiscard]] std::span<const std::uint8_t> writes() const noexcept {
    return fixed(column::writes, writes_);
  }
  [[nodiscard]] std::span<const std::uint64_t> time() const noexcept {
    return fixed(column::time, time_);
  }
  [[nodiscard]] std::span<const std::uint32_t> cpu() const noexcept {
    return fixed(column::cpu, cpu_);
  }
  [[nodiscard]] std::span<const std::uint16_t> system_events() const noexcept {
    return fixed(column::system_events, system_events_);
  }

 private:
  template <stream Feed> friend class column_filler;
  template <feed::batch Batch> friend class detail::column_loops;
  template <class T> using buffer = detail::column_buffer<T>;
  template <class... T> using lists = detail::column_lists<T...>;

  template <class T>
  [[nodiscard]] std::span<const T> fixed(column c, const buffer<T>& of) const noexcept {
    return requested_.has(c) ? std::span<const T>(of.data(), size_) : std::span<const T>();
  }
  template <class T>
  [[nodiscard]] list_column<T> list(column c, const lists<T>& of) const noexcept {
    if (!requested_.has(c)) return {};
    return {{of.offsets(size_)}, of.template all<0>()};
  }

  // Calls f(column, values) for the storage of each column with one value per row.
  template <class F> void each_fixed(F f) {
    f(column::index, index_);
    f(column::ip, ip_);
    f(column::branch, branch_);
    f(column::is_branch, is_branch_);
    f(column::taken, taken_);
    f(column::target, target_);
    f(column::thread, thread_);
    f(column::thread_known, thread_known_);
    f(column::size, code_size_);
    f(column::mnemonic_matches, mnemonic_matches_);
    f(column::operation, operation_);
    f(column::decor, decor_);
    f(column::location, location_);
    f(column::event_operand, event_operand_);
    f(column::dropped_operands, dropped_operands_);
    f(column::recorded_branch, recorded_branch_);
    f(column::recorded_taken, recorded_taken_);
    f(column::uncertainty, uncertainty_);
    f(column::reads, reads_);
    f(column::writes, writes_);
    f(column::time, time_);
    f(column::cpu, cpu_);
    f(column::system_events, system_events_);
  }
  template <class Columns, class F> static void each_lists(Columns& of, F f) {
    f(column::code, of.code_);
    f(column::text, of.text_);
    f(column::destination_registers, of.destination_registers_);
    f(column::source_registers, of.source_registers_);
    f(column::memory, of.memory_);
    f(column::memory_values, of.memory_values_);
    f(column::register_values, of.register_values_);
    f(column::register_value, of.register_value_);
  }
  // The functions below are for column_filler, which adds the rows. They are templates, so that
  // code that only reads batches does not have to compile them.
  template <class Set> void begin(Set wanted, std::uint64_t first, std::size_t most) {
    clear();
    each_fixed([&](column c, auto& b) {
      if (wanted.has(c)) b.reserve(most);
    });
    each_lists(*this, [&](column c, auto& l) {
      if (wanted.has(c)) l.begin(most);
    });
    requested_ = wanted;
    first_ = first;
  }
  // Removes the list entries of rows that were not completed.
  template <class... None> void cut(None...) noexcept {
    each_lists(*this, [this](column c, auto& l) {
      if (requested_.has(c)) l.cut(size_);
    });
  }
  template <class Flag> void end(Flag ends, Flag goes_on) noexcept {
    ends_ = ends;
    goes_on_ = goes_on;
    each_lists(*this, [this](column c, auto& l) {
      if (requested_.has(c)) left_out_ += l.left_out();
    });
  }

  column_set requested_ = {};
  std::size_t size_ = 0;
  std::uint64_t first_ = 0, left_out_ = 0;
  bool ends_ = false, goes_on_ = false;
  buffer<std::uint64_t> index_ = {}, ip_ = {}, target_ = {}, decor_ = {}, event_operand_ = {},
                        dropped_operands_ = {}, time_ = {};
  buffer<branch_class> branch_ = {};
  buffer<std::uint32_t> thread_ = {}, code_size_ = {}, location_ = {}, cpu_ = {};
  buffer<std::uint16_t> system_events_ = {};
  buffer<std::uint8_t> is_branch_ = {}, taken_ = {}, thread_known_ = {}, mnemonic_matches_ = {},
                       operation_ = {}, recorded_branch_ = {}, recorded_taken_ = {},
                       uncertainty_ = {}, reads_ = {}, writes_ = {};
  lists<std::byte> code_ = {}, text_ = {};
  lists<std::uint8_t> destination_registers_ = {}, source_registers_ = {};
  lists<std::uint64_t, std::uint64_t, std::uint8_t> memory_ = {};
  detail::memory_value_lists<std::byte> memory_values_ = {};
  lists<std::uint8_t, std::uint16_t, std::uint8_t, std::uint64_t, std::uint8_t> register_values_ =
      {};
  lists<std::uint64_t, std::uint8_t> register_value_ = {};
};

}  // namespace tracecodec::feed
