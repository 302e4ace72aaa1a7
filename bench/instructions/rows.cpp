// Counts the instructions for each row of text, under callgrind, without a hand-written
// reference. Dumps counts like records.cpp.
#include <valgrind/callgrind.h>

#include <cstdint>
#include <cstdio>
#include <string>

#include "../rows/passes.hpp"

int main() {
  const bench::exported traces;
  bool equal = true;
  bench::for_each_export(
      traces, [&equal](const std::string& name, const std::string& path, auto pass) {
        const std::uint64_t rows = pass(path);  // does the work that is needed only once
        for (const std::uint64_t times : {1U, 3U}) {
          const std::string dump = name + "/library/" + std::to_string(rows * times);
          CALLGRIND_ZERO_STATS;
          for (std::uint64_t i = 0; i < times; ++i) equal &= pass(path) == rows;
          CALLGRIND_DUMP_STATS_AT(dump.c_str());
        }
      });
  if (!equal) std::fprintf(stderr, "a pass wrote another number of rows than the one before\n");
  return equal ? 0 : 1;
}
