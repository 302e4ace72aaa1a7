// Looks for instructions in a trace of any format.
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

// What is looked for. Of those that are there each must hold.
struct find_criteria {
  std::optional<address_span> ip = {};
  feed::branch_classes branch = {};  // one of these; none: it is not asked
  std::optional<bool> taken = {};
  std::optional<address_span> memory = {};  // that is read or written
  bool reads = true, writes = true;         // which of both count for memory and what it holds
  std::vector<std::byte> code = {};         // its code begins so
  // A mnemonic, or a prefix: "mov", "rep". The disassembler's names; of UMTracer its texts'.
  std::string mnemonic = {};
  std::vector<std::byte> bytes = {};               // somewhere in the contents of memory
  std::vector<std::vector<std::byte>> texts = {};  // there too, one of these
  std::vector<std::string> operations = {};        // of an event: one of these, by name
  // A number of `size` bytes, which memory holds with its lowest byte first, or the lowest bytes of a register.
  // Of a format that tells all registers those count that the instruction gives it (open_options::effects).
  struct number {
    std::uint64_t value = 0;
    unsigned size = 8;
  };
  std::optional<number> value = {};
  // A register that the instruction changes, by name; of one of more than 8 bytes the lowest count.
  std::string changed_register = {};
  // A register's name, and the value that it has. x64dbg tells it before every instruction: if this
  // is the only criterion, then an instruction is meant where it becomes so, the first of a thread
  // that has it after one that has not. UMTracer tells it of operands, before the instruction and
  // after it.
  std::optional<std::pair<std::string, std::uint64_t>> register_value = {};
  bool register_signed = false;  // the value is a negative number: as many bits as the register has
  bool thread_switch = false;    // of another thread, or address space, than the one before

  // Whether only a register's value is looked for.
  [[nodiscard]] bool only_register() const noexcept {
    return register_value && !ip && branch.empty() && !taken && !memory && code.empty() &&
           mnemonic.empty() && !contents() && !value && operations.empty() && !thread_switch;
  }
  // Whether the contents of memory are looked for.
  [[nodiscard]] bool contents() const noexcept { return !bytes.empty() || !texts.empty(); }
};

// Which rows of a source's batches meet the criteria.
//
//   analysis::finder wanted(criteria, trace.columns());
//   trace.want(wanted.columns());
//   for (feed::columns batch; trace.next(batch);) {
//     wanted.add(batch);
//     for (const std::size_t row : wanted.result()) ...
//   }
//
// What costs much, or may be damaged, is asked of those rows alone that meet the rest.
class finder {
 public:
  // `trace` is asked for more, and must stay where it is; its batches are kept from now on. Of x64dbg's
  // registers it must tell (open_options::registers, and effects for what changes). Throws trace_error (refused): for a criterion of
  // which the format knows nothing, a register that the trace has not, a mnemonic that the disassembler
  // has not, an operation that the format has not.
  finder(find_criteria c, feed::column_source& trace);

  // The columns that batches must have.
  [[nodiscard]] feed::column_set columns() const noexcept { return columns_; }
  // Whether what it says of an instruction depends on those before: then it must be asked of every row
  // in their order, of no row twice.
  [[nodiscard]] bool keeps_state() const noexcept { return c_.thread_switch || becomes_; }

  // Finds the rows of the next batch, which the source has filled last, that meet the criteria: at most `most`, the first
  // ones. Stops before a row that cannot be read, which failure() then is.
  void add(const feed::columns& batch, std::size_t most = feed::columns::most_rows);
  // The rows of the last batch that were found, ascending.
  [[nodiscard]] std::span<const std::size_t> result() const noexcept { return found_; }
  [[nodiscard]] const std::exception_ptr& failure() const noexcept { return failure_; }

  // Returns the first row from `from` on that meets the criteria, or batch.size(). Throws trace_error as the row that cannot
  // be read.
  [[nodiscard]] std::size_t next(const feed::columns& batch, std::size_t from);

  // How many bytes, or values, were not looked at, as one instruction had more than a batch has room for.
  [[nodiscard]] std::uint64_t left_out() const noexcept { return left_out_; }
  // In how many instructions memory held the `bytes` of the criteria in reverse, not as they are: as a debugger
  // shows a number. Not counted any more once they were found as they are.
  [[nodiscard]] std::uint64_t reversed() const noexcept { return reversed_rows_; }

 private:
  // What is asked of single rows, unless it is the first criterion: each with a batch of its own.
  enum part : std::uint8_t { of_code, of_contents, of_register, of_mnemonic, of_registers };
  static constexpr std::array<feed::column, 5> part_columns{
      feed::column::code, feed::column::memory_values, feed::column::watched, feed::column::called,
      feed::column::register_values};
  struct row_of {
    const feed::columns& batch;
    std::size_t row;
  };

  void choose_columns();
  [[nodiscard]] bool meets(const feed::columns& batch, std::size_t row);
  [[nodiscard]] row_of tell(part p, const feed::columns& batch, std::size_t row);
  [[nodiscard]] bool switches(std::uint32_t thread);
  // The first row from `row` on with an access that is wanted, or `end`, which is behind it.
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
  std::vector<std::byte> number_ = {},
                         reversed_ = {};  // bytes of c_.value; those of c_.bytes, turned round
  bool found_bytes_ = false;
  std::uint64_t left_out_ = 0, reversed_rows_ = 0;
  std::optional<std::uint32_t> last_ = {};
  // Threads: whether it had the value. As many as the trace has, of which a feed keeps more for
  // each. Ordered: a hostile trace may give ids that all have one place in a hash table.
  std::map<std::uint32_t, bool> had_ = {};
  bool* had_of_ = nullptr;  // of thread_; map nodes stay where they are
  std::uint32_t thread_ = 0;
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/find.ipp"
#endif
