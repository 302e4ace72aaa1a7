// Includes all headers for x64dbg traces. The header of a trace is JSON, so link with -lsimdjson.
#pragma once
#include "x64dbg/check.hpp"
#include "x64dbg/layout/registers.hpp"
#include "x64dbg/memory.hpp"
#include "x64dbg/reader.hpp"
#include "x64dbg/reader/index_file.hpp"
#include "x64dbg/repair.hpp"
#include "x64dbg/rows.hpp"
#include "x64dbg/writer.hpp"
