// Checksum of a library that the build does not use.
// expect: adler32
// names: define TRACECODEC_WITH_GZIP and link with -lz
#ifdef FIXED
#define TRACECODEC_WITH_GZIP
#else
#undef TRACECODEC_WITH_GZIP
#endif
#include <tracecodec/io/checksum.hpp>

std::uint32_t sum(std::span<const std::byte> bytes) {
  tracecodec::io::adler32 s;
  s.update(bytes);
  return s.value();
}
