#include "session.hpp"

#include <sqlite3.h>

#include <array>
#include <string_view>
#include <vector>
#ifndef _WIN32
#include <unistd.h>
#endif

#include "../../../src/sql/extension.hpp"
#include "../../../src/sql/module.hpp"
#include "../common/interrupt.hpp"
#include "../common/output.hpp"

namespace sql {

namespace {

#ifndef _WIN32
bool prints_on_terminal() { return ::isatty(STDOUT_FILENO) == 1; }
#else
bool prints_on_terminal() { return true; }
#endif

struct finalized {
  void operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }
};
using statement = std::unique_ptr<sqlite3_stmt, finalized>;

// Allows reading, and tables, views and indexes of the schema temp.
int authorize(void*, int action, const char* first, const char* second, const char* schema,
              const char*) {
  const std::string_view name = first != nullptr ? first : "";
  switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE:
    case SQLITE_CREATE_TEMP_INDEX:
    case SQLITE_CREATE_TEMP_TABLE:
    case SQLITE_CREATE_TEMP_VIEW:
    case SQLITE_DROP_TEMP_INDEX:
    case SQLITE_DROP_TEMP_TABLE:
    case SQLITE_DROP_TEMP_VIEW:
    case SQLITE_TRANSACTION:
    case SQLITE_SAVEPOINT:
      return SQLITE_OK;
    case SQLITE_INSERT:
    case SQLITE_UPDATE:
    case SQLITE_DELETE:
    case SQLITE_REINDEX:
    case SQLITE_ANALYZE:
      return schema != nullptr && std::string_view(schema) == "temp" ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_FUNCTION: {
      const std::string_view function = second != nullptr ? second : "";
      for (const std::string_view denied :
           {"open_trace", "load_extension", "writefile", "readfile", "edit", "fts3_tokenizer"})
        if (function == denied) return SQLITE_DENY;
      return SQLITE_OK;
    }
    case SQLITE_PRAGMA:
      for (const std::string_view allowed : {"table_info", "table_xinfo", "table_list",
                                             "database_list", "function_list", "compile_options"})
        if (name == allowed) return SQLITE_OK;
      return SQLITE_DENY;
    default:
      return SQLITE_DENY;
  }
}

}  // namespace

session::session() : is_terminal_(prints_on_terminal()) {
  // Every connection of the program has the tables.
  sqlite3_auto_extension(reinterpret_cast<void (*)()>(sqlite3_extension_init));
  if (sqlite3_open_v2(":memory:", &db_, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr) !=
      SQLITE_OK) {
    const std::string why = db_ != nullptr ? sqlite3_errmsg(db_) : "out of memory";
    sqlite3_close_v2(db_);
    throw query_error(why);
  }
  // Called so often that a signal or a time limit ends a query at once.
  constexpr int every = 2000;
  sqlite3_progress_handler(
      db_, every, [](void* s) { return static_cast<session*>(s)->stops() ? 1 : 0; }, this);
}

session::~session() { sqlite3_close_v2(db_); }

void session::add(const std::string& path, const tracecodec::format::open_options& as) {
  tracecodec::sql::attach_trace(db_, path, as);
}

void session::protect() {
  // SQLite's own tables are made at their first use, which the authorizer would deny.
  for (const char* const table :
       {"pragma_database_list", "pragma_table_info('')", "pragma_table_xinfo('')",
        "pragma_table_list", "json_each('[]')", "json_tree('[]')"})
    each(std::string("SELECT 1 FROM ") + table, [](const auto&) {});
  sqlite3_db_config(db_, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_set_authorizer(db_, authorize, nullptr);
}

bool session::stops() const {
  return examples::interrupted != 0 ||
         (timeout_ && std::chrono::steady_clock::now() - start_ >= std::chrono::seconds(*timeout_));
}

void session::fail(int code) const {
  if (code == SQLITE_INTERRUPT) {
    examples::stop_if_interrupted();
    throw query_error("stopped after " + std::to_string(timeout_.value_or(0)) + " s (--timeout)");
  }
  if (code == SQLITE_AUTH)
    throw query_error(
        std::string(sqlite3_errmsg(db_)) +
        ": traces can only be read; CREATE TEMP TABLE and CREATE TEMP VIEW are allowed");
  throw query_error(sqlite3_errmsg(db_));
}

void session::run(const std::string& statements) {
  const char* rest = statements.c_str();
  const char* const end = rest + statements.size();
  while (rest != end) {
    // The rows of a statement are written before the next one begins.
    examples::output out;
    start_ = std::chrono::steady_clock::now();
    sqlite3_stmt* made = nullptr;
    int rc = sqlite3_prepare_v2(db_, rest, static_cast<int>(end - rest), &made, &rest);
    const statement s(made);
    std::unique_ptr<printer> rows;
    if (rc == SQLITE_OK && s != nullptr) {
      if (sqlite3_column_count(made) != 0)
        rows = make_printer(mode_, made, is_terminal_, [&out](const std::string& text) {
          out.text += text;
          out.passed();
        });
      bool any = false;
      for (; (rc = sqlite3_step(made)) == SQLITE_ROW; any = true) rows->add(made);
      if (rows && (any || rc == SQLITE_DONE)) rows->finish();
    }
    out.finish();
    if (rc != SQLITE_OK && rc != SQLITE_DONE) fail(rc);
  }
}

void session::each(const std::string& query,
                   const std::function<void(const std::vector<std::string>&)>& row) {
  start_ = std::chrono::steady_clock::now();
  sqlite3_stmt* made = nullptr;
  int rc = sqlite3_prepare_v2(db_, query.c_str(), -1, &made, nullptr);
  const statement s(made);
  while (rc == SQLITE_OK || rc == SQLITE_ROW) {
    rc = sqlite3_step(made);
    if (rc != SQLITE_ROW) break;
    std::vector<std::string> all;
    for (int i = 0; i != sqlite3_column_count(made); ++i) {
      const auto* const text = sqlite3_column_text(made, i);
      all.emplace_back(text == nullptr ? "" : reinterpret_cast<const char*>(text));
    }
    row(all);
  }
  if (rc != SQLITE_DONE) fail(rc);
}

}  // namespace sql
