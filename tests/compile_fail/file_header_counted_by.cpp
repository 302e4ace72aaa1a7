// Clause of records that is applied to the header.
// expect: a header or trailer takes counts and checksum
// names: this_clause_is_not_for_a_header_or_a_trailer.*counted_by<
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
    file::of<"steps", file::header<wire::record<front>, file::counted_by<&front::steps>>,
             file::records<wire::record<step>>>;
#endif
static_assert(step_file::name == "steps");
