// Counter that is an array of letters.
// expect: a count or checksum must be an integer
// names: this_member_is_not_an_integer.*("magic"|'m', 'a', 'g', 'i', 'c')
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
using step_file = file::of<"steps", file::header<wire::record<front>>,
                           file::records<wire::record<step>, file::counted_by<&front::steps>>>;
#else
using step_file = file::of<"steps", file::header<wire::record<front>>,
                           file::records<wire::record<step>, file::counted_by<&front::magic>>>;
#endif
static_assert(step_file::name == "steps");
