// Converts instructions to text rows, for formats that do not have rows of their own.
#include <tracecodec/trace/instruction_row.hpp>
#include <tracecodec/trace/reader.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <utility>

#include "../common/progress.hpp"
#include "write_rows.hpp"

namespace convert {

void instructions_to_rows(tracecodec::trace::source in, const options& o, io::codec compression) {
  namespace feed = tracecodec::feed;
  namespace trace = tracecodec::trace;
  trace::reader from(std::move(in), o.as);
  from.want(trace::instruction_row_columns);
  with_rows<trace::instruction_row>(o, compression, [&](auto& out) -> std::exception_ptr {
    examples::progress_line progress(from.name());
    feed::columns batch;
    for (bool begun = false;; begun = true) {
      try {
        if (!begun) from.skip(o.part.skip);
        if (!begun && o.part.limit) from.limit(*o.part.limit);
        if (!from.next(batch)) return nullptr;
      } catch (const tracecodec::io::interruption&) {
        throw;
      } catch (...) {
        return std::current_exception();
      }
      stop_if_interrupted();
      const feed::row_columns all(batch);
      for (std::size_t row = 0; row != batch.size(); ++row)
        out.write(trace::row_of(batch.first() + row, feed::column_row(all, row)));
      progress.at(from.progress());
    }
  });
}

}  // namespace convert
