// Number as text that ends at a character that can be part of the number.
// expect: digits_until<> needs an integer, a base from 2 to 16
// names: this_member_cannot_be_digits.*("mode"|'m', 'o', 'd', 'e')|'m', 'o', 'd', 'e'
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct entry {
  std::uint32_t mode;
};
#ifdef FIXED
using mode = wire::digits_until<&entry::mode, 8, '9'>;
#else
using mode = wire::digits_until<&entry::mode, 8, '7'>;
#endif
using codec = wire::record<wire::fields<mode>>;
static_assert(!codec::fixed);
