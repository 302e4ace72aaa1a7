// End mark whose predicate does not accept a record.
// expect: until<> needs a member of the record
// names: this_record_is_not_accepted_by_its_end_mark.*entry
#include <tracecodec/file.hpp>

namespace file = tracecodec::file;
namespace wire = tracecodec::wire;

struct entry {
  std::uint8_t last;
};
#ifdef FIXED
constexpr bool is_last(const entry& e) { return e.last != 0; }
#else
constexpr bool is_last(int e) { return e != 0; }
#endif
using entries = file::of<"entries", file::records<wire::record<entry>, file::until<&is_last>>>;
static_assert(entries::mark::there);
