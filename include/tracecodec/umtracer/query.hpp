// Includes the headers for queries about a trace: registers and memory at a record, accesses to
// memory, executions of an address, and filters. Each query reads only the records that it needs.
// module_index.hpp finds the module at an address without scanning the module table.
#pragma once
#include "query/filter.hpp"
#include "query/memory_access.hpp"
#include "query/memory_at.hpp"
#include "query/module_index.hpp"
#include "query/registers_at.hpp"
#include "reader/addresses.hpp"
