// Header after the records.
// expect: list the parts of a file in their order
// names: the_parts_of_this_file_have_another_order.*records<.*header<
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
using step_file =
    file::of<"steps", file::records<wire::record<step>, file::counted_by<&front::steps>>,
             file::header<wire::record<front>>>;
#endif
static_assert(step_file::name == "steps");
