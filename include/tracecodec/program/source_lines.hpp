// Source lines and functions of a program's code.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "../config.hpp"

namespace tracecodec {

// Code from `address` up to `end` that belongs to a line of a source file.
struct source_line {
  std::uint64_t address = 0, end = 0;
  std::uint32_t file = 0;  // index in source_lines::files
  std::uint32_t line = 0;  // from 1
};

struct source_function {
  std::uint64_t address = 0;  // address of the first instruction
  std::uint32_t file = 0;
  std::uint32_t line = 0;  // line of the declaration
  std::string name = {};   // as in the symbol table, if the debug information has that name
};

// Addresses are those in the process. Entries are in no particular order.
struct source_lines {
  std::vector<std::string> files = {};
  std::vector<source_line> lines = {};
  std::vector<source_function> functions = {};
};

}  // namespace tracecodec
