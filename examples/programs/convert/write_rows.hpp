// Writes text rows.
#pragma once
#include <tracecodec/rows.hpp>

#include <exception>
#include <utility>

#include "conversion.hpp"

namespace convert {

// Calls body(out), where `out` writes `Row`s. body() returns the error that ended the trace early,
// or null. If `empty` is true, an output without rows is allowed.
template <class Row, class Body>
void with_rows(const options& o, io::codec compression, Body body, bool empty = false) {
  const auto write = [&](auto out) {
    const std::exception_ptr failure = body(out);
    if (empty && !failure) return out.finish();
    finish(out, out.written(), failure, o);
  };
  auto to = io::open_output(o.out, compression, o.packing);
  if (o.rows == row_form::csv)
    write(tracecodec::rows::csv<Row>(std::move(to), {.guard_formulas = o.guard_formulas}));
  else
    write(tracecodec::rows::json_lines<Row>(std::move(to)));
}

}  // namespace convert
