// Converts any trace to text rows: JSON lines or CSV.
#include <utility>

#include "format_conversion.hpp"

namespace convert {

void to_rows(tracecodec::trace::source in, const options& o, io::codec compression) {
  const format_conversion& own = conversion_of(in.format());
  require_row_options(o, in.format(),
                      own.disassembles && (own.has_code == nullptr || own.has_code(in)));
  if (in.record() != nullptr)
    return described_to_rows({std::move(in.input()), in.record()}, o, compression);
  const auto write = own.to_rows != nullptr ? own.to_rows : instructions_to_rows;
  write(std::move(in), o, compression);
}

}  // namespace convert
