// Record of a file that takes all remaining bytes.
// expect: a record of a file must have its own end
// names: this_record_needs_an_end
#include <tracecodec/file.hpp>
#include <tracecodec/wire.hpp>

namespace wire = tracecodec::wire;
namespace file = tracecodec::file;

struct part {
  std::uint8_t size;
  wire::array_view<wire::u8> data;
};
#ifdef FIXED
using data = wire::sized<&part::size, wire::rest<&part::data>>;
#else
using data = wire::rest<&part::data>;
#endif
using parts =
    file::of<"parts", file::records<wire::record<wire::fields<wire::field<&part::size>, data>>>>;
static_assert(!parts::codec::fixed);
