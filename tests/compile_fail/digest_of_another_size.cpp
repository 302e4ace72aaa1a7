// Digest in an array of another size.
// expect: a computed field must be an integer, or for a digest
// names: this_member_cannot_be_computed.*("id"|'i', 'd')|'i', 'd'
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct digest {
  void update(std::span<const std::byte>) {}
  std::array<std::uint8_t, 16> value() const { return {}; }
};
struct part {
  std::uint32_t data;
#ifdef FIXED
  std::array<std::uint8_t, 16> id;
#else
  std::array<std::uint8_t, 20> id;
#endif
};
using codec =
    wire::record<wire::fields<wire::field<&part::data>,
                              wire::computed<&part::id, wire::over<digest, &part::data>>>>;
static_assert(codec::fixed);
