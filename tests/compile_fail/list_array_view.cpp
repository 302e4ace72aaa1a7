// List member that is an array_view.
// expect: list<> needs a member that is a list_view
// names: this_member_must_be_a_list_view.*("value"|'v', 'a', 'l', 'u', 'e')|'v', 'a', 'l', 'u', 'e'.*list_view
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t tag;
#ifdef FIXED
  wire::list_view<wire::u8> value;
#else
  wire::array_view<wire::u8> value;
#endif
};
using codec = wire::record<wire::fields<wire::field<&part::tag>, wire::list<&part::value>>>;
static_assert(!codec::fixed);
