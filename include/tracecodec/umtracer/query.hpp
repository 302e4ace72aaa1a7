// Questions about a trace: registers and memory at a record, who touches memory, executions of an
// address, filters. Each reads the trace as far as it needs. module_index.hpp finds the module at an
// address without reading the table of modules again.
#pragma once
#include "query/filter.hpp"
#include "query/memory_access.hpp"
#include "query/memory_at.hpp"
#include "query/module_index.hpp"
#include "query/registers_at.hpp"
#include "reader/addresses.hpp"
