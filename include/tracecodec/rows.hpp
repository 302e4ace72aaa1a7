// Records as rows of text, JSON lines and CSV, by their descriptions.
#pragma once
#include "rows/csv.hpp"
#include "rows/json_lines.hpp"
