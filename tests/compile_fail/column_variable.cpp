// Columns of records of varying size.
// expect: columns need records of fixed size
#include <tracecodec/wire/columns/columns.hpp>

namespace wire = tracecodec::wire;

struct block {
  std::uint8_t count;
#ifndef FIXED
  wire::array_view<wire::u8> flags;
#endif
};
#ifdef FIXED
using codec = wire::record<block>;
#else
using codec =
    wire::record<wire::fields<wire::section<wire::field<&block::count>>,
                              wire::section<wire::counted<&block::flags, &block::count>>>>;
#endif
static_assert(wire::columns<codec, &block::count>::count == 1);
