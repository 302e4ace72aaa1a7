// Pointer member, which is an address in this process.
// expect: a member of this type has no known bytes
// names: this_member_has_a_type_without_bytes.*("next"|'n', 'e', 'x', 't')
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct node {
  std::uint32_t value;
#ifdef FIXED
  std::uint64_t next;
#else
  const node* next;
#endif
};
static_assert(wire::record<node>::size == 12);
