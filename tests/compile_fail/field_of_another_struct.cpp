// Field of another struct.
// expect: all items of a description are members of one struct
// names: this_item_belongs_to_another_struct.*other|never<other
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct other {
  std::uint8_t n;
};
struct part {
  std::uint8_t n, m;
};
#ifdef FIXED
using second = wire::field<&part::m>;
#else
using second = wire::field<&other::n>;
#endif
using codec = wire::record<wire::fields<wire::field<&part::n>, second>>;
static_assert(codec::fixed);
