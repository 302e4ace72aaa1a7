// How much bytes look like a file of some kind.
#pragma once
#include <cstdint>

namespace tracecodec::file {

enum class likeness : std::uint8_t {
  none,
  possible,  // all that is described makes sense, but the size is another, or unknown
  certain    // and the number of records is that of the size, or constants say what it is
};

}  // namespace tracecodec::file
