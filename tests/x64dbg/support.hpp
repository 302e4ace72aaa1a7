// Shared code of the x64dbg tests: example blocks, and the reader.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "example_blocks.hpp"
#include "tracecodec/x64dbg/reader.hpp"
