// Entry point of the extension.
#pragma once

struct sqlite3;
struct sqlite3_api_routines;

extern "C" {
// Registers the tables on a connection. `functions` are those of SQLite.
#if defined(__GNUC__)
[[gnu::visibility("default")]]
#endif
int sqlite3_extension_init(sqlite3* db, char** message,
                           const sqlite3_api_routines* functions) noexcept;
}
