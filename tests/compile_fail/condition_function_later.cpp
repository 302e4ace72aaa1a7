// A condition that looks for one value of a member of a later section.
// expect: must be read in an earlier section
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

enum class kind : std::uint8_t {};
struct maybe {
  std::uint8_t before;
  kind what;
  std::uint8_t value;
};
constexpr auto special = [](const maybe& m) { return m.before < 5 && m.what == kind{0x83}; };
using when_special = wire::section<wire::when<special, wire::field<&maybe::value>>>;
using rest = wire::section<wire::field<&maybe::what>>;
#ifdef FIXED
using codec =
    wire::record<wire::fields<wire::section<wire::field<&maybe::before>>, rest, when_special>>;
#else
using codec =
    wire::record<wire::fields<wire::section<wire::field<&maybe::before>>, when_special, rest>>;
#endif
static_assert(!codec::fixed);
