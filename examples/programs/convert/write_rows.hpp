// The output of a conversion to rows of text.
#pragma once
#include <tracecodec/rows.hpp>

#include <exception>
#include <utility>

#include "conversion.hpp"

namespace convert {

// Write the rows of a format, each in a file of its name; instructions_to_rows() those of formats without rows of their
// own.
void instructions_to_rows(tracecodec::trace::source in, const options& o, io::codec compression);
void champsim_to_rows(tracecodec::trace::source in, const options& o, io::codec compression);
void rapidbin_to_rows(io::input in, const options& o, const format& from, io::codec compression);
void umtracer_to_rows(const std::string& folder, const options& o, io::codec compression);
void x64dbg_to_rows(io::input in, const options& o, io::codec compression);

// Calls body(out) with a writer of `Row`s, which returns what ended the trace early. `empty`: it is
// right if there is no row.
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
