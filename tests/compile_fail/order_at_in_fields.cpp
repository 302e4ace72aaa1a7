// at<> outside of in_struct_order<>.
// expect: at<items...> is for in_struct_order
// names: this_at_is_not_an_item_of_in_struct_order<.*field<&part::low|field<&part::low.*at<items
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t kind, low, high, end;
};
#ifdef FIXED
using codec =
    wire::record<wire::in_struct_order<part, wire::at<wire::padding<1>, wire::field<&part::low>>>>;
#else
using codec = wire::record<
    wire::fields<wire::field<&part::kind>, wire::at<wire::padding<1>, wire::field<&part::low>>,
                 wire::field<&part::high>, wire::field<&part::end>>>;
#endif
static_assert(codec::size == 5);
