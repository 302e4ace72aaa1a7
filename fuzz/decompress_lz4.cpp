// Decompression of lz4.
#include "decompress.hpp"

namespace fuzz {
namespace {
const target registered_lz4("decompress_lz4", [](view in) { try_codec(io::codec::lz4, in); });
}  // namespace
}  // namespace fuzz
