// Writes the coverage of source lines as an LCOV tracefile, which genhtml and editors show.
#pragma once
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <utility>

#include "../../config.hpp"
#include "../../io/output/text_output.hpp"
#include "../../program/source_lines.hpp"
#include "../executed_blocks.hpp"

namespace tracecodec::analysis {

// Coverage of source lines. The count of a line is the number of executions of its most executed
// instruction. The count of a function is the number of executions of its first instruction. Lines
// of code that was not executed have the count 0.
class line_coverage {
 public:
  // Adds the lines of a module. `instructions` are those of the whole trace, sorted by address.
  TRACECODEC_FUNC void add(const source_lines& lines,
                           std::span<const executed_instruction> instructions);
  [[nodiscard]] bool empty() const noexcept { return files_.empty(); }
  // Writes a record for each source file, sorted by path. Errors of the output propagate. The
  // caller must finish the output.
  TRACECODEC_FUNC void write(io::text_output& to) const;

 private:
  struct file {
    std::map<std::uint32_t, std::uint64_t> lines = {};
    std::map<std::pair<std::uint32_t, std::string>, std::uint64_t> functions = {};
  };
  std::map<std::string, file> files_ = {};
};

}  // namespace tracecodec::analysis

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/lcov.ipp"
#endif
