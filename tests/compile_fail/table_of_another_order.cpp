// Table with a heading for types and a wrong byte order. Types and byte orders are compared, too.
// expect: table_and_description_differ<.*quoted<.*(2 4 locks i32 little|'i', '3', '2', ' ', 'l', 'i').*quoted<.*(2 4 locks i32 big|'i', '3', '2', ' ', 'b', 'i')
#include <tracecodec/wire/layout/laid_out_as.hpp>
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct counts {
  std::int16_t threads;
  std::int32_t locks;
};
using codec = wire::record<counts, wire::order::big>;
#ifdef FIXED
static_assert(wire::is_laid_out_as<codec, R"(
Offset  Size  Field    Type  Byte order
------  ----  -------  ----  ----------
0       2     threads  i16   big
2       4     locks    i32   big
)">);
#else
static_assert(wire::is_laid_out_as<codec, R"(
Offset  Size  Field    Type  Byte order
------  ----  -------  ----  ----------
0       2     threads  i16   big
2       4     locks    i32   little
)">);
#endif
