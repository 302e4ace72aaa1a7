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
  feed::branch_classes branch = {};  // accepted branch classes, or empty for any instruction
  std::optional<bool> taken = {};
  std::optional<address_span> memory = {};  // addresses that the instruction reads or writes
  // True to match reads and writes, respectively, against `memory`, `bytes` and `texts`.
  bool reads = true, writes = true;
  std::vector<std::byte> code = {};  // prefix of the instruction's code
  // Mnemonic or prefix, such as "mov" or "rep". It is compared with the disassembler's name. For
  // UMTracer, it is compared with the name in the stored text.
  std::string mnemonic = {};
  std::vector<std::byte> bytes = {};  // bytes that the contents of memory must contain
  // Strings, at least one of which the contents of memory must contain.
  std::vector<std::vector<std::byte>> texts = {};
  std::vector<std::string> operations = {};  // accepted operations of an event
  // Number of `size` bytes, in memory (little-endian) or in the lowest bytes of a register. If the
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
  // Name of a register and its value. x64dbg traces store registers before every instruction. If
  // the register is the only criterion, an instruction in such a trace matches only if the register
  // had another value at the thread's previous instruction. UMTracer traces store only registers
  // that are operands, before and after the instruction.
  std::optional<std::pair<std::string, std::uint64_t>> register_value = {};
  // True if the value in register_value is a negative number. Such a number is truncated to the
  // size of the register.
  bool register_signed = false;
  // True to require that the thread or address space differs from the previous instruction's.
  bool thread_switch = false;

  // Returns true if a register's value is the only criterion.
  [[nodiscard]] bool only_register() const noexcept {
    return register_value && !ip && branch.empty() && !taken && !memory && code.empty() &&
           mnemonic.empty() && !contents() && !value && operations.empty() && !thread_switch;
  }
  // Returns true if the contents of memory are a criterion.
  [[nodiscard]] bool contents() const noexcept { return !bytes.empty() || !texts.empty(); }
};

// Search for rows that meet the criteria. Rows are found one batch at a time:
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
  // Prepares a search, and calls keep_batches() of `trace`. `trace` must not move, because the
  // finder reads single rows of `trace`. For an x64dbg trace, registers must be enabled
  // (open_options::registers, and effects for changes). Throws trace_error(refused) for a criterion
  // that the format does not support, and for an unknown register, mnemonic or operation.
  finder(find_criteria c, feed::column_source& trace);

  // Returns the columns that batches must contain.
  [[nodiscard]] feed::column_set columns() const noexcept { return columns_; }
  // Returns true if a result depends on earlier instructions. In that case, every row must be
  // examined exactly once, in order.
  [[nodiscard]] bool keeps_state() const noexcept { return c_.thread_switch || becomes_; }

  // Finds the first `most` rows that meet the criteria, in the batch that the source filled most
  // recently. Stops before a row that cannot be read. In that case, failure() returns the error.
  void add(const feed::columns& batch, std::size_t most = feed::columns::most_rows);
  // Returns the rows found in the last batch, in ascending order.
  [[nodiscard]] std::span<const std::size_t> result() const noexcept { return found_; }
  [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }

  // Returns the first row at or after `from` that meets the criteria, or batch.size() if there is
  // none. Throws trace_error if a row cannot be read.
  [[nodiscard]] std::size_t next(const feed::columns& batch, std::size_t from);

  // Returns the number of bytes or values that were not examined because they did not fit in a
  // batch.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }
  // Returns the number of instructions for which memory contained the `bytes` of the criteria only
  // in reverse order. Debuggers display numbers in this order, so the user may have copied the
  // bytes from a debugger. Counting stops once the bytes have been found in the specified order.
  [[nodiscard]] std::uint64_t reversed() const noexcept { return reversed_rows_; }

 private:
  // Expensive criteria. If columns() does not contain the column of such a criterion, the column is
  // read into a separate batch, one row at a time.
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
  [[nodiscard]] row_of read(part p, const feed::columns& batch, std::size_t row);
  [[nodiscard]] bool switches(std::uint32_t thread);
  // Returns the first row at or after `row` with a matching access, or `end` if no row before `end`
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
  std::array<feed::columns, part_columns.size()> row_ = {};
  // Bytes of c_.value, and bytes of c_.bytes in reverse order.
  std::vector<std::byte> number_ = {}, reversed_ = {};
  bool found_bytes_ = false;
  std::uint64_t left_out_ = 0, reversed_rows_ = 0;
  std::optional<std::uint32_t> last_ = {};
  // Flag for each thread that is true if the register had the value at the thread's last
  // instruction. The map needs less memory per thread than the feed does. It is ordered, because a
  // hostile trace could make all ids collide in a hash table.
  std::map<std::uint32_t, bool> had_ = {};
  bool* had_of_ = nullptr;  // entry of thread_ in had_, whose nodes do not move
  std::uint32_t thread_ = 0;
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/find.ipp"
#endif
