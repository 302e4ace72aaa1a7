// Tests decompression of lz4.
#include <lz4frame.h>

#include "decompress.hpp"

namespace fuzz::decompress_lz4 {
namespace {

bytes compressed(io::codec, view content) {
  bytes out(LZ4F_compressFrameBound(content.size(), nullptr));
  const std::size_t size =
      LZ4F_compressFrame(out.data(), out.size(), content.data(), content.size(), nullptr);
  require(LZ4F_isError(size) == 0, "lz4 compresses");
  out.resize(size);
  return out;
}
const target registered("decompress_lz4",
                        [](view in) { try_codec(io::codec::lz4, in, compressed); });

}  // namespace
}  // namespace fuzz::decompress_lz4
