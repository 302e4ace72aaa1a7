// The same where the struct has views that are no arrays.
// expect: must be read in an earlier section
#include <tracecodec/wire/items/list.hpp>
#include <tracecodec/wire/items/strided.hpp>
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct lists {
  std::uint8_t count;
  wire::array_view<wire::u8> items;
  wire::strided_view<wire::u16le> rows;
  wire::list_view<wire::u8> rest;
  constexpr unsigned half() const { return count / 2U; }
};
using count = wire::field<&lists::count>;
using items = wire::counted<&lists::items, &lists::half>;
using rows = wire::section<wire::strided<&lists::rows, &lists::count, &lists::count>>;
using rest = wire::section<wire::list<&lists::rest>>;
#ifdef FIXED
using codec = wire::record<wire::fields<wire::section<count>, wire::section<items>, rows, rest>>;
#else
using codec = wire::record<wire::fields<wire::section<count, items>, rows, rest>>;
#endif
static_assert(!codec::fixed);
