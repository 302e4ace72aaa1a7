// Checksum of the bytes before it that begins after it.
// expect: need the first end before the last
// names: this_member_comes_too_late.*("last"|'l', 'a', 's', 't')|'l', 'a', 's', 't'
#include <tracecodec/io/checksum.hpp>
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct part {
  std::uint32_t first, sum, last;
};
#ifdef FIXED
constexpr auto sum = wire::over<tracecodec::io::crc32, &part::first, wire::here>;
#else
constexpr auto sum = wire::over<tracecodec::io::crc32, &part::last, wire::here>;
#endif
using codec = wire::record<wire::fields<wire::field<&part::first>, wire::computed<&part::sum, sum>,
                                        wire::field<&part::last>>>;
static_assert(!std::is_same_v<codec::value_type, void>);
