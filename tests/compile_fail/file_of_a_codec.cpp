// Codec instead of a part that contains the codec.
// expect: a file is made of file::header, file::records and file::trailer alone
// names: this_is_not_a_part_of_a_file.*front
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
using step_file = file::of<"steps", wire::record<front>,
                           file::records<wire::record<step>, file::counted_by<&front::steps>>>;
#endif
static_assert(step_file::name == "steps");
