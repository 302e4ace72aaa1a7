// Questions about a trace: registers and memory at a record, who touches memory, executions of an
// address, filters. Each reads the trace as far as it needs; index.hpp, module_index.hpp,
// record_index.hpp and register_index.hpp, which are made on request, answer without reading what
// lies between.
#pragma once
#include "query/filter.hpp"
#include "query/index.hpp"
#include "query/memory_access.hpp"
#include "query/memory_at.hpp"
#include "query/module_index.hpp"
#include "query/record_index.hpp"
#include "query/register_index.hpp"
#include "query/registers_at.hpp"
#include "reader/addresses.hpp"
