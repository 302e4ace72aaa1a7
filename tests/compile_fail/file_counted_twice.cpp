// Two clauses that count the records.
// expect: records take counted_by, each, longest, until, leads_to, lines and indexed at most
// names: these_records_have_a_clause_twice<.*counted_by<
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
                           file::records<wire::record<step>, file::counted_by<&front::steps>,
                                         file::counted_by<&front::steps>>>;
#endif
static_assert(step_file::name == "steps");
