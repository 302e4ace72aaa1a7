#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "../../io/checksum.hpp"

namespace tracecodec::tracepack::detail {

inline std::uint32_t crc_of(std::span<const std::byte> bytes) {
  io::crc32c sum;
  sum.update(bytes);
  return sum.value();
}

}  // namespace tracecodec::tracepack::detail
