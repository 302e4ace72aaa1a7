// Decompression of bzip2.
#include "decompress.hpp"

namespace fuzz {
namespace {
const target registered_bzip2("decompress_bzip2", [](view in) { try_codec(io::codec::bzip2, in); });
}  // namespace
}  // namespace fuzz
