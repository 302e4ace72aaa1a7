// Converts records that a record table (--record) describes to text rows with all fields.
#include <tracecodec/rows/record_rows.hpp>

#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

#include "../common/described.hpp"
#include "conversion.hpp"

namespace convert {

void described_to_rows(tracecodec::file::table_reader from, const options& o,
                       io::codec compression) {
  namespace rows = tracecodec::rows;
  const auto write = [&](auto out) {
    const std::exception_ptr failure = examples::for_each_described(
        from, o.as, o.part, examples::everything, [&](std::uint64_t index, const std::byte* bytes) {
          if (index % 1024 == 0) stop_if_interrupted();
          out.write(rows::record_row{index, bytes});
        });
    finish(out, out.written(), failure, o);
  };
  auto to = io::open_output(o.out, compression, o.packing);
  if (o.rows == row_form::csv)
    write(rows::row_writer<rows::record_row, rows::record_csv_form>(
        std::move(to), rows::record_csv_form(from.table(), o.guard_formulas)));
  else
    write(rows::row_writer<rows::record_row, rows::record_json_form>(
        std::move(to), rows::record_json_form(from.table())));
}

}  // namespace convert
