// Extension for SQLite: .load tracecodec_sqlite, then SELECT open_trace('x.trace64').
#include <tracecodec/io/input/truncation.hpp>

#include <exception>

#include "extension.hpp"
#include "module.hpp"
#include "sqlite.hpp"

extern "C" {
SQLITE_EXTENSION_INIT1

int sqlite3_extension_init(sqlite3* db, char** message,
                           const sqlite3_api_routines* functions) noexcept {
  SQLITE_EXTENSION_INIT2(functions);
  try {
    tracecodec::io::install_sigbus_handler();
    tracecodec::sql::register_tables(db);
    return SQLITE_OK;
  } catch (const std::exception& e) {
    *message = sqlite3_mprintf("%s", e.what());
    return SQLITE_ERROR;
  }
}
}
