// Includes the headers that write records as JSON lines or CSV, according to the records'
// descriptions.
#pragma once
#include "rows/csv.hpp"
#include "rows/json_lines.hpp"
