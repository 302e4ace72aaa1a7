// View that is carried to the next record.
// expect: previous<> needs a member that is a number
// names: this_member_cannot_be_carried.*("last"|'l', 'a', 's', 't')|'l', 'a', 's', 't'
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct entry {
#ifdef FIXED
  std::uint8_t last;
#else
  wire::array_view<wire::u8> last;
#endif
  wire::array_view<wire::u8> name;
  constexpr auto end() const {
#ifdef FIXED
    return static_cast<std::uint8_t>(name.size());
#else
    return name;
#endif
  }
};
using codec = wire::record<
    wire::fields<wire::previous<&entry::last, &entry::end>, wire::terminated<&entry::name>>>;
static_assert(!codec::fixed);
