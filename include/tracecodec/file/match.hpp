// Degree to which bytes look like a file of some kind.
#pragma once
#include <cstdint>

namespace tracecodec::file {

enum class match : std::uint8_t {
  none,
  possible,  // everything described makes sense, but the size does not match or is unknown
  certain    // the number of records matches the size as well, or constants identify the file
};

}  // namespace tracecodec::file
