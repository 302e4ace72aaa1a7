// Described struct with a private member.
// expect: only public members and no constructors
// names: not_an_aggregate
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::uint8_t kind;
#ifndef FIXED
 private:
  std::uint8_t id;
#endif
};
static_assert(wire::record<wire::fields<wire::field<&event::kind>>>::fixed);
