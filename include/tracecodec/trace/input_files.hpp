// Lists the input files of a trace, so that a program does not overwrite an input file.
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

// List of all input files of a trace and its options. The list contains the trace file, or the
// trace's folder and the files of the format in this folder. It also contains the files that
// options specify, and files next to the trace that the format can read, even if they are not used.
class input_files {
 public:
  // Lists the files of the trace at `path`, where "-" is standard input. Files next to the trace
  // are included only if they belong to format `f`. If `f` is null, the format is unknown, and
  // files next to the trace are not included. Missing files are not an error.
  input_files(std::string path, const format::open_options& o, const format::facts* f = nullptr);

  // Returns the path of the trace.
  [[nodiscard]] const std::string& trace() const noexcept { return trace_; }

  // Returns the input file that the output `out` would overwrite, or nullopt if there is none.
  // Recognises a file under any name and through any links. "-" is standard output. Output to a
  // device or a pipe never overwrites a file.
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
