// Bytes that are not std::byte.
// expect: pass std::as_bytes\(std::span\(input\)\)
// names: std::as_bytes|decode reads std::byte|is_convertible
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct event {
  std::uint8_t id;
};
bool read(std::span<const char> in) {
  event e{};
#ifdef FIXED
  return static_cast<bool>(wire::record<event>::decode(std::as_bytes(in), e));
#else
  return static_cast<bool>(wire::record<event>::decode(in, e));
#endif
}
