// Opens a trace that a program reads, and looks after the output: it takes the place of no file that
// the trace is read from.
#pragma once
#include <tracecodec/trace/input_files.hpp>
#include <tracecodec/trace/source.hpp>

#include <string>

#include "command_line.hpp"

namespace examples {

// Throws usage_error if the output `out`, "-" for standard output, would destroy a part of an input.
inline void require_other_output(const tracecodec::trace::input_files& in, const std::string& out) {
  using relation = tracecodec::trace::overwritten_file::relation;
  const auto found = in.overwritten_by(out);
  if (!found) return;
  const std::string file = found->name == "-" ? "<stdin>" : found->name;
  std::string why = out == "-" ? "standard output" : out;
  why += found->how == relation::same     ? " is the same file as "
         : found->how == relation::inside ? " would lie in the folder "
                                          : " is a folder that holds ";
  why += file;
  why += found->name == in.trace() ? ", the input" : ", a part of the input " + in.trace();
  throw usage_error(why + ": choose another output");
}

// The trace `path`, "-" for standard input, read by a program that writes `out`. Throws usage_error
// as require_other_output(); trace_error as trace::source.
inline tracecodec::trace::source open_trace(const std::string& path, const reading& as,
                                            const std::string& out = "-") {
  using tracecodec::trace::input_files;
  require_other_output(input_files(path, as), out);  // also if it cannot be opened
  tracecodec::trace::source in(path, as);
  require_other_output(input_files(path, as, in.format()), out);
  return in;
}

}  // namespace examples
