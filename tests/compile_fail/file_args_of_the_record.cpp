// Parameter of each record that is set from the record instead of the header.
// expect: args sets its first argument, a member of the record, from its second, one of the header
// names: this_member_is_not_an_argument.*("ip"|'i', 'p')
#include <tracecodec/file/describe.hpp>
#include <tracecodec/wire/record.hpp>

namespace file = tracecodec::file;
namespace wire = tracecodec::wire;

struct front {
  std::uint32_t base;
};
struct step {
  std::uint32_t ip;
  std::uint32_t base;
};
using step_codec =
    wire::record<wire::fields<wire::field<&step::ip>, wire::not_on_wire<&step::base>>>;
#ifdef FIXED
using says = file::args<&step::base, &front::base>;
#else
using says = file::args<&step::base, &step::ip>;
#endif
using step_file =
    file::of<"steps", file::header<wire::record<front>>, file::records<step_codec, says>>;
static_assert(step_file::takes_args);
