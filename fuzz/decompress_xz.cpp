// Tests decompression of xz.
#include "decompress.hpp"

namespace fuzz {
namespace {
const target registered_xz("decompress_xz", [](view in) { try_codec(io::codec::xz, in); });
}  // namespace
}  // namespace fuzz
