// Table with a wrong size for a field. The message contains the rows of the table and of the
// description.
// expect: table_and_description_differ<.*quoted<.*(8 4 steps|'8', ' ', '4', ' ', 's', 't', 'e', 'p', 's').*quoted<.*(8 8 steps|'8', ' ', '8', ' ', 's', 't', 'e', 'p', 's')
#include <tracecodec/wire/layout/laid_out_as.hpp>
#include <tracecodec/wire/record.hpp>

namespace wire = tracecodec::wire;

struct file_header {
  std::uint32_t magic;
  std::uint32_t version;
  std::uint64_t steps;
};
using codec = wire::record<file_header>;
#ifdef FIXED
static_assert(wire::is_laid_out_as<codec, R"(
Offset  Size  Field
0       4     magic    STEP
4       4     version
8       8     steps    that follow
)">);
#else
static_assert(wire::is_laid_out_as<codec, R"(
Offset  Size  Field
0       4     magic    STEP
4       4     version
8       4     steps    that follow
)">);
#endif
