// Description without a member.
// expect: a description needs an item that has a member
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct front {
  std::uint8_t version;
};
#ifdef FIXED
using codec = wire::record<wire::fields<wire::literal<"TRAC">, wire::field<&front::version>>>;
#else
using codec = wire::record<wire::fields<wire::literal<"TRAC">>>;
#endif
static_assert(codec::fixed);
