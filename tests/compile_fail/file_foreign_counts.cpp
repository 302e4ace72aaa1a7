// Header with a counting member of another struct.
// expect: a count or checksum must be a member of the header's or trailer's struct
// names: this_member_belongs_to_another_part.*("ip"|'i', 'p')
#include <tracecodec/file/describe.hpp>
#include <tracecodec/wire/record.hpp>

namespace file = tracecodec::file;
namespace wire = tracecodec::wire;

struct front {
  std::array<char, 4> magic;
  std::uint32_t steps;
};
struct step {
  std::uint32_t ip;
};
#ifdef FIXED
using step_file = file::of<"steps", file::header<wire::record<front>, file::counts<&front::steps>>,
                           file::records<wire::record<step>, file::counted_by<&front::steps>>>;
#else
using step_file = file::of<"steps", file::header<wire::record<front>, file::counts<&step::ip>>,
                           file::records<wire::record<step>, file::counted_by<&front::steps>>>;
#endif
static_assert(step_file::name == "steps");
