// The functions of trace/no_trace.hpp.
#pragma once
#include "../no_trace.hpp"

#include "../../io/os/path.hpp"
#include "../../umtracer/files.hpp"

namespace tracecodec::trace {

TRACECODEC_FUNC std::string_view named_by_name(std::string_view path) {
  const std::string_view name = path.substr(io::file_name_at(path));
  for (const std::string_view file : umtracer::file_names)
    if (name == file && file != umtracer::name(umtracer::file::xml))
      return "a file of an UMTracer trace: the trace is the folder that has all of them";
  return {};
}

}  // namespace tracecodec::trace
