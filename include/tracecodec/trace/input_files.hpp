// Which files a trace consists of, so that no program takes one of them for its output.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "source.hpp"

namespace tracecodec::trace {

// What an output would destroy.
struct overwritten_file {
  enum class relation : std::uint8_t {
    same,    // the output is this file or folder
    inside,  // it would lie in this folder
    around   // it is a folder in which this lies
  };
  relation how;
  std::string name;  // "-": standard input
};

// All files of a trace and of the options by which it is read: the trace, or its folder with all that lies in it;
// what its format reads beside it, given or found there, also if that is left aside; lists of symbols.
class input_files {
 public:
  // `path` as source takes it, "-" is standard input. Of what lies beside the trace, only what
  // belongs to `f` counts: nothing if that is not known yet, null. Throws nothing for files that are
  // missing.
  input_files(std::string path, const format::open_options& o, const format::facts* f = nullptr);

  // As the trace is called.
  [[nodiscard]] const std::string& trace() const noexcept { return trace_; }

  // What the output `out`, "-" for standard output, would take the place of, whatever it is called
  // and whichever links lead there; nothing if it would not. Devices and pipes take no file's place.
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
