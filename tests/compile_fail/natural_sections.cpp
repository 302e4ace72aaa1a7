// Natural placement in several sections. Each section would be padded separately.
// expect: natural placement needs a record of fixed size
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct pair {
  std::uint8_t first;
  std::uint32_t second;
};
#ifdef FIXED
using listed = wire::fields<wire::field<&pair::first>, wire::field<&pair::second>>;
#else
using listed = wire::fields<wire::section<wire::field<&pair::first>>,
                            wire::section<wire::field<&pair::second>>>;
#endif
using codec = wire::record<listed, wire::order::little, wire::placement::natural>;
static_assert(codec::alignment != 0);
