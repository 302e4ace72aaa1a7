// Tests decompression of Snappy's framing format.
#include <snappy-c.h>

#include <cstring>
#include <string_view>

#include "decompress.hpp"

namespace fuzz::decompress_snappy {
namespace {

constexpr std::string_view identifier("\xFF\6\0\0sNaPpY", 10);

// Returns one chunk of DynamoRIO's type 2, which has no checksum.
bytes compressed(io::codec, view content) {
  std::size_t size = snappy_max_compressed_length(content.size());
  const std::size_t front = identifier.size() + 4;
  bytes out(front + size);
  std::memcpy(out.data(), identifier.data(), identifier.size());
  require(snappy_compress(reinterpret_cast<const char*>(content.data()), content.size(),
                          reinterpret_cast<char*>(out.data() + front), &size) == SNAPPY_OK,
          "snappy compresses");
  out.resize(front + size);
  out[identifier.size()] = std::byte{2};
  for (unsigned i = 0; i < 3; ++i)
    out[identifier.size() + 1 + i] = static_cast<std::byte>(size >> (8 * i));
  return out;
}
const target registered("decompress_snappy",
                        [](view in) { try_codec(io::codec::snappy, in, compressed); });

}  // namespace
}  // namespace fuzz::decompress_snappy
