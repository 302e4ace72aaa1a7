// Checksum over a member of another struct.
// expect: need members that the same record
// names: this_member_has_no_bytes_in_the_record.*("tail"|'t', 'a', 'i', 'l')|'t', 'a', 'i', 'l'
#include <tracecodec/io/checksum.hpp>
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;

struct other {
  std::uint32_t tail;
};
struct part {
  std::uint32_t head, sum;
};
#ifdef FIXED
constexpr auto sum = wire::over<tracecodec::io::crc32, &part::head>;
#else
constexpr auto sum = wire::over<tracecodec::io::crc32, &other::tail>;
#endif
using codec = wire::record<wire::fields<wire::field<&part::head>, wire::computed<&part::sum, sum>>>;
static_assert(!std::is_same_v<codec::value_type, void>);
