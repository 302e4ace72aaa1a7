// With gzip.ipp the one file that includes zlib.h.
#pragma once
#include "../checksum.hpp"

#ifdef TRACECODEC_WITH_GZIP
#include <zlib.h>

namespace tracecodec::io {

TRACECODEC_FUNC void adler32::update(std::span<const std::byte> bytes) noexcept {
  sum_ = static_cast<std::uint32_t>(
      ::adler32_z(sum_, reinterpret_cast<const Bytef*>(bytes.data()), bytes.size()));
}

}  // namespace tracecodec::io
#endif
