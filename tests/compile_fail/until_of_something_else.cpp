// Predicate that cannot be called with an element.
// expect: the predicate of until<> must accept an element
// names: this_list_has_elements_that_its_predicate_does_not_accept.*("value"|'v', 'a', 'l', 'u', 'e')|'v', 'a', 'l', 'u', 'e'.*until
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t tag;
  wire::list_view<wire::u8> value;
};
constexpr auto is_text = [](const char*) { return true; };
constexpr auto is_zero = [](std::uint8_t n) { return n == 0; };
#ifdef FIXED
using word = wire::list<&part::value, wire::until<is_zero>>;
#else
using word = wire::list<&part::value, wire::until<is_text>>;
#endif
using codec = wire::record<wire::fields<wire::field<&part::tag>, word>>;
static_assert(sizeof(codec) != 0);
