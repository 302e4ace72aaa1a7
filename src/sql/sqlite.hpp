// SQLite's interface, as an extension calls it. extension.cpp defines the pointer to the functions.
#pragma once
#include <sqlite3ext.h>

extern "C" {
SQLITE_EXTENSION_INIT3
}
