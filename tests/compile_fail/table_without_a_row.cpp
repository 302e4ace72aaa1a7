// Table with fewer rows than the description.
// expect: table_and_description_differ<.*quoted<.*(no further row|'n', 'o', ' ', 'f').*quoted<.*(10 6 \(padding\)|'1', '0', ' ', '6', ' ', '\(')
#include <tracecodec/wire/layout/laid_out_as.hpp>
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct place {
  std::uint64_t address;
  std::uint16_t thread;
};
using codec = wire::record<place, wire::order::little, wire::placement::natural>;
#ifdef FIXED
static_assert(wire::is_laid_out_as<codec, R"(
0   8  address
8   2  thread
10  6  (padding)
)">);
#else
static_assert(wire::is_laid_out_as<codec, R"(
0   8  address
8   2  thread
)">);
#endif
