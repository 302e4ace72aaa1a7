// Records with a parameter that the file does not set.
// expect: a record with parameters needs one args<&record::parameter, &header::member>
// names: this_record_does_not_receive_its_parameters
#include <tracecodec/file/describe.hpp>
#include <tracecodec/wire.hpp>

namespace file = tracecodec::file;
namespace wire = tracecodec::wire;

struct front {
  std::uint8_t width;
};
struct row {
  std::uint8_t width;
  wire::array_view<wire::u8> cells;
};
using row_codec = wire::record<
    wire::fields<wire::parameter<&row::width>, wire::counted<&row::cells, &row::width>>>;
#ifdef FIXED
using rows = file::records<row_codec, file::args<&row::width, &front::width>>;
#else
using rows = file::records<row_codec>;
#endif
using row_file = file::of<"rows", file::header<wire::record<front>>, rows>;
static_assert(sizeof(row_file::takes_args) != 0);
