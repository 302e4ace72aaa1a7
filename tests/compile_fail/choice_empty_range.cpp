// Range of tags whose first tag is above its last.
// expect: the range of tags is empty
#include <tracecodec/wire/record.hpp>
#include <tracecodec/wire/rules/choice.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint8_t tag, value;
};
#ifdef FIXED
using high = wire::on_range<0x80, 0xFF, wire::field<&part::value>>;
#else
using high = wire::on_range<0xFF, 0x80, wire::field<&part::value>>;
#endif
using codec = wire::record<
    wire::fields<wire::field<&part::tag>, wire::choice<&part::tag, wire::on<0>, high>>>;
static_assert(!codec::fixed);
