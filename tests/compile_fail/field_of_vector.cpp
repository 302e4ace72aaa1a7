// Field that is a std::vector.
// expect: a member of this type has no known bytes
// names: this_member_has_a_type_without_bytes.*("data"|'d', 'a', 't', 'a')
#include <tracecodec/wire/record.hpp>
#include <vector>

namespace wire = tracecodec::wire;

struct part {
#ifdef FIXED
  std::array<std::uint8_t, 2> data;
#else
  std::vector<std::uint8_t> data;
#endif
};
static_assert(wire::record<wire::fields<wire::field<&part::data>>>::size == 2);
