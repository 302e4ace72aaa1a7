// Questions about a trace: registers and memory at a record, who touches memory, executions of an
// address, filters. Each reads the trace as far as it needs; index.hpp, module_index.hpp,
// record_index.hpp and register_index.hpp, which are made on request, answer without reading what
// lies between.
#pragma once
#include "addresses.hpp"
#include "filter.hpp"
#include "index.hpp"
#include "memory_access.hpp"
#include "memory_at.hpp"
#include "module_index.hpp"
#include "record_index.hpp"
#include "register_index.hpp"
#include "registers_at.hpp"
