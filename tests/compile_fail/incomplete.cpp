// Member that is not described.
// expect: a member of the struct is not described
// names: this_member_is_not_described.*("second"|'s', 'e', 'c', 'o', 'n', 'd')|'s', 'e', 'c', 'o', 'n', 'd'.*is not described
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct pair {
  int first;
  int second;
};
using codec = wire::record<wire::fields<
#ifdef FIXED
    wire::field<&pair::second>,
#endif
    wire::field<&pair::first>>>;
static_assert(codec::size != 0);
