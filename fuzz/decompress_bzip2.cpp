// Tests decompression of bzip2.
#include <bzlib.h>

#include "decompress.hpp"

namespace fuzz::decompress_bzip2 {
namespace {

bytes compressed(io::codec, view content) {
  bytes out(content.size() + content.size() / 100 + 600);  // enough according to bzip2's manual
  auto size = static_cast<unsigned>(out.size());
  std::string in(reinterpret_cast<const char*>(content.data()), content.size());
  require(BZ2_bzBuffToBuffCompress(reinterpret_cast<char*>(out.data()), &size, in.data(),
                                   static_cast<unsigned>(in.size()), 1, 0, 0) == BZ_OK,
          "bzip2 compresses");
  out.resize(size);
  return out;
}
const target registered("decompress_bzip2",
                        [](view in) { try_codec(io::codec::bzip2, in, compressed); });

}  // namespace
}  // namespace fuzz::decompress_bzip2
