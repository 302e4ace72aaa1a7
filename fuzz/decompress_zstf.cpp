// Tests decompression of ZSTF files.
#include "decompress.hpp"
#include "tracecodec/io/compression/zstf.hpp"

namespace fuzz::decompress_zstf {
namespace {

// Returns a file with chunks of 1000 bytes.
bytes compressed(io::codec, view content) {
  bytes out;
  io::zstf_sink to(sink_to(out), 1);
  for (std::size_t at = 1000; at < content.size(); at += 1000) to.end_record(at, at);
  to.write(content);
  to.finish();
  return out;
}
const target registered("decompress_zstf",
                        [](view in) { try_codec(io::codec::zstf, in, compressed); });

}  // namespace
}  // namespace fuzz::decompress_zstf
