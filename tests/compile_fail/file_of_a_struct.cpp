// Struct instead of its codec.
// expect: describe a part of a file by a codec
// names: this_part_has_no_codec.*header<.*front>
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
using step_file = file::of<"steps", file::header<front>,
                           file::records<wire::record<step>, file::counted_by<&front::steps>>>;
#endif
static_assert(step_file::name == "steps");
