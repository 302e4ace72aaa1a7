// List whose elements take all remaining bytes.
// expect: an element of a list must have its own end
// names: this_list_has_elements_without_an_end.*("all"|'a', 'l', 'l')|'a', 'l', 'l'.*element
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t size;
  wire::array_view<wire::u8> data;
};
#ifdef FIXED
using data = wire::sized<&part::size, wire::rest<&part::data>>;
#else
using data = wire::rest<&part::data>;
#endif
struct parts {
  wire::list_view<wire::record<wire::fields<wire::field<&part::size>, data>>> all;
};
using codec = wire::record<wire::fields<wire::list<&parts::all>>>;
static_assert(!codec::fixed);
