// Connection to SQLite with the tables of traces, which can only be read.
#pragma once
#include <tracecodec/format/open_options.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "printer.hpp"

struct sqlite3;

namespace sql {

// Error of a statement, with the message of SQLite or of a trace.
struct query_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

class session {
 public:
  // Maximum number of traces, which is the usual number of databases that SQLite can attach.
  static constexpr std::size_t most_traces = 10;

  session();
  session(const session&) = delete;
  session& operator=(const session&) = delete;
  ~session();

  // Opens a trace. Its tables are in the next schema of a, b, c, ...
  void add(const std::string& path, const tracecodec::format::open_options& as);
  // Forbids everything except reading, and tables and views of the schema temp.
  void protect();
  // Ends statements after so many seconds.
  void set_timeout(std::optional<std::uint64_t> seconds) noexcept { timeout_ = seconds; }
  void set_mode(mode m) noexcept { mode_ = m; }

  // Runs all statements, and prints their rows. Rows before an error are printed. Throws query_error,
  // and io::interruption after a signal.
  void run(const std::string& statements);
  // Calls row() with the columns of each row, as text.
  void each(const std::string& query,
            const std::function<void(const std::vector<std::string>&)>& row);

 private:
  [[noreturn]] void fail(int code) const;
  bool stops() const;

  sqlite3* db_ = nullptr;
  mode mode_ = mode::table;
  bool is_terminal_;
  std::optional<std::uint64_t> timeout_ = {};
  std::chrono::steady_clock::time_point start_ = {};
};

}  // namespace sql
