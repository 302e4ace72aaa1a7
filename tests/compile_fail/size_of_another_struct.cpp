// Number of elements of a member of another struct.
// expect: need members that the same record
// names: this_member_has_no_bytes_in_the_record.*("data"|'d', 'a', 't', 'a')|'d', 'a', 't', 'a'
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct other {
  wire::array_view<wire::u8> data;
};
struct part {
  std::uint8_t n;
  wire::array_view<wire::u8> data;
};
#ifdef FIXED
constexpr auto size = wire::size_of<&part::data>;
#else
constexpr auto size = wire::size_of<&other::data>;
#endif
using codec = wire::record<
    wire::fields<wire::computed<&part::n, size>, wire::counted<&part::data, &part::n>>>;
static_assert(!codec::fixed);
