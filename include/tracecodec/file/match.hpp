// Degree to which bytes match a kind of file.
#pragma once
#include <cstdint>

#include "../config.hpp"

namespace tracecodec::file {

enum class match : std::uint8_t {
  none,
  // The content is valid, but the size does not match the header or is unknown.
  possible,
  // The number of records matches the size, or constants identify the file.
  certain
};

}  // namespace tracecodec::file
