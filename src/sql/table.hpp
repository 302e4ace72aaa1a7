// Virtual tables of SQLite as C++ classes. module.cpp calls them.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "opened_trace.hpp"
#include "sqlite.hpp"

namespace tracecodec::sql {

// Declared type of a column. Columns of type ADDRESS are shown in hexadecimal by trace_sql.
enum class column_type : std::uint8_t { integer, address, text, blob };

struct column_info {
  std::string name;
  column_type type = column_type::integer;
  bool is_parameter = false;  // true for a parameter of a table-valued function
};

// Constraints that a cursor applies. Argument k of filter() belongs to terms[k].
struct plan {
  struct term {
    int column;
    int op;        // SQLite's code
    bool is_list;  // true for an IN operator, whose values are read with sqlite3_vtab_in_first()
  };
  std::vector<term> terms = {};
  std::uint64_t used =
      0;  // mask of the columns that the query reads; bit 63 stands for all from 63 on
  [[nodiscard]] bool uses(std::size_t column) const noexcept {
    return (used >> (column < 63 ? column : 63) & 1) != 0;
  }
};

class cursor {
 public:
  cursor() = default;
  cursor(const cursor&) = delete;
  cursor& operator=(const cursor&) = delete;
  virtual ~cursor() = default;

  // Moves to the first row. Terms for LIMIT and OFFSET are only for information and to be skipped by
  // advance().
  virtual void filter(const plan& p, std::span<sqlite3_value*> arguments) = 0;
  // Moves to the next row. Returns false if there is none.
  virtual bool next() = 0;
  virtual void column(sqlite3_context* to, int column) = 0;
  [[nodiscard]] virtual sqlite3_int64 rowid() const = 0;
};

// Throws io::interruption if the connection was interrupted.
using poll = std::function<void()>;

class table {
 public:
  table() = default;
  table(const table&) = delete;
  table& operator=(const table&) = delete;
  virtual ~table() = default;

  [[nodiscard]] const std::vector<column_info>& columns() const noexcept { return columns_; }
  // Returns true if cursors apply the constraint exactly, so that SQLite does not have to.
  [[nodiscard]] virtual bool takes(int column, int op) const = 0;
  // Returns true if the rows are in the ascending order of a column.
  [[nodiscard]] virtual bool is_sorted_by(int) const { return false; }
  struct cost {
    double rows = 1e6, effort = 1e6;
  };
  [[nodiscard]] virtual cost cost_of(const plan& p) const = 0;
  // Returns a note for EXPLAIN QUERY PLAN, such as "index".
  [[nodiscard]] virtual std::string note_of(const plan&) const { return {}; }
  [[nodiscard]] virtual std::unique_ptr<cursor> open(const poll& p) = 0;

 protected:
  std::vector<column_info> columns_ = {};
};

using shared_trace = std::shared_ptr<opened_trace>;

// Table of a trace. `make` returns null if the trace does not have the table.
struct table_kind {
  std::string name;
  std::unique_ptr<table> (*make)(const shared_trace& of);
};

std::unique_ptr<table> make_instructions(const shared_trace& of);
// Return the table `memory`, and the table-valued functions about accesses.
std::vector<table_kind> memory_tables();
// Return the tables with few rows, which are made one after another: `calls`, `modules`, `findings`,
// `statements`, and the functions `origin` and `registers_at`.
std::vector<table_kind> list_tables();

// Reads one bit that says whether an operator is a comparison that value_set applies.
constexpr bool is_comparison(int op) noexcept {
  return op == SQLITE_INDEX_CONSTRAINT_EQ || op == SQLITE_INDEX_CONSTRAINT_GT ||
         op == SQLITE_INDEX_CONSTRAINT_LE || op == SQLITE_INDEX_CONSTRAINT_LT ||
         op == SQLITE_INDEX_CONSTRAINT_GE || op == SQLITE_INDEX_CONSTRAINT_NE;
}

inline void result_number(sqlite3_context* to, std::uint64_t n) {
  sqlite3_result_int64(to, static_cast<sqlite3_int64>(n));
}
inline void result_text(sqlite3_context* to, std::string_view s) {
  sqlite3_result_text64(to, s.data(), s.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
}
inline void result_bytes(sqlite3_context* to, std::span<const std::byte> b) {
  // A null pointer would make the value NULL instead of empty.
  static constexpr std::byte none{};
  sqlite3_result_blob64(to, b.empty() ? &none : b.data(), b.size(), SQLITE_TRANSIENT);
}

}  // namespace tracecodec::sql
