// Lists the files of a trace that is a folder of similar files.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "../config.hpp"

namespace tracecodec::format {

// Returns the paths of the files in `folder` whose names end in one of `suffixes`, which are in lower
// case, and possibly in a suffix of a compression, in the order of their names. Hidden files do not
// count. Returns an empty list if `folder` is not a folder. Throws trace_error(system) if the folder
// cannot be read.
TRACECODEC_FUNC std::vector<std::string> part_files(const std::string& folder,
                                                    std::span<const std::string_view> suffixes);

}  // namespace tracecodec::format

#ifndef TRACECODEC_SEPARATE_COMPILATION
#include "impl/part_files.ipp"
#endif
