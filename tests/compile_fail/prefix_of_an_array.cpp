// prefix<> as the count of an array instead of as the size of a part.
// expect: prefix<&S::n> is the size of a part, sized<prefix<&S::n>, items...>
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct table {
  std::uint8_t n;
  wire::array_view<wire::u8> cells;
};
using codec = wire::record<wire::fields<
#ifdef FIXED
    wire::sized<wire::prefix<&table::n>, wire::rest<&table::cells>>
#else
    wire::field<&table::n>, wire::counted<&table::cells, wire::prefix<&table::n>>
#endif
    >>;
bool read(std::span<const std::byte> in, table& t) { return !!codec::decode(in, t); }
