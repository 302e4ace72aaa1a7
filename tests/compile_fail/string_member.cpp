// Member that is a std::string. Its characters are not part of the object.
// expect: a member of this type has no known bytes
// names: this_member_has_a_type_without_bytes.*("text"|'t', 'e', 'x', 't')
#include <string>
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct note {
  std::uint8_t kind;
#ifdef FIXED
  std::array<char, 4> text;
#else
  std::string text;
#endif
};
static_assert(wire::record<note>::size == 5);
