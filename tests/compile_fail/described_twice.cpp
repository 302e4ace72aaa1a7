// Member that is described twice.
// expect: a member of the struct is described more than once
// names: this_member_is_described_twice.*("first"|'f', 'i', 'r', 's', 't')|'f', 'i', 'r', 's', 't'.*more than once
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct pair {
  int first;
  int second;
};
#ifdef FIXED
using codec = wire::record<wire::fields<wire::field<&pair::first>, wire::field<&pair::second>>>;
#else
using codec = wire::record<wire::fields<wire::field<&pair::first>, wire::field<&pair::second>,
                                        wire::not_on_wire<&pair::first>>>;
#endif
static_assert(codec::size != 0);
