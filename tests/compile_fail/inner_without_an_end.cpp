// Record inside a record of its own kind that extends to the end of the input.
// expect: a record inside a record must have its own end
// names: box
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct box_codec;
struct box {
  std::uint8_t size;
  wire::list_view<wire::inner<box, box_codec>> boxes;
};
#ifdef FIXED
using boxes = wire::sized<&box::size, wire::list<&box::boxes>>;
#else
using boxes = wire::list<&box::boxes>;
#endif
struct box_codec : wire::record<wire::fields<wire::field<&box::size>, boxes>> {};
bool read(std::span<const std::byte> in) {
  box b{};
  return static_cast<bool>(box_codec::decode(in, b));
}
