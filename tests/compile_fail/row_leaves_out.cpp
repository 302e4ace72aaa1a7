// Omission of a member that is not a field of the record.
// expect: only a field of the record can be left out
#include <tracecodec/rows/columns.hpp>

namespace rows = tracecodec::rows;
namespace wire = tracecodec::wire;

struct point {
  std::uint32_t x, y;
  std::uint32_t kept;
};
using point_codec = wire::record<
    wire::fields<wire::field<&point::x>, wire::field<&point::y>, wire::not_on_wire<&point::kept>>>;
#ifdef FIXED
using left_out = rows::record_fields<point_codec, &point::y>;
#else
using left_out = rows::record_fields<point_codec, &point::kept>;
#endif
void columns_of(const left_out& row) {
  rows::each_column(row, [](auto, const auto&, bool) {});
}
