// Tests decompression of zstd.
#include "decompress.hpp"

namespace fuzz {
namespace {
const target registered_zstd("decompress_zstd", [](view in) { try_codec(io::codec::zstd, in); });
}  // namespace
}  // namespace fuzz
