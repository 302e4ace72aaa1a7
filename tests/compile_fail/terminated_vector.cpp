// Terminated array that is a std::vector instead of a view of the bytes.
// expect: this item needs a member that is a view of the bytes
// names: this_member_must_be_a_view_of_the_bytes.*("data"|'d', 'a', 't', 'a')
#include <tracecodec/wire.hpp>
#include <tracecodec/wire/items/strided.hpp>
#include <vector>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t count, stride;
#ifdef FIXED
  wire::array_view<wire::u8> data;
#else
  std::vector<std::uint8_t> data;
#endif
};
using codec = wire::record<wire::fields<wire::field<&part::count>, wire::field<&part::stride>,
                                        wire::terminated<&part::data>>>;
static_assert(!codec::fixed);
