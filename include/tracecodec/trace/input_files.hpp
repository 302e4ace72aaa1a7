// Finds the files that a trace consists of, so that a program does not overwrite one of them.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "source.hpp"

namespace tracecodec::trace {

// Input file that an output would destroy, and its relation to the output.
struct overwritten_file {
  enum class relation : std::uint8_t {
    same,    // the output is this file or folder
    inside,  // the output is inside this folder
    around   // the output is a folder that contains this file
  };
  relation how;
  std::string name;  // "-" for standard input
};

// List of all input files of a trace and its options. It contains the trace, or the folder of
// the trace and all its files. It also contains the files that options name, and the files next
// to the trace that its format can read, even if unused.
class input_files {
 public:
  // Lists the files of the trace at `path`, where "-" is standard input. Files next to the
  // trace are included only if they belong to format `f`. If `f` is null, the format is unknown
  // and no such files are included. Missing files are not an error.
  input_files(std::string path, const format::open_options& o, const format::facts* f = nullptr);

  // Returns the path of the trace.
  [[nodiscard]] const std::string& trace() const noexcept { return trace_; }

  // Returns the input file that the output `out` would replace, under any name and through any
  // links, or nullopt if there is none. For `out`, "-" is standard output. Devices and pipes
  // never replace a file.
  [[nodiscard]] std::optional<overwritten_file> overwritten_by(const std::string& out) const;

 private:
  std::string trace_;
  bool folder_ = false;
  std::vector<std::string> all_ = {};
};

}  // namespace tracecodec::trace

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/input_files.ipp"
#endif
