// Provides the layouts of the formats as text.
#include <string>

#include <tracecodec/emit/numpy.hpp>
#include <tracecodec/trace/layouts.hpp>
#include <tracecodec/wire/table.hpp>

#include "common.hpp"

namespace tracecodec::python {

namespace {

std::string table_text(const format::layout& l) {
  std::string text;
  wire::print_table(l.rows, [&text](std::string_view s) { text += s; });
  return text;
}
// Returns Python code for a dtype and for the bit slices in its words. Returns an empty string if
// the size of the record varies.
std::string numpy_text(const format::layout& l) {
  std::string text;
  emit::print_numpy_dtype("it", l.nodes, [&text](std::string_view s) { text += s; });
  return text;
}

}  // namespace

void define_layouts(py::module_& m) {
  m.def("formats", [] {
    py::list all;
    for (const format::facts* const f : trace::all_formats()) all.append(std::string(f->name));
    return all;
  });
  // Returns a tuple for each layout. The tuple contains the name, the title, the table as text, and
  // the dtype as text.
  m.def("layouts", [](const std::string& name, bool narrow) {
    const format::facts* const f = trace::find_format(name);
    if (f == nullptr) throw py::value_error("there is no format '" + name + "'");
    py::list all;
    for (const format::layout& l : trace::layouts_of(*f, narrow))
      all.append(
          py::make_tuple(std::string(l.name), std::string(l.title), table_text(l), numpy_text(l)));
    return all;
  });
}

}  // namespace tracecodec::python
