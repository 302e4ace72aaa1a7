// Properties by which an index recognises its trace.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "../config.hpp"

namespace tracecodec::query {

struct trace_identity {
  std::uint64_t size = 0;  // in bytes, of all files of a folder
  std::int64_t time = 0;   // time of the last change in nanoseconds since 1970
  // Hash of parts of the content: of each file, 256 parts of up to 4 KiB, which are spread evenly
  // over the file, and the path within the folder.
  std::uint64_t parts = 0;

  friend bool operator==(const trace_identity&, const trace_identity&) = default;
};

// Returns the identity of the trace `path`, a regular file or a folder. Throws trace_error(system)
// if it cannot be read, and trace_error(refused) for standard input and pipes.
TRACECODEC_FUNC trace_identity identity_of(const std::string& path);
// Returns the identity that the file `path` would have if it ended after `size` bytes, or nullopt if
// it is shorter or not a regular file. The time is that of the file.
TRACECODEC_FUNC std::optional<trace_identity> identity_of_beginning(const std::string& path,
                                                                    std::uint64_t size);

}  // namespace tracecodec::query

#if !defined(TRACECODEC_SEPARATE_COMPILATION)
#include "impl/trace_identity.ipp"
#endif
