// Includes the headers that write records as JSON lines and CSV, by their descriptions.
#pragma once
#include "rows/csv.hpp"
#include "rows/json_lines.hpp"
