// Tests decompression of gzip.
#include "decompress.hpp"

namespace fuzz {
namespace {
const target registered_gzip("decompress_gzip", [](view in) { try_codec(io::codec::gzip, in); });
}  // namespace
}  // namespace fuzz
