// Converts STF traces to text rows, one for each record.
#include <tracecodec/file/reader.hpp>
#include <tracecodec/stf/rows.hpp>
#include <tracecodec/trace/source.hpp>

#include <cstdint>
#include <utility>

#include "../selected.hpp"
#include "../write_rows.hpp"
#include "conversion.hpp"

namespace convert {

void stf_to_rows(tracecodec::trace::source in, const options& o, io::codec compression) {
  namespace stf = tracecodec::stf;
  tracecodec::file::reader<stf::trace_file> from(std::move(in.input()));
  with_rows<stf::row>(o, compression, [&](auto& out) {
    return for_each_selected(from, o, [&](std::uint64_t index, const stf::instruction& i) {
      stf::for_each_row(index, i, [&out](const stf::row& r) { out.write(r); });
    });
  });
}

}  // namespace convert
