// File with two kinds of records.
// expect: a file has one header, one trailer and one kind of records
// names: this_file_has_a_part_twice.*records<.*records<
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
    file::of<"steps", file::records<wire::record<front>>, file::records<wire::record<step>>>;
#endif
static_assert(step_file::name == "steps");
