// Instructions of a trace that satisfy the constraints of a query.
#pragma once
#include <tracecodec/feed/columns.hpp>

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "table.hpp"
#include "value_set.hpp"

namespace tracecodec::sql {

// Reads batches of columns, and selects the rows that satisfy the constraints. Numbers of
// instructions are seeks.
class instruction_scan {
 public:
  struct filter {
    feed::column column;
    value_set values;
    bool wants_null = false;  // select rows without a value
    // Value that stands for no value; nullopt if there is none.
    std::optional<std::uint64_t> null_value = {};
  };
  // Returns the first instruction from `from` on that may be wanted, or nullopt.
  using candidates = std::function<std::optional<std::uint64_t>(std::uint64_t from)>;

  instruction_scan(shared_trace of, poll p, bool registers = false)
      : trace_(std::move(of)), poll_(std::move(p)), registers_(registers) {}

  // Selects the instructions whose numbers are in `n`, and that satisfy all filters.
  void start(feed::column_set wanted, value_set n, std::vector<filter> filters,
             candidates only = {});
  // Moves to the next instruction. Returns false at the end. Throws the trace_error of the trace.
  bool next();

  [[nodiscard]] const feed::columns& batch() const noexcept { return batch_; }
  [[nodiscard]] std::size_t row() const noexcept { return row_; }
  [[nodiscard]] std::uint64_t n() const noexcept { return batch_.first() + row_; }
  // Returns the number of batches that were read.
  [[nodiscard]] std::uint64_t batches() const noexcept { return batches_; }
  [[nodiscard]] const shared_trace& trace() const noexcept { return trace_; }
  // Returns the source of the instructions. Whoever reads it must call start() afterwards.
  [[nodiscard]] feed::column_source& source();
  void check_interruption() { poll_(); }

 private:
  bool fetch();
  void select(std::size_t begin, std::size_t end);

  shared_trace trace_;
  poll poll_;
  bool registers_;
  std::unique_ptr<feed::column_source> source_ = {};
  feed::columns batch_ = {};
  feed::column_set wanted_ = {};
  value_set n_{false};
  std::vector<filter> filters_ = {};
  candidates only_ = {};
  std::uint64_t position_ = 0, batches_ = 0;
  std::size_t listed_ = 0, rows_ = 0;
  bool ended_ = true, has_batch_ = false;
  std::vector<std::uint32_t> selected_ = {};
  std::size_t at_ = 0, row_ = 0;
};

// Column of the table `instructions`, and of other tables with a row of an instruction.
struct instruction_column {
  enum class form : std::uint8_t { number, branch_class, operation, bytes, text, registers };
  std::string name;
  feed::column from;
  form as = form::number;
  column_type type = column_type::integer;
  bool is_wide = false;                          // true for 64 bits
  std::optional<std::uint64_t> null_value = {};  // value that stands for no value
  // True if the trace does not have the column, so that all values are NULL.
  bool is_unknown = false;
};

// Returns the columns that the trace has, from the description of all columns that the library's
// interface for C has.
std::vector<instruction_column> instruction_columns(const opened_trace& of);
// Returns the column `c` of the trace.
instruction_column column_of(const opened_trace& of, feed::column c);

// Returns true if a scan applies the operator to the column.
bool is_filter(const instruction_column& c, int op) noexcept;
// Adds a term to the filters of a scan. `none` becomes true if no row can satisfy the term.
void add_filter(const opened_trace& of, const instruction_column& c, const plan::term& t,
                sqlite3_value* argument, std::vector<instruction_scan::filter>& to, bool& none);
// Returns the value of a row.
void result_value(sqlite3_context* to, opened_trace& of, const instruction_column& c,
                  const feed::columns& batch, std::size_t row);
// Returns the columns that a column's values and filters need.
feed::column_set needs_of(const opened_trace& of, const instruction_column& c);

}  // namespace tracecodec::sql
