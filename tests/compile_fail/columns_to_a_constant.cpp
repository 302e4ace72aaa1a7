// Encoding from columns, for a record with a constant that no column holds.
// expect: records with checked or computed members cannot be built from columns
#include <tracecodec/wire/columns/columns.hpp>
#include <tracecodec/wire/rules/constant.hpp>

namespace wire = tracecodec::wire;

struct step {
  std::uint16_t magic;
  std::uint32_t ip;
};
#ifdef FIXED
using first = wire::field<&step::magic>;
#else
using first = wire::constant<&step::magic, 7>;
#endif
using codec = wire::record<wire::fields<first, wire::field<&step::ip>>>;
bool encode(std::span<const std::uint32_t> ips, std::span<std::byte> to) {
  return static_cast<bool>(wire::columns<codec, &step::ip>::encode(ips, to));
}
