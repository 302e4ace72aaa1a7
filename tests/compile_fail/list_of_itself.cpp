// List of the record's own kind that is described by a plain record.
// expect: list_view<inner<S, codec>>|a view needs an item such as
// names: "boxes"|'b', 'o', 'x', 'e', 's'
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct box_codec;
struct box {
  std::uint8_t size;
#ifdef FIXED
  wire::list_view<wire::inner<box, box_codec>> boxes;
#else
  wire::list_view<wire::record<box>> boxes;
#endif
};
struct box_codec
    : wire::record<
          wire::fields<wire::computed<&box::size, wire::extent_of<wire::sized_by<&box::size>>>,
                       wire::sized<&box::size, wire::list<&box::boxes>>>> {};
static_assert(!box_codec::fixed);
