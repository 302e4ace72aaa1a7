// Questions about a trace: registers and memory at a record, who touches memory, executions of an
// address, filters. Each reads the trace as far as it needs; index.hpp answers those about memory
// and addresses faster.
#pragma once
#include "addresses.hpp"
#include "filter.hpp"
#include "index.hpp"
#include "memory_access.hpp"
#include "memory_at.hpp"
#include "registers_at.hpp"
