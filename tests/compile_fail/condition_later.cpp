// Condition that depends on a field of the same section.
// expect: must be read in an earlier section
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct maybe {
  bool there;
  std::uint8_t value;
};
#ifdef FIXED
using codec = wire::record<
    wire::fields<wire::section<wire::field<&maybe::there>>,
                 wire::section<wire::when<&maybe::there, wire::field<&maybe::value>>>>>;
#else
using codec = wire::record<wire::fields<wire::section<
    wire::field<&maybe::there>, wire::when<&maybe::there, wire::field<&maybe::value>>>>>;
#endif
static_assert(!codec::fixed);
