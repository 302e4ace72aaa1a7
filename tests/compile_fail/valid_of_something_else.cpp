// Predicate that cannot be called with the value.
// expect: the predicate of valid<> must accept the member's value
// names: this_member_is_not_accepted_by_its_predicate.*("tag"|'t', 'a', 'g')|'t', 'a', 'g'.*predicate
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

constexpr auto is_text = [](const char*) { return true; };
constexpr auto is_even = [](std::uint8_t n) { return n % 2 == 0; };
struct part {
  std::uint8_t tag, value;
};
#ifdef FIXED
using word = wire::valid<&part::tag, is_even>;
#else
using word = wire::valid<&part::tag, is_text>;
#endif
using codec = wire::record<wire::fields<word, wire::field<&part::value>>>;
static_assert(sizeof(codec) != 0);
