// Finds instructions in a trace of any format.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "../config.hpp"
#include "../feed/column_source.hpp"
#include "../feed/instruction.hpp"
#include "address_span.hpp"

namespace tracecodec::analysis {

// Search criteria. An instruction must meet all criteria that are set.
struct find_criteria {
  std::optional<address_span> ip = {};
  feed::branch_classes branch = {};  // branch classes, any of which matches; empty: any instruction
  std::optional<bool> taken = {};
  std::optional<address_span> memory = {};  // range that is read or written
  // True if reads or writes are searched for `memory` and contents.
  bool reads = true, writes = true;
  std::vector<std::byte> code = {};  // prefix of the instruction's code
  // Mnemonic or prefix, such as "mov" or "rep": the disassembler's name or, for UMTracer, the
  // name in the stored text.
  std::string mnemonic = {};
  std::vector<std::byte> bytes = {};  // bytes found anywhere in the contents of memory
  // Texts, any of which is in the contents of memory.
  std::vector<std::vector<std::byte>> texts = {};
  std::vector<std::string> operations = {};  // names of an event's operation, any of which matches
  // Number of `size` bytes: little-endian in memory, or the lowest bytes of a register. If the
  // format stores all registers, only values that the instruction sets are compared
  // (open_options::effects).
  struct number {
    std::uint64_t value = 0;
    unsigned size = 8;
  };
  std::optional<number> value = {};
  // Name of a register that the instruction changes. If the register is wider than 8 bytes,
  // only its lowest 8 bytes are compared.
  std::string changed_register = {};
  // Name of a register and its value. x64dbg traces store registers before every instruction.
  // If this is the only criterion, an instruction matches where the value appears: the previous
  // instruction of the same thread must not have the value. UMTracer traces store registers
  // that are operands, before and after the instruction.
  std::optional<std::pair<std::string, std::uint64_t>> register_value = {};
  // True if the value is a negative number with as many bits as the register.
  bool register_signed = false;
  // True if the thread or address space must differ from the previous instruction's.
  bool thread_switch = false;

  // Returns true if a register's value is the only criterion.
  [[nodiscard]] bool only_register() const noexcept {
    return register_value && !ip && branch.empty() && !taken && !memory && code.empty() &&
           mnemonic.empty() && !contents() && !value && operations.empty() && !thread_switch;
  }
  // Returns true if the contents of memory are a criterion.
  [[nodiscard]] bool contents() const noexcept { return !bytes.empty() || !texts.empty(); }
};

// Finder of the rows of a source's batches that meet the criteria.
//
//   analysis::finder wanted(criteria, trace.columns());
//   trace.want(wanted.columns());
//   for (feed::columns batch; trace.next(batch);) {
//     wanted.add(batch);
//     for (const std::size_t row : wanted.result()) ...
//   }
//
// Columns that are expensive, or that may be damaged, are read only for rows that meet the other
// criteria.
class finder {
 public:
  // Prepares a search and calls keep_batches() of `trace`. `trace` must not move, because it is
  // read for single rows. For an x64dbg trace, registers must be enabled
  // (open_options::registers, and effects for changes). Throws trace_error (refused) for a
  // criterion that the format does not support. Also throws it for an unknown register,
  // mnemonic or operation.
  finder(find_criteria c, feed::column_source& trace);

  // Returns the columns that batches must have.
  [[nodiscard]] feed::column_set columns() const noexcept { return columns_; }
  // Returns true if a result depends on earlier instructions. In that case, every row must be
  // examined exactly once, in order.
  [[nodiscard]] bool keeps_state() const noexcept { return c_.thread_switch || becomes_; }

  // Finds the first `most` rows that meet the criteria, in the batch that the source has
  // filled last. Stops before a row that cannot be read; failure() then returns the error.
  void add(const feed::columns& batch, std::size_t most = feed::columns::most_rows);
  // Returns the rows found in the last batch, in ascending order.
  [[nodiscard]] std::span<const std::size_t> result() const noexcept { return found_; }
  [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }

  // Returns the first row from `from` on that meets the criteria, or batch.size(). Throws the
  // trace_error of a row that cannot be read.
  [[nodiscard]] std::size_t next(const feed::columns& batch, std::size_t from);

  // Returns the number of bytes or values that were not examined, because an instruction had
  // more than fit into a batch.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }
  // Returns the number of instructions for which memory held the `bytes` of the criteria only
  // in reverse order, as a debugger shows a number. Counting stops once the bytes were found in
  // their own order.
  [[nodiscard]] std::uint64_t reversed() const noexcept { return reversed_rows_; }

 private:
  // Expensive criteria. Each reads single rows into a batch of its own, unless columns()
  // contains its column.
  enum part : std::uint8_t { of_code, of_contents, of_register, of_mnemonic, of_registers };
  static constexpr std::array<feed::column, 5> part_columns{
      feed::column::code, feed::column::memory_values, feed::column::register_value,
      feed::column::mnemonic_matches, feed::column::register_values};
  struct row_of {
    const feed::columns& batch;
    std::size_t row;
  };

  void choose_columns();
  [[nodiscard]] bool meets(const feed::columns& batch, std::size_t row);
  [[nodiscard]] row_of tell(part p, const feed::columns& batch, std::size_t row);
  [[nodiscard]] bool switches(std::uint32_t thread);
  // Returns the first row from `row` on with a wanted access, or `end` if no row before `end`
  // has such an access.
  [[nodiscard]] std::size_t touching(const feed::memory_column& m, std::size_t row,
                                     std::size_t end) const;
  [[nodiscard]] bool begins(const row_of& r) const;
  [[nodiscard]] bool holds(const row_of& r);
  [[nodiscard]] bool has(const feed::memory_values_column& m, std::size_t row,
                         std::span<const std::byte> wanted) const;
  [[nodiscard]] bool has_number(const feed::columns& batch, std::size_t row);
  [[nodiscard]] static bool changes(const row_of& r);
  [[nodiscard]] bool has_operation(std::uint8_t operation) const;
  [[nodiscard]] bool has_value(const row_of& r, const feed::columns& batch, std::size_t row);

  find_criteria c_;
  feed::column_source* trace_;
  feed::column_set columns_ = {};
  bool becomes_;
  std::vector<std::uint8_t> operations_ = {};
  std::vector<std::size_t> found_ = {};
  std::exception_ptr failure_ = {};
  std::array<feed::columns, part_columns.size()> told_ = {};
  // Bytes of c_.value, and bytes of c_.bytes in reverse order.
  std::vector<std::byte> number_ = {}, reversed_ = {};
  bool found_bytes_ = false;
  std::uint64_t left_out_ = 0, reversed_rows_ = 0;
  std::optional<std::uint32_t> last_ = {};
  // Flag per thread: true if the register had the value. The map needs less memory per thread
  // than the feed itself. It is ordered, because a hostile trace could make all ids collide in
  // a hash table.
  std::map<std::uint32_t, bool> had_ = {};
  bool* had_of_ = nullptr;  // entry of thread_ in had_, whose nodes do not move
  std::uint32_t thread_ = 0;
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/find.ipp"
#endif
