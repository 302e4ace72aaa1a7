#include "open_trace.hpp"

#include <tracecodec/trace/input_files.hpp>

#include "formats.hpp"

namespace examples {

void require_other_output(const tracecodec::trace::input_files& in, const std::string& out) {
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

tracecodec::trace::source open_trace(const std::string& path, const reading& as,
                                     const std::string& out) {
  using tracecodec::trace::input_files;
  // Check the output before opening the trace. The check also applies to a trace that cannot be
  // opened.
  require_other_output(input_files(path, as), out);
  tracecodec::trace::source in(path, as);
  require_other_output(input_files(path, as, &in.format()), out);
  require_known_names(in, as);
  return in;
}

}  // namespace examples
