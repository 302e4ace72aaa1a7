// Table `instructions`: a row for each instruction.
#include <utility>

#include "scan.hpp"

namespace tracecodec::sql {

namespace {

// Column `n`, the number of the instruction, which precedes the instruction_columns.
constexpr int n_column = 0;

class instruction_cursor : public cursor {
 public:
  instruction_cursor(shared_trace of, const std::vector<instruction_column>& columns, poll p)
      : scan_(std::move(of), std::move(p)), columns_(&columns) {}

  void filter(const plan& p, std::span<sqlite3_value*> arguments) override {
    opened_trace& of = *scan_.trace();
    value_set n(false);
    std::vector<instruction_scan::filter> filters;
    feed::column_set wanted;
    bool none = false;
    for (std::size_t k = 0; k != p.terms.size(); ++k) {
      const plan::term& t = p.terms[k];
      if (t.op >= SQLITE_INDEX_CONSTRAINT_LIMIT) continue;
      if (t.column == n_column) {
        if (t.is_list)
          n.add_list(arguments[k], "n");
        else
          n.add(t.op, arguments[k], "n");
        continue;
      }
      const instruction_column& c = column_at(t.column);
      add_filter(of, c, t, arguments[k], filters, none);
      wanted |= needs_of(of, c);
    }
    for (std::size_t i = 0; i != columns_->size(); ++i)
      if (p.uses(i + 1)) wanted |= needs_of(of, (*columns_)[i]);
    if (none) n.clear();
    scan_.start(wanted, std::move(n), std::move(filters));
  }
  bool next() override { return scan_.next(); }
  void column(sqlite3_context* to, int column) override {
    if (column == n_column) return result_number(to, scan_.n());
    result_value(to, *scan_.trace(), column_at(column), scan_.batch(), scan_.row());
  }
  [[nodiscard]] sqlite3_int64 rowid() const override {
    return static_cast<sqlite3_int64>(scan_.n());
  }

 private:
  [[nodiscard]] const instruction_column& column_at(int column) const {
    return (*columns_)[static_cast<std::size_t>(column - 1)];
  }
  instruction_scan scan_;
  const std::vector<instruction_column>* columns_;
};

class instruction_table : public table {
 public:
  explicit instruction_table(shared_trace of)
      : trace_(std::move(of)), all_(instruction_columns(*trace_)) {
    columns_.push_back({"n"});
    for (const instruction_column& c : all_) columns_.push_back({c.name, c.type});
  }

  [[nodiscard]] bool takes(int column, int op) const override {
    if (column == n_column) return is_comparison(op);
    return is_filter(all_[static_cast<std::size_t>(column - 1)], op);
  }
  [[nodiscard]] bool is_sorted_by(int column) const override { return column == n_column; }
  [[nodiscard]] cost cost_of(const plan& p) const override {
    double read = trace_->instructions(), part = 1;
    for (const plan::term& t : p.terms) {
      if (t.op >= SQLITE_INDEX_CONSTRAINT_LIMIT) continue;
      const bool is_equal = t.op == SQLITE_INDEX_CONSTRAINT_EQ;
      if (t.column != n_column)
        part *= is_equal ? 0.05 : 0.5;
      else
        read = is_equal ? (t.is_list ? 25 : 1) : read / 4;
    }
    return {read * part, 10 + read * (0.2 + 0.8 * part)};
  }
  [[nodiscard]] std::unique_ptr<cursor> open(const poll& p) override {
    return std::make_unique<instruction_cursor>(trace_, all_, p);
  }

 private:
  shared_trace trace_;
  std::vector<instruction_column> all_;
};

}  // namespace

std::unique_ptr<table> make_instructions(const shared_trace& of) {
  return std::make_unique<instruction_table>(of);
}

}  // namespace tracecodec::sql
