// LEB128 number in more bytes than the bits of its member fill.
// expect: a LEB128 number has at most one byte for 7 bits of its member
// names: this_member_has_fewer_bits_than_its_bytes.*("index"|'i', 'n', 'd', 'e', 'x')
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct call {
  std::uint32_t index;
};
#ifdef FIXED
using codec = wire::record<wire::fields<wire::leb128<&call::index, 5>>>;
#else
using codec = wire::record<wire::fields<wire::leb128<&call::index, 6>>>;
#endif
static_assert(codec::fixed);
