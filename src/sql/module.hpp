// Connection's tables of traces.
#pragma once
#include <tracecodec/format/open_options.hpp>

#include <string>

struct sqlite3;

namespace tracecodec::sql {

// Registers the virtual tables and functions on a connection.
void register_tables(sqlite3* db);
// Opens a trace, attaches an empty database in memory as `schema`, and creates the tables of the
// trace there. Returns the name of the schema: if `schema` is empty, the first free one of a, b, c, ...
// Throws trace_error like opened_trace, and trace_error(refused) with SQLite's message.
std::string attach_trace(sqlite3* db, const std::string& path, const format::open_options& how,
                         std::string schema = {});

}  // namespace tracecodec::sql
