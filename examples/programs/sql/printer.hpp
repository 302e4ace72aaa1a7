// Prints the rows of a query as a table, CSV, JSON lines or Markdown.
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "../common/command_line.hpp"

struct sqlite3_stmt;

namespace sql {

enum class mode : std::uint8_t { table, csv, json, markdown };
examples::choices modes();
mode mode_named(const std::string& name);

class printer {
 public:
  printer() = default;
  printer(const printer&) = delete;
  printer& operator=(const printer&) = delete;
  virtual ~printer() = default;

  // Adds the row at which `row` is.
  virtual void add(sqlite3_stmt* row) = 0;
  virtual void finish() {}
};

// Returns a printer for the rows of `query`, which calls write() with text. If `quotes` is set,
// control characters in CSV are escaped; the other forms never have them.
std::unique_ptr<printer> make_printer(mode how, sqlite3_stmt* query, bool quotes,
                                      std::function<void(const std::string&)> write);

}  // namespace sql
